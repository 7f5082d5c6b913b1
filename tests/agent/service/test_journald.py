"""Records reach journald with their fields, and are not lost if it does not run."""

from __future__ import annotations

import logging
import os
import socket
import struct
from pathlib import Path

import pytest

from edgefleet_agent.cli.enroll import as_owner
from edgefleet_agent.core.log_fields import log_extra
from edgefleet_agent.service.journald import JournalHandler, under_journald


class RecordList(logging.Handler):
    """Stores the records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def read(data: bytes) -> dict[str, str]:
    """A datagram of the native protocol, by its specification."""
    fields = {}
    while data:
        line, _, data = data.partition(b"\n")
        name, equals, value = line.partition(b"=")
        if not equals:
            (size,) = struct.unpack("<Q", data[:8])
            value, data = data[8 : 8 + size], data[9 + size :]
        fields[name.decode()] = value.decode()
    return fields


def test_fields_levels_and_several_lines(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journald:
        journald.bind(str(tmp_path / "journal"))
        otherwise = RecordList()
        handler = JournalHandler("press-07", otherwise, tmp_path / "journal")
        logger = logging.getLogger("test-of-the-journal")
        logger.setLevel(logging.INFO)
        logger.propagate = False
        logger.addHandler(handler)
        logger.error(
            "slot %s: rolled back\nPRIORITY=0", "detector", extra=log_extra(slot="detector", reason="over_latency", attempt="")
        )
        fields = read(journald.recv(65536))
        assert fields["MESSAGE"] == "slot detector: rolled back\nPRIORITY=0", "a line of a text cannot pose as a field"
        assert fields["PRIORITY"] == "3"
        assert (fields["EDGEFLEET_DEVICE"], fields["EDGEFLEET_SLOT"]) == ("press-07", "detector")
        assert fields["EDGEFLEET_REASON"] == "over_latency"
        assert "EDGEFLEET_ATTEMPT" not in fields
        logger.info("x" * 1_000_000)
        assert read(journald.recv(1 << 20))["PRIORITY"] == "6"
        assert not otherwise.records
    logger.info("journald has gone")
    assert [record.getMessage() for record in otherwise.records] == ["journald has gone"]
    handler.close()


def test_a_terminal_is_no_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    assert not under_journald()
    monkeypatch.setenv("JOURNAL_STREAM", "1:2")
    assert not under_journald(), "the variable is inherited, the stream is not"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root enrols for another user")
def test_root_enrols_for_the_user_of_the_state_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents[:3]:
        if parent.stat().st_uid == 0 and str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    state = tmp_path / "state"
    state.mkdir()
    os.chown(state, 65534, 65534)
    with as_owner(state):
        (state / "key").write_text("secret")
    assert ((state / "key").stat().st_uid, os.geteuid()) == (65534, 0)
    with as_owner(tmp_path / "not-yet-there"):
        assert os.geteuid() == 0
