"""The project's sensor model: the figures of its card, equal results of its formats, damage found by a sensor pipeline."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_contract.package.manifest import read_manifest
from firmware_models.bearing_anomaly.evaluate import MIN_SCORE, Runner, measure, onnx_runner, openvino_runner, tflite_runner
from firmware_models.bearing_anomaly.simulate import LABELS, RATE_HZ, Machine, machine, vibration
from firmware_models.bearing_anomaly.windows import HEIGHT, POINTS, TEST_SEED, WIDTH, Windows, render

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "firmware_models/bearing_anomaly/1.0.0"
FRESH_SEED = TEST_SEED + 77_000  # seen by no training, and not by evaluate.py either


@pytest.fixture(scope="module")
def fresh() -> Windows:
    return render(FRESH_SEED, 60, 1)


def runners() -> dict[str, Runner]:
    onnx, tflite = FOLDER / "model.int8.onnx", FOLDER / "model.int8.tflite"
    return {"onnx": onnx_runner(onnx.read_bytes()), "openvino": openvino_runner(onnx), "tflite": tflite_runner(tflite)}


def test_the_folder_is_a_package_and_passes_its_own_test(capsys: pytest.CaptureFixture[str]) -> None:
    manifest = read_manifest((FOLDER / "model.toml").read_text(), "model.toml")
    assert tuple(manifest.labels) == LABELS
    assert manifest.inputs[0].shape == [1, HEIGHT, WIDTH, 1]
    measured = json.loads((FOLDER / "metrics.json").read_text())["measured"]["int8 TFLite (LiteRT)"]
    assert manifest.card["measured"]["accuracy"] == measured["accuracy"] > 0.95
    assert f"{100 * measured['accuracy']:.1f} %" in (FOLDER.parent / "README.md").read_text()
    for runtime in ("onnx_runtime", "lite_rt", "open_vino"):
        assert main(["selftest", str(FOLDER), "--runtimes", runtime]) == 0
        assert "passed" in capsys.readouterr().out


def test_formats_agree_and_reach_the_figures_of_the_card(fresh: Windows) -> None:
    rows = {name: measure(run, fresh) for name, run in runners().items()}
    for row in rows.values():
        assert row["accuracy"] >= 0.94
        assert row["false_alarms"] <= 0.04
        assert row["alarms"]["8-12"] >= 0.95
    every = list(runners().values())
    for picture in fresh.pictures[:40]:
        scores = [run(picture) for run in every]
        assert max(np.abs(scores[0] - other).max() for other in scores[1:]) <= 0.05


def test_the_simulation_is_the_same_machine_for_the_same_seed() -> None:
    first, second = (vibration(np.random.default_rng(3), machine(np.random.default_rng(4)), "ball", 500) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.array_equal(render(5, 1, 1).pictures, render(5, 1, 1).pictures)


PLAIN = Machine(24.7, (2200.0, 3100.0), 0.05, (1.0, 0.4, 0.1), 0.2, 600.0, 0.5, 0.2, 0.0, 1.0, 6.0)


def record(path: Path, label: str) -> Path:
    """Two seconds of a healthy bearing, two of a damaged one, with a header and a time for each reading."""
    dice = np.random.default_rng(11)
    stretches = [vibration(dice, PLAIN, kind, 2 * RATE_HZ) for kind in ("normal", label)]
    rows = "\n".join(f"{number / RATE_HZ:.6f},{value:.5f}" for number, value in enumerate(np.concatenate(stretches)))
    path.write_text(f"time,acceleration\n{rows}\n")
    return path


@pytest.mark.parametrize("label", ["outer_race", "inner_race", "ball"])
def test_damage_is_found_from_its_start_and_named(label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series = record(tmp_path / "vibration.csv", label)
    example = ROOT / "docs/examples/bearing.toml"
    assert main(["analyze", str(series), "--pipeline", str(example), "--package", str(FOLDER), "--json"]) == 0
    *events, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (event,) = [event for event in events if event["rule"] == "damage"]
    assert event["label"] == label
    assert event["start_s"] == pytest.approx(2.0, abs=POINTS / RATE_HZ)
    assert event["end_s"] == pytest.approx(4.0, abs=0.2)
    assert event["score"] >= MIN_SCORE
    assert event["model"] == summary["model"] == "bearing_anomaly@1.0.0"
