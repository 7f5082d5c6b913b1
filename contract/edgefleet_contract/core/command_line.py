"""Command lines of both programs: a table of commands, of which only the chosen one is imported, and help texts of one form."""

from __future__ import annotations

import argparse
import atexit
import importlib
import io
import math
import platform
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from edgefleet_contract.core.disk_fault import disk_fault
from edgefleet_contract.core.distributions import version_of
from edgefleet_contract.core.errors import EdgefleetError, InputError, StoreError
from edgefleet_contract.core.program_end import EXIT_INTERRUPTED, InterruptWatch, drop_output, end_now, run_to_closed_pipe
from edgefleet_contract.core.questions import STDIN, read_secret

COMPLETION = "completion"
"""The command that needs the arguments of all others."""


_SQLITE_DISK = {
    "database or disk is full": "no space left; free some space",
    "attempt to write a readonly database": "it is read-only; remount the disk, or choose another folder",
    "disk I/O error": "the disk fails; check it",
    "unable to open database file": "its file cannot be opened; check the disk and the owner of the folder",
}
"""What SQLite says about the disk, and the text for users."""


class Command(NamedTuple):
    """A command of a program. module: has `add_arguments(parser)` and `run(arguments) -> exit code`. example: arguments of a call
    that is shown in the help. listed: whether the program's help names it."""

    module: str
    summary: str
    example: str = ""
    listed: bool = True


class CommandParser(argparse.ArgumentParser):
    """Parser of a command; those of its sub-commands are of the same class."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "add_help": False})
        self.add_argument("-h", "--help", action="help", help="Show this help message and exit")

    def add_version(self, distribution: str) -> None:
        """Add the option `--version`, which prints the version of an installed distribution and of Python."""
        self.add_argument("--version", action=_Version, nargs=0, const=distribution, help="Show the version and exit")


class _Version(argparse.Action):
    """Prints the version of the distribution `const`, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"{parser.prog} {version_of(str(self.const)) or '0+source'} (Python {platform.python_version()})")
        parser.exit()


def run_program(parser: CommandParser, table: Mapping[str, Command], argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (default: the process's arguments) names, and return its exit code. An EdgefleetError gives one
    line on stderr and its exit code, as does a disk that is full or read-only; a reader of stdout that goes away ends the command
    without output, and so does Ctrl-C."""
    given = list(sys.argv[1:] if argv is None else argv)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files may be in another encoding than the terminal
    try:
        return run_to_closed_pipe(lambda: _run(parser, table, given))
    except KeyboardInterrupt:  # also while modules are imported
        return EXIT_INTERRUPTED
    except OSError as error:
        text = disk_fault(error)
        if not text:
            raise
        print(f"{parser.prog}: {text}", file=sys.stderr)
        drop_output()  # what is still buffered would be written, in vain, at the end of the process
        return StoreError.exit_code


def end_with(main: Callable[[], int]) -> NoReturn:
    """Run a program and end the process with the exit code that `main` returns.

    A daemon thread may be in native code that nothing can interrupt: a decoder that waits for a camera, a runtime that computes.
    While the interpreter is taken down such a thread crashes the process. With one alive, the process therefore ends without
    that, after the last exit handler. In native code of the main thread, Ctrl-C ends it too."""
    codes = [1]  # of a fault of ours
    atexit.register(_end_beside_threads, codes)  # the handler that is registered first is called last
    try:
        InterruptWatch.start()
        codes[0] = main()
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            codes[0] = ending.code or 0
        raise
    sys.exit(codes[0])


def _end_beside_threads(codes: list[int]) -> None:
    harmless = (threading.main_thread(), InterruptWatch.thread)
    if any(thread.daemon for thread in threading.enumerate() if thread not in harmless):
        end_now(codes[0])


def add_command(commands: Any, name: str, summary: str, example: str = "", *, listed: bool = True) -> argparse.ArgumentParser:
    """Add a sub-command. Its summary is in the list of its parent, if `listed`, and in its own help, which ends with the
    example."""
    # A command added without `help` is not listed; argparse.SUPPRESS would be printed verbatim.
    shown = {"help": summary} if listed else {}
    parser: argparse.ArgumentParser = commands.add_parser(
        name, description=summary, epilog=f"Example: {example}" if example else None, **shown
    )
    return parser


def add_secret_option(
    parser: argparse._ActionsContainer,
    name: str,
    text: str,
    *,
    metavar: str,
    repeatable: bool = False,
    required: bool = False,
    default: Any = None,
) -> None:
    """Add an option with a secret, `name`, and its form `name-file`, of which one may be given; both set the same attribute of
    the arguments. All users of a machine see the arguments of its programs; the file, and `-` for the first line of stdin, they
    do not. text: what the help says."""
    forms: Any = parser if repeatable else parser.add_mutually_exclusive_group(required=required)
    action = "append" if repeatable else "store"
    named = forms.add_argument(
        name, action=action, type=_Given(name), metavar=metavar, default=default, help=f"{text}; - = stdin (see {name}-file)"
    )
    forms.add_argument(
        f"{name}-file",
        action=action,
        dest=named.dest,
        default=argparse.SUPPRESS,
        type=_InFile(f"{name}-file"),
        metavar="FILE",
        help=f"File with the value of {name}; - = stdin",
    )


def finite(text: str) -> float:
    """Parse a finite number; an argument type."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return value


def fraction(text: str) -> float:
    """Parse a number from 0 to 1; an argument type."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


_UNITS_S = {"s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_DURATION = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})([smhd]?)")


def seconds(low: float, high: float) -> Callable[[str], float]:
    """The argument type of a duration from `low` to `high` seconds: a number of seconds, or `90s`, `10m`, `2h`, `1d`."""

    def parse(text: str) -> float:
        found = _DURATION.fullmatch(text)
        value = float(found[1]) * _UNITS_S[found[2] or "s"] if found else -1.0
        if found is None or not low <= value <= high:
            bounds = f"from {duration_text(low)} to {duration_text(high)}"
            raise argparse.ArgumentTypeError(f"{text!r} is not a duration {bounds}; use seconds, or 90s, 10m, 2h, 1d")
        return value

    return parse


def duration_text(value: float) -> str:
    """A duration as `seconds` reads it, in the largest unit that divides it."""
    unit = next((unit for unit in "dhm" if value and value % _UNITS_S[unit] == 0.0), "s")
    return f"{value / _UNITS_S[unit]:.15g}{unit}"


def _run(parser: CommandParser, table: Mapping[str, Command], argv: list[str]) -> int:
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in table.items():
        example = f"{parser.prog} {name} {command.example}" if command.example else ""
        child = add_command(commands, name, command.summary, example, listed=command.listed)
        if argv and (argv[0] == name or (argv[0] == COMPLETION and command.listed)):
            importlib.import_module(command.module).add_arguments(child)
    parser.set_defaults(program=parser)
    try:
        arguments = parser.parse_args(argv)
        code: int = importlib.import_module(table[arguments.command].module).run(arguments)
    except EdgefleetError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return error.exit_code
    except UnicodeEncodeError as error:
        if error.encoding.lower().replace("-", "") == "utf8":
            raise
        text = f"this locale has no way to write {error.object[error.start : error.end]!r} ({error.encoding})"
        print(f"{parser.prog}: {text}; set LC_ALL=C.UTF-8", file=sys.stderr)
        return InputError.exit_code
    except _sqlite_error() as error:
        advice = _SQLITE_DISK.get(str(error).partition(":")[0])
        if advice is None:
            raise
        print(f"{parser.prog}: a database cannot be written: {advice}", file=sys.stderr)
        return StoreError.exit_code
    return code


def _sqlite_error() -> type[Exception] | tuple[()]:
    """The error of SQLite, if this command has imported it."""
    module = sys.modules.get("sqlite3")
    return () if module is None else module.OperationalError


class _Given:
    """The argument type of a value: itself, or `-` for the first line of stdin."""

    def __init__(self, option: str) -> None:
        self._option = option

    def __call__(self, text: str) -> str:
        return read_secret(f"{self._option}-file", text) if text == STDIN else text


class _InFile:
    """The argument type of a file with a value."""

    def __init__(self, option: str) -> None:
        self._option = option

    def __call__(self, text: str) -> str:
        return read_secret(self._option, text)
