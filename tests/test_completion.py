"""`completion` and `--version` of both programs; the scripts in the shells themselves: what the key Tab makes of a line."""

from __future__ import annotations

import contextlib
import io
import os
import platform
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from deploy.build_deb import own_version
from edgefleet_agent.__main__ import main as agent
from edgefleet_contract.core.completion import SHELLS
from edgefleet_server.__main__ import main as server
from tests.test_guides import Reader

pytestmark = pytest.mark.system

PROGRAMS: dict[str, Callable[[list[str]], int]] = {"edgefleet-agent": agent, "edgefleet": server}
LINES = {
    "edgefleet-agent doct": "edgefleet-agent doctor ",
    "edgefleet-agent bundle im": "edgefleet-agent bundle import ",
    "edgefleet-agent analyze --pipel": "edgefleet-agent analyze --pipeline ",
    "edgefleet-agent serve --model-control-mode expl": "edgefleet-agent serve --model-control-mode explicit ",
    "edgefleet-agent completion fi": "edgefleet-agent completion fish ",
    "edgefleet-agent analyze only-vi": "edgefleet-agent analyze only-video.mp4 ",
    "edgefleet-agent work": "edgefleet-agent work",  # commands of the service itself are not offered
    "edgefleet rollo": "edgefleet rollout ",
    "edgefleet rollout cre": "edgefleet rollout create ",
    "edgefleet rollout create --timez": "edgefleet rollout create --timezone ",
    "edgefleet rollout create detector@1.1.0 --timez": "edgefleet rollout create detector@1.1.0 --timezone ",
    "edgefleet rollout create --window 2": "edgefleet rollout create --window 2",
    "edgefleet user add --role view": "edgefleet user add --role viewer ",
    "edgefleet completion ba": "edgefleet completion bash ",
    "edgefleet serve --data only-fol": "edgefleet serve --data only-folder/",
}
"""Line before the key -> line after it."""
WAIT_S = 60.0


@cache
def script(program: str, shell: str) -> str:
    """Output of `PROGRAM completion SHELL`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert PROGRAMS[program](["completion", shell]) == 0
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one video, one folder, and the programs by name: a shell completes arguments of programs that exist."""
    (tmp_path / "only-video.mp4").touch()
    (tmp_path / "only-folder").mkdir()
    (tmp_path / "bin").mkdir()
    for program in PROGRAMS:
        (tmp_path / "bin" / program).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / program).chmod(0o755)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    """No settings of this machine's user."""
    return {"HOME": str(folder), "PATH": f"{folder / 'bin'}:/usr/bin:/bin", "TERM": "dumb", "INPUTRC": "/dev/null"}


class Terminal:
    """An interactive shell in `folder`, in which keys are pressed. Ctrl-G writes the line that is being edited to `line`."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.line = folder / "line"
        self.output = b""
        self._main, other = pty.openpty()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdin=other, stdout=other, stderr=other, start_new_session=True
        )
        os.close(other)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._main, keys.encode())

    def completed(self, line: str) -> str:
        """The line after the key Tab was pressed at its end."""
        self.line.unlink(missing_ok=True)
        self.press(f"\x15{line}\t\x07")  # Ctrl-U: an empty line first
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            self._read()
            if self.line.is_file() and self.line.read_text().endswith("\n"):
                return self.line.read_text().removesuffix("\n")
        raise AssertionError(self.output.decode(errors="replace")[-2000:])

    def _read(self) -> None:
        if select.select([self._main], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # the shell has ended
                self.output += os.read(self._main, 65536)

    def close(self) -> None:
        """End the shell."""
        self.process.kill()
        self.process.wait(30)
        os.close(self._main)


def lines_of(shell: str) -> dict[str, str]:
    """The lines and what becomes of them; a shell that is not installed skips the test."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}: apt-get install {shell}")
    return LINES


def pressed_tab(terminal: Terminal, lines: dict[str, str]) -> dict[str, str]:
    """Each line after the key."""
    try:
        return {line: terminal.completed(line) for line in lines}
    finally:
        terminal.close()
        assert b"not found" not in terminal.output, terminal.output.decode(errors="replace")


def test_bash(folder: Path) -> None:
    lines = lines_of("bash")
    for program in PROGRAMS:
        (folder / f"{program}.bash").write_text(script(program, "bash"))
    start = "".join(f"source ./{program}.bash\n" for program in PROGRAMS)
    (folder / "rc").write_text(f'{start}bind -x \'"\\C-g": printf "%s\\n" "$READLINE_LINE" > line\'\n')
    assert pressed_tab(Terminal(["bash", "--rcfile", "rc", "-i"], folder), lines) == lines


def test_zsh(folder: Path) -> None:
    lines = lines_of("zsh")
    (folder / "functions").mkdir()
    for program in PROGRAMS:
        (folder / "functions" / f"_{program}").write_text(script(program, "zsh"))
    shown = 'show() { print -r -- "$BUFFER" > line }\nzle -N show\nbindkey "^G" show\nbindkey "^U" kill-whole-line\n'
    start = "fpath=($PWD/functions $fpath)\nautoload -Uz compinit && compinit -u -d dump\nunsetopt beep prompt_sp\n"
    (folder / ".zshrc").write_text(start + shown)
    assert pressed_tab(Terminal(["zsh", "-i"], folder), lines) == lines


def test_fish(folder: Path) -> None:
    """Fish has a command that prints what the key offers for a line."""
    lines = lines_of("fish")
    (folder / ".config/fish/completions").mkdir(parents=True)
    for program in PROGRAMS:
        (folder / f".config/fish/completions/{program}.fish").write_text(script(program, "fish"))
    found = {}
    for line in lines:
        command = ["fish", "-c", 'complete -C "$argv[1]"', line]
        done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=WAIT_S)
        assert done.stderr == ""
        offered = [each.split("\t")[0] for each in done.stdout.splitlines()]
        start, _, word = line.rpartition(" ")
        same = [each for each in offered if each.startswith(word)]
        end = "" if same and same[0].endswith("/") else " "
        found[line] = f"{start} {same[0]}{end}" if len(same) == 1 else line
    assert found == lines


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shell", SHELLS)
def test_no_listed_command_is_missing(program: str, shell: str) -> None:
    """The help of the program and the script name the same commands."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
        PROGRAMS[program](["-h"])
    rows = [line.split() for line in out.getvalue().splitlines() if line.startswith("    ") and line[4:5].isalpha()]
    listed = {row[0] for row in rows}
    assert "completion" in listed
    assert [name for name in sorted(listed) if name not in script(program, shell)] == []


@pytest.mark.parametrize(("program", "module"), [("edgefleet", "edgefleet_server"), ("edgefleet-agent", "edgefleet_agent")])
def test_version(program: str, module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout == f"{program} {own_version()} (Python {platform.python_version()})\n"


def test_the_commands_of_the_guide(tmp_path: Path) -> None:
    """`docs/start.md` writes the scripts of both programs for the three shells."""
    text = (Path(__file__).parents[1] / "docs/start.md").read_text(encoding="utf-8").partition("## Completion in the shell")[2]
    reader = Reader(tmp_path)
    reader.types(text.partition("```sh\n")[2].partition("```")[0])
    places = (".local/share/bash-completion/completions/{}", ".zfunc/_{}", ".config/fish/completions/{}.fish")
    for shell, place in zip(SHELLS, places, strict=True):
        for program in PROGRAMS:
            written = (tmp_path / place.format(program)).read_text()
            assert without_home(written) == without_home(script(program, shell))


def without_home(text: str) -> list[str]:
    """The lines that name no folder of the user, as texts with such defaults do."""
    return [line for line in text.splitlines() if ".local" not in line]


def test_an_unknown_shell_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        server(["completion", "tcsh"])
    assert ended.value.code == 2
    refusal = capsys.readouterr().err.splitlines()[-1]
    assert [shell for shell in SHELLS if shell not in refusal] == []
