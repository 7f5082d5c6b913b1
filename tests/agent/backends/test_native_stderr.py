"""Only the named lines are dropped; all others are written, even after an error."""

from __future__ import annotations

import os

import pytest

from edgefleet_agent.backends.native_stderr import STANDARD_ERROR, without_lines


def test_only_the_named_lines_are_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    with without_lines(b"INFO: Created"):
        os.write(STANDARD_ERROR, b"INFO: Created a thing\nWARNING: look here\n")
    os.write(STANDARD_ERROR, b"INFO: Created later\n")
    assert capfd.readouterr().err == "WARNING: look here\nINFO: Created later\n"


def test_standard_error_comes_back_after_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with without_lines(b"INFO"):
            os.write(STANDARD_ERROR, b"last words\n")
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    os.write(STANDARD_ERROR, b"and on\n")
    assert capfd.readouterr().err == "last words\nand on\n"
