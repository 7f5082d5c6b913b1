"""Installs the faulty runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.fakes.plug_in import install_plug_in


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Makes the runtime `faulty` known to this process and those it starts."""
    text = Path(__file__).with_name("faulty_runtime.py").read_text(encoding="utf-8")
    install_plug_in(folder, patch, "faulty_runtime", text, {"backends": {"faulty": "FaultyBackend"}})
