"""The end of a program beside threads that are in native code, which crash while the interpreter is taken down."""

from __future__ import annotations

import argparse
import subprocess
import sys
import types
from pathlib import Path

import pytest

from edgefleet_contract.core.command_line import Command, CommandParser, finite, run_program
from edgefleet_contract.core.program_end import EXIT_INTERRUPTED

PROGRAM = """
import atexit, sys, threading
from edgefleet_contract.core.command_line import end_with

class Remains:
    def __del__(self):
        print("taken down", flush=True)

remains = Remains()

def main():
    atexit.register(print, "exit handler")
    threading.Thread(target=threading.Event().wait, daemon=True).start() if {thread} else None
    sys.stdout.write("written, not flushed\\n")
    sys.stderr.write("error\\n")
    {ending}

end_with(main)
"""


def run(tmp_path: Path, ending: str, *, daemon: bool) -> subprocess.CompletedProcess[str]:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(thread=daemon, ending=ending))
    return subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("daemon", [True, False])
@pytest.mark.parametrize(
    ("ending", "code"),
    [("return 0", 0), ("return 6", 6), ("sys.exit(2)", 2), ("sys.exit()", 0), ("sys.exit('a text')", 1), ("1 / 0", 1)],
)
def test_every_ending_keeps_code_output_and_exit_handlers(ending: str, code: int, daemon: bool, tmp_path: Path) -> None:
    ended = run(tmp_path, ending, daemon=daemon)
    assert ended.returncode == code
    assert ended.stdout.splitlines() == ["written, not flushed", "exit handler"] + ([] if daemon else ["taken down"])
    assert ended.stderr.startswith("error\n")
    assert ("ZeroDivisionError" in ended.stderr) is ("1 / 0" in ending)


IN_NATIVE_CODE = """
import ctypes, os, signal, threading
from edgefleet_contract.core.command_line import end_with

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell runs the tests in its background

def main():
    print("begins")
    mutex = ctypes.create_string_buffer(64)
    lock = ctypes.CDLL(None).pthread_mutex_lock
    lock(mutex)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    lock(mutex)  # never returns, and no signal ends it

end_with(main)
"""


def test_ctrl_c_while_the_main_thread_is_in_native_code(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(IN_NATIVE_CODE)
    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (EXIT_INTERRUPTED, "begins\n", "")


def test_ctrl_c_while_the_modules_of_a_command_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "interrupted_command.py").write_text("raise KeyboardInterrupt")
    monkeypatch.syspath_prepend(str(tmp_path))
    table = {"one": Command("interrupted_command", "A command")}
    assert run_program(CommandParser(prog="program"), table, ["one"]) == EXIT_INTERRUPTED


def test_an_output_that_is_closed(tmp_path: Path) -> None:
    assert run(tmp_path, "sys.stdout.close(); return 3", daemon=True).returncode == 3


@pytest.mark.parametrize("utf8", [False, True])
def test_a_name_that_the_locale_cannot_write_is_one_line(
    utf8: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path of the settings in a locale without UTF-8; the fault of a text in UTF-8 is one of the program."""

    def fail(_arguments: object) -> int:
        return len(("\ud800" if utf8 else "süd").encode("utf-8" if utf8 else "ascii"))

    module = types.ModuleType("failing")
    module.__dict__.update(add_arguments=lambda _parser: None, run=fail)
    monkeypatch.setitem(sys.modules, "failing", module)
    table = {"fail": Command("failing", "Fail")}
    if utf8:
        with pytest.raises(UnicodeEncodeError):
            run_program(CommandParser(prog="x"), table, ["fail"])
        return
    assert run_program(CommandParser(prog="x"), table, ["fail"]) == 2
    assert capsys.readouterr().err == "x: this locale has no way to write 'ü' (ascii); set LC_ALL=C.UTF-8\n"


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "warm"])
def test_a_number_is_finite(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a finite number"):
        finite(text)
    assert finite("-1e3") == -1000.0


def test_no_option_takes_numbers_that_are_not_finite() -> None:
    """`float` as the type of an option takes `nan` and `inf`."""
    root = Path(__file__).parents[3]
    folders = ("agent/edgefleet_agent", "fleet_server/edgefleet_server", "client/edgefleet_client", "contract/edgefleet_contract")
    found = [path for folder in folders for path in (root / folder).rglob("*.py") if "type=float" in path.read_text()]
    assert found == []
