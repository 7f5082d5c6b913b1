"""Objects get their end: of a worker that was killed from the next one, and of a time without the broker when it is back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.local_api.home_automation import open_objects
from edgefleet_agent.local_api.home_automation.open_objects import OPEN_MAX, OpenObjects


def message(kind: str, name: str, at: float = 5.0, **state: Any) -> dict[str, Any]:
    after = {"id": name, "frame_time": at, "end_time": at if kind == "end" else None, "current_zones": ["door"], **state}
    return {"type": kind, "before": after, "after": after}


def ends(objects: OpenObjects) -> dict[str, float]:
    return {due["after"]["id"]: due["after"]["end_time"] for due in objects.take_due()}


def test_an_end_that_the_broker_did_not_get_is_due_until_it_is_sent() -> None:
    objects = OpenObjects()
    objects.note(message("new", "a"), published=True)
    objects.note(message("new", "unheard"), published=False)
    assert objects.take_due() == []
    objects.note(message("end", "a", 9.0), published=False)
    objects.note(message("end", "unheard", 9.0), published=False)
    (due,) = objects.take_due()
    assert (due["type"], due["after"]["end_time"]) == ("end", 9.0)
    objects.note_sent(due)
    assert objects.take_due() == []


def test_the_next_worker_ends_what_is_open_as_it_was_last_seen(tmp_path: Path) -> None:
    killed = OpenObjects(tmp_path / "o")
    for name in ("a", "b", "c"):
        killed.note(message("new", name), published=True)
    killed.note(message("update", "a", 7.0), published=True)
    killed.note(message("end", "b"), published=True)
    killed.note(message("end", "c", 8.0), published=False)
    with (tmp_path / "o").open("ab") as file:
        file.write(b'{"id": "half')
    following = OpenObjects(tmp_path / "o")
    assert ends(following) == {"a": 7.0, "c": 8.0}
    assert next(iter(following.take_due()))["after"]["current_zones"] == []
    following.note_sent(message("end", "a"))
    assert ends(OpenObjects(tmp_path / "o")) == {"c": 8.0}, "killed in between"


def test_nothing_is_read_while_the_worker_before_may_still_end_it(tmp_path: Path) -> None:
    before, over = OpenObjects(tmp_path / "o"), False
    before.note(message("new", "a"), published=True)
    before.note(message("new", "b"), published=True)
    following = OpenObjects(tmp_path / "o", lambda: over)
    following.note(message("new", "own"), published=True)
    assert ends(following) == {}
    before.note(message("end", "a"), published=True)
    over = True
    assert ends(following) == {"b": 5.0}
    assert ends(OpenObjects(tmp_path / "o")) == {"own": 5.0, "b": 5.0}


def test_the_file_and_the_memory_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_objects, "FILE_BYTES_MAX", 2000)
    objects = OpenObjects(tmp_path / "o")
    objects.take_due()
    for number in range(100):
        objects.note(message("new", f"n-{number}"), published=True)
        objects.note(message("end", f"n-{number}"), published=True)
    assert (tmp_path / "o").stat().st_size < 2500
    many = OpenObjects()
    for number in range(OPEN_MAX + 5):
        many.note(message("new", f"n-{number}"), published=True)
        many.note(message("end", f"n-{number}"), published=False) if number > OPEN_MAX else None
    assert many.take_due() == []


def test_a_disk_that_refuses_the_file_stops_nothing(tmp_path: Path) -> None:
    objects = OpenObjects(tmp_path / "missing" / "o")
    objects.note(message("new", "a"), published=True)
    objects.note(message("end", "a"), published=False)
    assert ends(objects) == {"a": 5.0}
