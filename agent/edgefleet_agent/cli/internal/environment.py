"""`edgefleet-agent environment PACKAGE`: internal; the self-test of an agent version: unpacks it and checks that it starts."""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_agent.updates import agent_versions
from edgefleet_agent.updates.selftest_runner import SelfTestOutcome
from edgefleet_contract.core.errors import EdgefleetError, ManifestError, ModelError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.agent_package import AGENT_FORMAT, AGENT_TASK
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest
from edgefleet_contract.wire.reason_codes import Reason


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `environment`."""
    parser.add_argument("--state", type=Path, required=True, help="State folder of the agent")
    parser.add_argument("package", type=Path, metavar="DIR", help="Package folder, named by its digest")


def run(arguments: argparse.Namespace) -> int:
    """Print the verdict as JSON; exit code 0 if it passed, 5 if it is refused."""
    try:
        manifest = read_manifest((arguments.package / MANIFEST_FILE).read_text(encoding="utf-8"), MANIFEST_FILE)
        archive = arguments.package / archive_of(manifest)
        environment = agent_versions.unpack(archive, arguments.state, arguments.package.name, manifest.version)
        agent_versions.prove(environment, manifest.version)
    except (ManifestError, ModelError) as error:
        reason = Reason.MANIFEST_INVALID if isinstance(error, ManifestError) else Reason.MODEL_REFUSED
        print(encode(SelfTestOutcome(ok=False, reason=reason.value, detail=str(error))).decode())
        return 5
    except EdgefleetError as error:
        print(encode(SelfTestOutcome(ok=False, reason=Reason.NO_SPACE.value, detail=str(error))).decode())
        return 5
    print(encode(SelfTestOutcome(ok=True, runtime=agent_versions.own_tag())).decode())
    return 0


def archive_of(manifest: Manifest) -> str:
    """The archive for this machine.

    Raises:
        ManifestError: it is no package of the agent, or has no archive for this machine.
    """
    tag = agent_versions.own_tag()
    for variant in manifest.variants:
        if manifest.task == AGENT_TASK and variant.format == AGENT_FORMAT and tag in variant.runtimes:
            return variant.files[0]
    raise ManifestError(f"{manifest.id} is not an agent package for {tag}; this slot accepts no other packages")
