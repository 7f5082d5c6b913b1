"""The batch axis of bare files: found or not, requests joined or not, and the number of rows of one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.instance_pool import InstancePool
from edgefleet_agent.serving.engine.model_registry import ServedModel
from edgefleet_agent.serving.models import measurement, model_loader
from edgefleet_agent.serving.models.model_loader import open_served
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_contract.core.errors import ModelError
from tests.agent.serving import onnx_file

SIDE = 512
WEIGHTS = (np.random.default_rng(1).normal(size=(SIDE, SIDE)) / 22).astype(np.float32)
LAYERS = 3


def dense(first: str, *, above: float = 0.0) -> bytes:
    """Three dense layers, long enough to gain from batches. above: divides by the largest number of all, if that is larger."""
    steps = [("ReduceMax", ["x"], "m"), ("Max", ["m", "limit"], "d"), ("Div", ["x", "d"], "h0")] if above else []
    steps += [
        ("MatMul", [f"h{at}" if at or above else "x", "w"], f"h{at + 1}" if at < LAYERS - 1 else "y") for at in range(LAYERS)
    ]
    constants = {"w": WEIGHTS, **({"limit": np.full((1, 1), above, np.float32)} if above else {})}
    return onnx_file.chain(steps, constants, {"x": (first, SIDE)}, {"y": (first, SIDE)})


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs take the same time whatever their rows, so that batches gain: on a busy machine clocks show anything."""
    real = measurement.measure
    monkeypatch.setattr(measurement, "measure", lambda *given: real(*given) and 0.01)
    monkeypatch.setattr(model_loader, "measure", lambda *given: real(*given) and 0.01)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[ServedModel]]:
    served: list[ServedModel] = []
    yield served
    for each in served:
        each.engine.close()


def serve(
    opened: list[ServedModel],
    folder: Path,
    data: bytes,
    config: ServingConfig | None = None,
    batches: dict[str, int] | None = None,
) -> ServedModel:
    (folder / "m.onnx").write_bytes(data)
    target = LoadTarget(tuple(installed_runtimes()), batches=batches or {})
    opened.append(open_served(folder / "m.onnx", "m", "1", target, config or ServingConfig()))
    return opened[-1]


def joins(served: ServedModel) -> bool:
    assert isinstance(served.engine, InstancePool)
    return served.engine._queue._rows_max > 1


def rows(served: ServedModel, count: int) -> int:
    return served.signature.rows({"x": np.zeros((count, SIDE), np.float32)})


def test_proven_rows_are_joined(opened: list[ServedModel], tmp_path: Path) -> None:
    served = serve(opened, tmp_path, dense("n"))
    assert served.signature.batch
    assert joins(served)


def test_a_division_by_the_largest_of_all_rows_is_not(
    opened: list[ServedModel], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        served = serve(opened, tmp_path, dense("n", above=100.0))
    assert served.signature.batch == 0
    assert not joins(served)
    assert "m: the first axis is no batch axis (ReduceMax over all axes), so requests are not batched" in caplog.text


def test_configured_batches_are_checked_with_large_numbers(opened: list[ServedModel], tmp_path: Path) -> None:
    served = serve(opened, tmp_path, dense("n", above=100.0), ServingConfig(max_batch_size=8))
    assert served.signature.batch == 8
    assert not joins(served)


def test_without_a_configuration_a_request_may_have_any_number_of_rows(opened: list[ServedModel], tmp_path: Path) -> None:
    assert rows(serve(opened, tmp_path, dense("points")), 1000) == 1000


def test_the_option_sets_the_largest_batch(opened: list[ServedModel], tmp_path: Path) -> None:
    served = serve(opened, tmp_path, dense("n"), batches={"m": 2})
    assert rows(served, 2) == 2
    with pytest.raises(
        CallError, match=r"^inference request batch-size must be <= 2 for 'm', got 3; max_batch_size in .* raises"
    ):
        rows(served, 3)
    assert serve(opened, tmp_path, dense("n"), batches={"m": 0}).signature.batch == 0
    assert serve(opened, tmp_path, dense("n"), ServingConfig(max_batch_size=4), batches={"m": 2}).signature.batch == 4


def test_no_row_is_not_too_many(opened: list[ServedModel], tmp_path: Path) -> None:
    with pytest.raises(CallError, match=r"has a batch of 0 rows; send at least 1$"):
        rows(serve(opened, tmp_path, dense("n")), 0)


def test_sequences_and_sums_have_no_batch_axis(opened: list[ServedModel], tmp_path: Path) -> None:
    """Short models, too: nothing is joined there, but their first axis may have any length."""
    running = onnx_file.chain([("CumSum", ["x", "zero"], "y")], {"zero": np.array(0, np.int64)}, {"x": ("t", 3)}, {"y": ("t", 3)})
    served = serve(opened, tmp_path, running)
    assert served.signature.batch == 0
    assert served.signature.rows({"x": np.zeros((500, 3), np.float32)}) == 1


def test_inputs_with_different_names_of_the_first_axis_may_differ(opened: list[ServedModel], tmp_path: Path) -> None:
    steps = [("Neg", ["a"], "p"), ("Neg", ["b"], "q")]
    apart = onnx_file.chain(steps, {}, {"a": ("n", 2), "b": ("k", 2)}, {"p": ("n", 2), "q": ("k", 2)})
    signature = serve(opened, tmp_path, apart).signature
    assert signature.batch == 0
    assert signature.rows({"a": np.zeros((2, 2), np.float32), "b": np.zeros((3, 2), np.float32)}) == 1


def places(*, first: str = "n") -> bytes:
    """A table of rows, and places in it: OUT = DATA[AT]."""
    inputs = {"DATA": ("FP32", (first, 4)), "AT": ("INT64", (first,))}
    return onnx_file.graph([("Gather", ["DATA", "AT"], ["OUT"])], inputs, {"OUT": ("FP32", (first, 4))})


def test_a_table_and_places_in_it_have_no_batch_axis(opened: list[ServedModel], tmp_path: Path) -> None:
    """Each place alone is outside of a table of one row, so that runs of single rows cannot show it."""
    for first in ("n", ""):
        signature = serve(opened, tmp_path, places(first=first)).signature
        assert signature.batch == 0
        assert signature.rows({"DATA": np.zeros((5, 4), np.float32), "AT": np.zeros(2, np.int64)}) == 1


def unreadable(*, first: str = "n") -> bytes:
    """A row for each of the inputs, by an operator that is not followed."""
    return onnx_file.graph([("Det", ["x"], ["y"])], {"x": ("FP32", (first, 2, 2))}, {"y": ("FP32", (first,))})


def test_an_operator_that_is_not_followed_is_tried_with_several_rows(opened: list[ServedModel], tmp_path: Path) -> None:
    served = serve(opened, tmp_path, unreadable())
    assert served.signature.batch
    assert not joins(served)


@pytest.mark.parametrize("cause", ["slow", "failing"])
def test_what_cannot_be_tried_has_no_batch_axis(
    opened: list[ServedModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, cause: str
) -> None:
    def fails(*_: object) -> str:
        raise ModelError("places outside of the table")

    if cause == "slow":
        monkeypatch.setattr(model_loader, "measure", lambda *_: 2 * model_loader.CHECK_S_MAX)
    else:
        monkeypatch.setattr(model_loader, "depends_on_others", fails)
    with caplog.at_level(logging.INFO):
        assert serve(opened, tmp_path, unreadable()).signature.batch == 0
    assert "m: it is not certain that the first axis is a batch axis (Det is not known, and it " in caplog.text
    assert serve(opened, tmp_path, unreadable(), batches={"m": 4}).signature.batch == 4


def test_an_unmarked_mixture_is_refused_with_the_way_out(opened: list[ServedModel], tmp_path: Path) -> None:
    signature = serve(opened, tmp_path, onnx_file.add()).signature
    with pytest.raises(CallError, match=r"has a batch of 3, another input of the request has 2; .*max_batch_size must be 0$"):
        signature.rows({"A": np.zeros((2, 4), np.float32), "B": np.zeros((3, 4), np.float32)})
