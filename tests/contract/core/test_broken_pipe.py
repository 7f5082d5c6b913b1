"""A command whose reader closes the pipe prints nothing, in both programs."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.core.program_end import EXIT_BROKEN_PIPE, run_to_closed_pipe
from tests.conftest import ROOT

COMMANDS = [
    ("edgefleet_agent", "detect", "--json"),
    ("edgefleet_agent", "detect"),
    ("edgefleet_server", "model", "catalogue", "--json"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_reader_is_no_fault(command: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # before the first word: what `head` does in the middle, done for certain
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (EXIT_BROKEN_PIPE, "")


def test_another_line_that_breaks_is_still_a_fault(capfd: pytest.CaptureFixture[str]) -> None:
    del capfd  # pytest's standard output has a descriptor then

    def command() -> int:
        raise BrokenPipeError("a socket")

    with pytest.raises(BrokenPipeError):
        run_to_closed_pipe(command)
    assert run_to_closed_pipe(lambda: 5) == 5


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_line(command: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 (a device)
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False
        )
    assert done.returncode == StoreError.exit_code
    assert done.stderr.endswith(": no space left on a disk that this command writes to; free some space\n")
    assert len(done.stderr.splitlines()) == 1


def test_a_full_disk_of_a_named_file_is_still_a_fault() -> None:
    def command() -> int:
        raise OSError(errno.ENOSPC, "No space left on device", "state.json")

    with pytest.raises(OSError, match="No space left"):
        run_to_closed_pipe(command)
