"""The import of a package from a folder that the user of the service may not read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from edgefleet_agent.cli.bundle import copy, find
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER
from tests.agent.updates.test_crash_usb import pack

USER = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_root_imports_from_a_private_folder(tmp_path: Path) -> None:
    """Root reads, the owner of the state folder writes; a link is not followed, and another user gets one line."""
    stick, state = pack(tmp_path / "private" / "stick"), tmp_path / "state"
    (tmp_path / "private").chmod(0o700)
    state.mkdir()
    os.chown(state, USER, USER)
    for folder in [each for each in (tmp_path, *tmp_path.parents) if each.stat().st_uid == 0 and "pytest" in str(each)]:
        folder.chmod(folder.stat().st_mode | 0o011)
    place, bundle = find(tmp_path / "private")
    copy(place, bundle, "detector", state)
    made = state / "imports" / bundle.target.digest
    assert {path.name for path in (made / BLOBS_FOLDER).iterdir()} == {path.name for path in (stick / BLOBS_FOLDER).iterdir()}
    assert {path.stat().st_uid for path in made.rglob("*")} == {USER}
    os.seteuid(USER)
    try:
        with pytest.raises(InputError, match=r"cannot read .*Permission denied; run this as a user who may read it"):
            find(tmp_path / "private" / "stick")
    finally:
        os.seteuid(0)
    blob = stick / BLOBS_FOLDER / bundle.target.digest
    shutil.move(blob, tmp_path / "elsewhere")
    blob.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is missing or damaged"):
        copy(place, bundle, "detector", state)
