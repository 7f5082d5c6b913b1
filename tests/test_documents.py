"""The documents against the tree: relative links, their anchors, and paths of files exist."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
TRACKED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
FOLDERS = "agent|benchmarks|client|contract|deploy|docs|firmware_models|fleet_server|tests|tools"
FILE = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./-]*\w\.(?:py|sh|toml|yaml|json|md)\b")
HISTORY = "CHANGELOG.md"  # names what was there at its time


def anchors(file: Path) -> set[str]:
    """Anchors of the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", file.read_text(encoding="utf-8")), re.MULTILINE)
    plain = [re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", lambda link: link[1] or "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def wrong_links(file: Path) -> list[str]:
    """Relative links of a document that lead nowhere."""
    wrong = []
    for target in LINK.findall(file.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        found = file.parent / path if path else file
        if "://" not in target and not target.startswith("mailto:"):
            right = found.exists() and (not anchor or found.suffix != ".md" or anchor in anchors(found))
            wrong += [] if right else [target]
    return wrong


@pytest.mark.skipif(not TRACKED, reason="not a git checkout")
@pytest.mark.parametrize("name", TRACKED)
def test_links_and_paths_exist(name: str) -> None:
    file = ROOT / name
    assert wrong_links(file) == []
    if name != HISTORY:
        assert [path for path in sorted(set(FILE.findall(file.read_text(encoding="utf-8")))) if not (ROOT / path).exists()] == []


TEXT = (".css", ".html", ".js", ".json", ".md", ".mjs", ".py", ".service", ".sh", ".toml", ".ts", ".tsx", ".yaml", ".yml")
RECORDED = ("tests/corpus/", "tests/golden/")


@pytest.mark.skipif(not TRACKED, reason="not a git checkout")
def test_files_follow_the_editors_rules() -> None:
    """`.editorconfig`: UTF-8, line ends of Unix, a line end at the end of a file, no spaces at the end of a line."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = []
    for name in listed:
        if name.endswith(TEXT) and not name.startswith(RECORDED) and not name.endswith("package-lock.json"):
            data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
            data.decode()
            if b"\r\n" in data or (data and not data.endswith(b"\n")) or re.search(rb"[ \t]\n", data):
                wrong.append(name)
    assert wrong == []


def test_the_hooks_before_a_commit_are_those_of_make_lint() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^lint: setup\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe is not None
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert [hook["entry"] for hook in hooks] == commands
    assert all(hook["language"] == "system" and hook["pass_filenames"] is False for hook in hooks)


def test_make_test_of_one_test_runs_no_linter() -> None:
    own = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}  # this test may run below make

    def planned(*words: str) -> str:
        command = ["make", "-n", "test", *words]
        return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=True).stdout

    one = planned("T=tests/test_documents.py::test_x", "ARGS=-x")
    assert one.rstrip().endswith('-m pytest -m "" tests/test_documents.py::test_x -x')
    assert "ruff" not in one
    assert "mypy" not in one
    assert "ruff" in planned()


def test_every_decision_is_in_the_index_in_its_order() -> None:
    folder = ROOT / "docs/decisions"
    rows = re.findall(r"^\| (\d+) \| \[(.+)\]\(([^)]+)\)", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [file for _, _, file in rows] == pages
    for number, (shown, title, file) in enumerate(rows, 1):
        text = (folder / file).read_text(encoding="utf-8")
        assert (int(shown), int(file[:2])) == (number, number)
        assert text.startswith(f"# {number}. {title}\n")
        assert "\n## Price\n\n" in text


@pytest.mark.parametrize("name", TRACKED)
def test_install_lines_name_every_own_distribution(name: str) -> None:
    """pip would look for the missing one in the package index, where it is not."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for line in re.findall(r"pip install .*\./.*", text):
        given = set(re.findall(r"\./(\w+)", line))
        assert "fleet_server" not in given or {"contract", "client"} <= given, line
        assert "agent" not in given or "contract" in given, line
    by_name = re.findall(r"pip install [^`\n]*['\" ]edgefleet-.*", text)
    assert not by_name, f"{by_name}: the distributions are not on the package index; who registers the name would be installed"
