"""Every recorded struct means today what it meant, and fields of later versions survive."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.encoding.codec import from_plain, to_plain
from tests.corpus import samples, structs


def test_recorded_structs_mean_what_they_meant(recorded: Path) -> None:
    wrong = []
    for name, case in structs.recorded(recorded).items():
        kind = structs.class_of(name)
        pairs = {"minimal": case["meaning"], "full": case["full"], "unknown": case["unknown"]}
        wrong += [f"{name}: {which}" for which, meant in pairs.items() if not samples.contains(_read(kind, case[which]), meant)]
    assert wrong == []


def test_unknown_fields_of_every_level_are_written_again(recorded: Path) -> None:
    wrong = []
    for name, case in structs.recorded(recorded).items():
        again = to_plain(from_plain(case["unknown"], structs.class_of(name)))
        if _unknown(again) != _unknown(case["unknown"]) or not _unknown(again):
            wrong.append(name)
    assert wrong == []


def test_every_recorded_value_is_still_one(recorded: Path) -> None:
    count = 0
    for name, case in structs.recorded(recorded).items():
        kind = structs.class_of(name)
        for field, values in case["values"].items():
            for value in values:
                assert _read(kind, {**case["full"], field: value})[field] == value, f"{name}.{field} = {value!r}"
                count += 1
    assert count > 90


def _read(kind: type, plain: object) -> dict[str, object]:
    return dict(samples.complete(from_plain(plain, kind)))


def _unknown(value: object) -> int:
    """Number of structs of plain data that have the unknown field, unchanged."""
    if isinstance(value, dict):
        own = int(value.get(samples.FUTURE) == samples.FUTURE_VALUE)
        return own + sum(_unknown(item) for item in value.values())
    return sum(_unknown(item) for item in value) if isinstance(value, list) else 0
