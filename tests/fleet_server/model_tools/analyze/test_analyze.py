"""The best settings of a package: what is swept, what wins, where it is written, and that the agent takes it."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.package.manifest import Manifest, Tuning, read_manifest
from edgefleet_contract.package.profile import Accelerator, Profile, variant_choices
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.analyze.plot import svg_plot, text_plot
from edgefleet_server.model_tools.analyze.sweep import (
    Grid,
    SweepLimits,
    SweepMeasurement,
    SweepSetting,
    best,
    front,
    load_warnings,
    settings,
)
from edgefleet_server.model_tools.analyze.winner import with_tuning
from tests.conftest import ROOT

INSPECTOR = ROOT / "firmware_models/conveyor_inspector/1.1.0"
CPU = [
    {"runtime": "lite_rt", "device": "cpu"},
    {"runtime": "onnx_runtime", "device": "cpu"},
    {"runtime": "open_vino", "device": "cpu"},
]


@pytest.fixture
def inspector(tmp_path: Path) -> Path:
    return Path(shutil.copytree(INSPECTOR, tmp_path / "conveyor_inspector/1.1.0"))


def manifest_in(folder: Path) -> Manifest:
    return read_manifest((folder / "model.toml").read_text(encoding="utf-8"), str(folder))


def analyzed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    code = main(["model", "analyze", *arguments, "--json"])
    output = capsys.readouterr()
    return code, json.loads(output.out) if output.out else {}, output.err


def test_a_sweep_on_this_machine(inspector: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "plot.svg"
    arguments = [str(inspector), "--profile", "cpu-x86", "--runtime", "onnx_runtime", "--runtime", "lite_rt", "--threads", "1"]
    arguments += ["--instances", "1,2", "--seconds", "0.05", "--rounds", "1", "--plot", str(picture), "--write"]
    code, output, _ = analyzed(capsys, *arguments)
    assert code == 0
    assert [(row["variant"], row["runtime"], row["instances"], row["fault"]) for row in output["rows"]] == [
        ("int8-onnx", "onnx_runtime", 1, ""),
        ("int8-onnx", "onnx_runtime", 2, ""),
        ("int8-tflite", "lite_rt", 1, ""),
        ("int8-tflite", "lite_rt", 2, ""),
    ]
    assert all(0 < row["p50_ms"] <= row["p95_ms"] and row["per_s"] > 0 for row in output["rows"])
    assert output["objective"] == "throughput"  # the package has a budget for its latency
    (tuned,) = manifest_in(inspector).tuned
    winner = output["winner"]
    assert (tuned.profile, tuned.variant, tuned.runtime, tuned.threads) == ("cpu-x86", winner["variant"], winner["runtime"], 1)
    points = ET.parse(picture).getroot().findall(".//{http://www.w3.org/2000/svg}title")
    assert len(points) == 4


def test_limits_that_nothing_keeps_to(inspector: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (inspector / "model.toml").read_bytes()
    arguments = [
        str(inspector),
        "--runtime",
        "lite_rt",
        "--threads",
        "1",
        "--instances",
        "1",
        "--seconds",
        "0.05",
        "--rounds",
        "1",
    ]
    code, _, reason = analyzed(capsys, *arguments, "--latency-max", "0.000001", "--write")
    assert (code, reason.count("\n")) == (2, 1)
    assert "no setting meets the limits of 1e-06 ms" in reason
    assert (inspector / "model.toml").read_bytes() == before


def test_what_cannot_run_is_a_row_and_not_the_end(inspector: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inspector / "model.int8.tflite").write_bytes(b"\0" * 64)
    arguments = ["--threads", "1", "--instances", "1", "--seconds", "0.05", "--rounds", "1", "--variant", "int8-tflite"]
    code, _, reason = analyzed(capsys, str(inspector), *arguments)
    assert (code, reason.count("\n")) == (2, 1)
    assert "not a whole TFLite file" in reason


def row(p95_ms: float, per_s: float, memory_bytes: int = 0, **more: Any) -> SweepMeasurement:
    return SweepMeasurement(SweepSetting("v", "onnx_runtime", "cpu", 1, **more), p95_ms, p95_ms, per_s, memory_bytes)


def test_the_winner_keeps_to_the_limits() -> None:
    fast, broad, wide = row(2, 100, 10), row(5, 180, 20), row(20, 300, 90)
    rows = [wide, broad, fast]
    assert best(rows, "latency", SweepLimits()) is fast
    assert best(rows, "throughput", SweepLimits()) is wide
    assert best(rows, "throughput", SweepLimits(latency_ms=10)) is broad
    assert best(rows, "throughput", SweepLimits(memory_bytes=50)) is broad
    assert best(rows, "latency", SweepLimits(latency_ms=1)) is None
    # What is as good within the noise is decided by what it costs.
    thrifty = row(5.1, 176, 12, instances=2)
    assert best([*rows, thrifty], "throughput", SweepLimits(latency_ms=10)) is thrifty
    assert best([replace(fast, fault="broken")], "latency", SweepLimits()) is None


@given(st.lists(st.tuples(st.floats(0.1, 100), st.floats(1, 1000)), min_size=1, max_size=12))
def test_nothing_beats_the_front(points: list[tuple[float, float]]) -> None:
    rows = [row(*point) for point in points]
    edge = front(rows)
    for point in rows:
        assert any(each.p95_ms <= point.p95_ms and each.per_s >= point.per_s for each in edge)
    assert svg_plot("a < b", rows, edge[0]).count("<circle") == len(rows) + 1
    assert "#" in text_plot(rows, edge[0])


def test_only_what_makes_sense_is_swept() -> None:
    manifest = manifest_in(INSPECTOR)
    rows = settings(INSPECTOR, manifest, "cpu-x86", CPU, Grid(threads=(1,), streams=(1, 2), instances=(1,)))
    assert {(each.runtime, each.streams) for each in rows} == {
        *(("lite_rt", 1), ("onnx_runtime", 1), ("open_vino", 1), ("open_vino", 2)),
    }
    with pytest.raises(InputError, match="no variant fits cpu-x86"):
        settings(INSPECTOR, manifest, "cpu-x86", CPU, Grid(runtimes=("lite_rt",), variants=("int8-onnx",)))
    with pytest.raises(InputError, match="over the limit"):
        settings(INSPECTOR, manifest, "cpu-x86", CPU, Grid(threads=tuple(range(1, 65)), instances=(1, 2, 3)))


def test_the_text_of_the_manifest_stays_as_it_was() -> None:
    text = (INSPECTOR / "model.toml").read_text(encoding="utf-8")
    first = with_tuning(text, Tuning(profile="cpu-x86", variant="int8-onnx", runtime="onnx_runtime", threads=2, per_s=10.0))
    both = with_tuning(first, Tuning(profile="cpu-arm64", variant="int8-tflite", runtime="lite_rt"))
    assert both.startswith(text.rstrip("\n"))
    again = with_tuning(both, Tuning(profile="cpu-x86", variant="int8-tflite", runtime="lite_rt", threads=1))
    assert {(each.profile, each.variant) for each in read_manifest(again, "x").tuned} == {
        ("cpu-arm64", "int8-tflite"),
        ("cpu-x86", "int8-tflite"),
    }
    remark = first + "\n# how it was trained\n[extra]\nnote = 1\n"
    assert "# how it was trained" in with_tuning(remark, Tuning(profile="cpu-x86", variant="int8-onnx", runtime="onnx_runtime"))


def test_a_device_takes_what_was_measured_for_its_profile() -> None:
    text = with_tuning(
        (INSPECTOR / "model.toml").read_text(encoding="utf-8"),
        Tuning(profile="box", variant="int8-onnx", runtime="open_vino", threads=3, streams=2),
    )
    manifest = read_manifest(text, "model.toml")
    accelerators = [Accelerator(runtime=each["runtime"]) for each in CPU]
    runtimes = ["lite_rt", "onnx_runtime", "open_vino"]
    chosen = variant_choices(manifest, Profile(name="box", title="Box", accelerators=accelerators), runtimes)[0]
    assert (chosen.variant.name, chosen.runtime, chosen.threads, chosen.options) == ("int8-onnx", "open_vino", 3, {"streams": 2})
    other = variant_choices(manifest, Profile(name="shelf", title="Shelf", accelerators=accelerators), runtimes)[0]
    assert (other.runtime, other.threads) != ("open_vino", 3)
    # Without that runtime the device does as if nothing had been measured.
    assert (
        variant_choices(manifest, Profile(name="box", title="Box", accelerators=accelerators), ["lite_rt"])[0].runtime
        == "lite_rt"
    )


def test_a_tuning_for_a_variant_that_is_not_there() -> None:
    text = (INSPECTOR / "model.toml").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="names variant 'int4'"):
        read_manifest(with_tuning(text, Tuning(profile="box", variant="int4", runtime="lite_rt")), "model.toml")


def test_other_work_on_the_machine_is_a_warning() -> None:
    steady = replace(row(2.0, 100), p95_rounds_ms=(2.0, 2.1, 2.2))
    wide = replace(row(2.0, 100), p95_rounds_ms=(2.0, 3.0, 2.0))
    assert (round(steady.spread_percent, 1), wide.spread_percent, row(2.0, 100).spread_percent) == (10.0, 50.0, 0.0)
    assert load_warnings([steady], 0.5, 2) == []
    assert load_warnings([steady], 1.5, 2) == [
        "this machine was busy: a load of 1.5 on 2 cores; stop other work and measure again"
    ]
    (text,) = load_warnings([steady, wide], 0.5, 2)
    assert text.startswith("the rounds of 1 of 2 settings differ by more than 15 %, by up to 50 %: other work")
    assert wide.plain()["spread_percent"] == 50.0
    assert not {"spread_percent", "p95_rounds_ms"} & wide.uploaded().keys()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--seconds", "0"], "argument --seconds: '0' is not a duration from 0.001s to 10m"),
        (["--latency-max", "nan"], "argument --latency-max: 'nan': must be"),
        (["--profile", "nothing"], "--profile nothing: no such device profile; known are "),
        (["--batch", "8"], "has a fixed batch"),
    ],
)
def test_options_that_cannot_be_measured(
    options: list[str], text: str, inspector: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["model", "analyze", str(inspector), *options])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == 2
    assert text in capsys.readouterr().err.splitlines()[-1]
