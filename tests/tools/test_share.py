"""The share of tests that a commit runs: the same every time, another one for another commit, never more than its minutes."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.share import choose, read

ROOT = Path(__file__).resolve().parents[2]
NAMES = [f"tests/test_{number}.py::test_it[{cell}]" for number in range(20) for cell in "abcde"]
LONG = """
import pytest

@pytest.mark.long
@pytest.mark.parametrize("cell", range(30))
def test_cell(cell):
    pass

@pytest.mark.long(minutes=90)
def test_hours():
    pass

def test_quick():
    pass
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over LONG, with the options of this project."""
    (folder / "test_long.py").write_text(LONG, encoding="utf-8")
    (folder / "conftest.py").write_text("from tests.conftest import *\nfrom tests import conftest\n" + HOOKS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:randomly"]
    command += ["-p", "no:cacheprovider", "-m", "long", "-rs", str(folder / "test_long.py"), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)


HOOKS = """
pytest_addoption = conftest.pytest_addoption
pytest_configure = conftest.pytest_configure
pytest_collection_modifyitems = conftest.pytest_collection_modifyitems
pytest_runtest_setup = conftest.pytest_runtest_setup
pytest_terminal_summary = conftest.pytest_terminal_summary
"""


def test_a_commit_chooses_the_same_and_another_one_others() -> None:
    assert choose(NAMES, "4f2a91c", 10) == choose(NAMES, "4f2a91c", 10)
    assert choose(NAMES, "4f2a91c", 10) != choose(NAMES, "4f2a91d", 10)


def test_every_test_has_its_turn() -> None:
    """Over 200 commits each is chosen about 20 times; cells of one test are chosen singly."""
    times = Counter(name for commit in range(200) for name in choose(NAMES, str(commit), 10))
    assert set(times) == set(NAMES)
    assert max(times.values()) < 45
    assert 8 < sum(times.values()) / 200 < 12


def test_something_is_always_chosen() -> None:
    assert all(len(choose(NAMES[:2], str(commit), 10)) >= 1 for commit in range(50))
    assert choose([], "4f2a91c", 10) == set()


def test_the_options(tmp_path: Path) -> None:
    done = run(tmp_path, "--share", "4f2a91c/4", "--share-minutes", "10", "--collect-only", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "of 31 tests chosen, 0 of them not started" in done.stdout
    names = {line for line in done.stdout.splitlines() if "::" in line}
    assert names == {f"test_long.py::{name}" for name in expected("4f2a91c", 4)}


def expected(text: str, parts: int) -> set[str]:
    names = [*(f"test_cell[{cell}]" for cell in range(30)), "test_hours"]
    return {name.partition("::")[2] for name in choose([f"test_long.py::{name}" for name in names], text, parts)}


def test_what_does_not_fit_is_not_started(tmp_path: Path) -> None:
    done = run(tmp_path, "--share", "all/1", "--share-minutes", "60")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "30 passed, 1 skipped, 1 deselected" in done.stdout
    assert "share all/1: 31 of 31 tests chosen, 1 of them not started" in done.stdout
    assert "not started: it takes up to 90 minutes, the share 60" in done.stdout


@pytest.mark.parametrize("named", ["4f2a91c", "/10", "4f2a91c/0", "4f2a91c/ten"])
def test_what_is_no_share_is_refused(named: str) -> None:
    with pytest.raises(pytest.UsageError, match=f"^--share {named}: must be TEXT/N with a number N above 0, such as 4f2a91c/10$"):
        read(named, 15.0)


def test_files_that_start_processes_and_others_alternate() -> None:
    """In proportion, whatever the order of names; a file stays together."""
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", "--collect-only", "-q"]
    waiting = ["tests/system/test_demo.py", "tests/system/test_bundle.py"]
    others = ["tests/test_advices.py", "tests/test_drawings.py", "tests/tools/test_share.py", "tests/tools/test_reference.py"]
    done = subprocess.run([*command, *waiting, *others], cwd=ROOT, capture_output=True, text=True, timeout=240)
    files = [line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line]
    order = list(dict.fromkeys(files))
    assert len([file for file, before in zip(files[1:], files, strict=False) if file != before]) == len(order) - 1
    assert [file for file in order if file in waiting] == waiting
    assert [file for file in order if file in others] == others
    assert [file in waiting for file in order] == [False, True, False, True, False, False]
