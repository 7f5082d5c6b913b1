"""`edgefleet-agent check`: faults are reported before a device gets them, each with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main

EXAMPLES = Path(__file__).resolve().parents[3] / "docs/examples"


def test_every_example_can_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES)]) == 0
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == len(list(EXAMPLES.glob("*.toml")))
    assert output.err == ""


def test_each_fault_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (EXAMPLES / "cascade.toml").read_text()
    (tmp_path / "good.toml").write_text(good)
    (tmp_path / "twin.toml").write_text(good)
    (tmp_path / "typo.toml").write_text(good.replace("margin = 0.1", "margine = 0.1"))
    (tmp_path / "text.toml").write_bytes(b"\xff\xfe")
    assert main(["check", str(tmp_path), "--json"]) == 2
    rows = {Path(row["file"]).name: row for row in json.loads(capsys.readouterr().out)}
    line = next(number for number, text in enumerate(good.splitlines(), 1) if text.startswith("margin"))
    assert rows["good.toml"]["ok"] is True
    assert f"typo.toml:{line}: stage 'what': unknown option 'margine'; known are every_s" in rows["typo.toml"]["error"]
    assert "duplicate pipeline name 'cascade'" in rows["twin.toml"]["error"]
    assert "not UTF-8" in rows["text.toml"]["error"]
    assert main(["check", str(tmp_path / "good.toml"), str(tmp_path / "nowhere.toml")]) == 2
    output = capsys.readouterr()
    assert output.out.endswith("cascade, 3 stages, 1 rules: valid\n")
    assert output.err.startswith("edgefleet-agent: ")
    assert len(output.err.splitlines()) == 1


def test_what_can_never_work_and_what_is_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (EXAMPLES / "motion-crossing.toml").read_text()
    (tmp_path / "equal.toml").write_text(good.replace('forward = "down"', 'forward = "up"').replace('name = "', 'name = "e', 1))
    (tmp_path / "long.toml").write_text(f'name = "{"a" * 65}"\n[source]\nkind = "rtsp"\nuri = "rtsp://h/x"\n')
    (tmp_path / "kind.toml").write_text('name = "k"\n[source]\nkind = "rstp"\nuri = "rtsp://h/x"\n')
    assert main(["check", str(tmp_path), "--json"]) == 2
    errors = {Path(row["file"]).name: row["error"] for row in json.loads(capsys.readouterr().out)}
    assert "both directions are called 'up'" in errors["equal.toml"]
    assert "name: must have at most 64 characters, has 65" in errors["long.toml"]
    assert (
        "unknown source 'rstp'; known are camera, file, images, mjpeg, rtsp, synthetic, can, csv, iio, mqtt, serial, events"
        in (errors["kind.toml"])
    )
