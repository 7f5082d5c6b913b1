"""The family `channels`: preprocessing and task. Needs neither the agent nor a runtime."""

from __future__ import annotations

from edgefleet_contract.package.families import Family
from edgefleet_contract.package.manifest import InputSpec

CHANNELS = Family("classification", InputSpec(color="rgb", fit="stretch", resize="area"))
