"""The documents against the tree: relative links, their anchors, and paths of files exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TRACKED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
FOLDERS = "agent|benchmarks|contract|deploy|docs|firmware_models|fleet_server|tests|tools"
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
