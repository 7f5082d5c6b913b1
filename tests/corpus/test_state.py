"""A device that was updated by its distribution starts on the state folder that the recorded version left."""

from __future__ import annotations

import re
from pathlib import Path

from tests.corpus import samples, state, state_reading
from tests.corpus.folder import ROOT, newest, read_json
from tests.corpus.test_complete import require

_LITERAL = re.compile(r"\b(?:root|state|_?folder|_state|beside|new|environment|site|place)\)? / f?\"([a-z{][a-z_.{}]*)\"")
_NAMED = re.compile(r"^(?:[A-Z]+_)?(?:FILE|FOLDER) = \"([a-z.]+)\"$", re.MULTILINE)
NOT_RECORDED = {
    "agent.lock": "held while the agent runs",
    "agent.sock": "open while the agent runs",
    "engines": "compiled by runtimes, which read only their own",
    "next.key": "there while a certificate is being renewed, at most minutes",
    "trial.pem": "there within one call",
    "patched": "removed at every start",
    "delta": "in `patched`",
    "bin": "of an environment; a link to the interpreter",
    "labels.txt": "of a model, as people write it",
    "initial_state": "of a model, as people write it",
    "serving.toml": "of a model, as people write it",
    "config.pbtxt": "of a model, as people write it",
    "bundle.json": "recorded with the packages",
    "sys": "of the machine",
}
"""Names in folders of the agent that are no state, and why."""
PACKAGES = ("model_store", "link", "recording", "updates", "supervisor", "service", "machine", "pipeline", "serving", "cli")


def test_a_state_folder_means_what_it_meant(recorded: Path, tmp_path: Path) -> None:
    today = state_reading.meaning(recorded / state.FOLDER, tmp_path / "state")
    for part, meant in read_json(recorded / state.MEANING).items():
        assert samples.contains(json_of(today[part]), meant), part


def test_every_phase_of_a_slot_is_in_the_state_folder(recorded: Path) -> None:
    reports = read_json(recorded / state.MEANING)["device"]["slots"]
    phases = {slot: report["phase"] for slot, report in reports.items()}
    assert {"fetching", "trial", "committed", "rolled_back", "refused", "fetched"} <= set(phases.values()), phases


def test_every_kind_of_state_file_is_recorded() -> None:
    found: set[str] = set()
    for package in PACKAGES:
        for path in (ROOT / "agent" / "edgefleet_agent" / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            found |= {*_LITERAL.findall(text), *_NAMED.findall(text)}
    parts = {part for path in (newest() / state.FOLDER).rglob("*") for part in path.relative_to(newest()).parts}
    names = {re.sub(r"\.(sql|sparse|link)$", "", part) for part in parts}
    patterns = {
        name: re.compile(re.sub(r"\\{.*?\\}", ".+", re.escape(name))) for name in found if not name.startswith("{digest}.old")
    }
    recorded = {name for name, pattern in patterns.items() if any(pattern.fullmatch(part) for part in names)}
    assert len(recorded) > 20
    require("kind of state file", found, {*recorded, *NOT_RECORDED})


def json_of(value: object) -> object:
    """The value as it is after a round trip through JSON."""
    if isinstance(value, dict):
        return {key: json_of(item) for key, item in value.items()}
    return [json_of(item) for item in value] if isinstance(value, (list, tuple)) else value
