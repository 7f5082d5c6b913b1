"""Regression: named values of models with one or several outputs, in every type, against plain arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.answers import ModelOutput, model_outputs, result_kind, value_texts
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_agent.vision.heads.regression import RegressionHead
from edgefleet_agent.vision.results import Value, Values
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.encoding.codec import to_plain
from tests.agent.vision.heads.soundness import assert_sound
from tests.agent.vision.heads.yolo_reference import Stored, store

AGE = {"age": {"scale": 100, "unit": "years"}, "gender": {"labels": ["female", "male"]}}
NAMES = {"age": "age_conv3", "gender": "prob"}


def build(stored: dict[str, Stored], names: dict[str, str] | None = None, params: dict[str, Any] | None = None) -> RegressionHead:
    specs = {
        name: TensorSpec(name, each.tensor.shape, each.tensor.dtype, each.scale, each.zero_point) for name, each in stored.items()
    }
    return RegressionHead(HeadContext(specs, names or {}, params or {}, 62, 62))


def values(stored: dict[str, Stored], names: dict[str, str] | None = None, params: dict[str, Any] | None = None) -> list[Value]:
    found = build(stored, names, params).decode({name: each.tensor for name, each in stored.items()}, 0.5)
    assert_sound(found, 0.5, (62, 62))
    return list(found.values)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "uint8"])
@pytest.mark.parametrize("softmax", [True, False])
def test_an_age_beside_a_gender(dtype: str, softmax: bool) -> None:
    """The shapes of age-gender-recognition-retail-0013."""
    stored = {
        "age_conv3": store(np.array([0.341]).reshape(1, 1, 1, 1), dtype),
        "prob": store(np.array([0.2, 0.8]).reshape(1, 2, 1, 1), dtype),
    }
    age, gender = values(stored, NAMES, {**AGE, "gender": {**AGE["gender"], "softmax": softmax}})
    assert (age.name, age.unit, age.label) == ("age", "years", "")
    assert age.number == pytest.approx(100 * float(stored["age_conv3"].real().item()), abs=1e-3)
    scores = stored["prob"].real().ravel()
    scores = np.exp(scores) / np.exp(scores).sum() if softmax else scores
    assert (gender.name, gender.label) == ("gender", "male")
    assert gender.number == pytest.approx(scores[1], abs=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_the_angles_of_a_head(dtype: str) -> None:
    """The shapes of head-pose-estimation-adas-0001."""
    stored = {
        f"angle_{axis}_fc": store(np.array([[angle]]), dtype, 0.5, 0) for axis, angle in zip("ypr", (-12, 5, 30), strict=True)
    }
    found = values(stored, {"yaw": "angle_y_fc", "pitch": "angle_p_fc", "roll": "angle_r_fc"}, {"yaw": {"unit": "degrees"}})
    assert [(each.name, each.number, each.unit) for each in found] == [
        ("yaw", -12, "degrees"),
        ("pitch", 5, ""),
        ("roll", 30, ""),
    ]
    assert [each.name for each in values(stored)] == list(stored)


def test_several_numbers_of_one_output_have_names() -> None:
    stored = {"pose": Stored(np.array([[1.0, 2.0, 3.0]], np.float32))}
    assert [each.name for each in values(stored)] == ["pose_0", "pose_1", "pose_2"]
    named = values(stored, params={"pose": {"names": ["yaw", "pitch", "roll"], "scale": 2, "offset": -1}})
    assert [(each.name, each.number) for each in named] == [("yaw", 1), ("pitch", 3), ("roll", 5)]


def test_what_is_no_number_is_no_value() -> None:
    stored = {"a": Stored(np.array([[np.nan]], np.float32)), "b": Stored(np.array([[np.inf, 1.0]], np.float32))}
    assert [(each.name, each.number) for each in values(stored)] == [("b_1", 1.0)]
    assert model_outputs(Values(()), str, 5) == []


def test_values_in_the_format_of_infer() -> None:
    found = Values((Value("age", 34.123456, "years"), Value("gender", 0.91234, label="male"), Value("yaw", -2.5)))
    assert result_kind(found) == "values"
    (answer,) = model_outputs(found, str, 5)
    assert to_plain(answer) == {
        "label": "male",
        "class_id": 0,
        "score": 0.9123,
        "values": {"age": 34.1235, "gender": "male", "yaw": -2.5},
        "units": {"age": "years"},
    }
    assert value_texts(answer) == ["age 34.12 years", "gender male", "yaw -2.5"]
    assert Values(found.values[:1]).label == "age"
    assert value_texts(ModelOutput(label="cat", class_id=0, score=1.0)) == []


@pytest.mark.parametrize(
    ("shape", "params", "text"),
    [
        ((1, 8, 8, 3), {}, r"'o' has shape \[1, 8, 8, 3\]"),
        ((1, -1), {}, r"'o' \[1, -1\] leaves the number of numbers open"),
        ((1, 300), {}, "has 300 numbers, more than 256"),
        ((1, 2), {"o": {"labels": ["a"]}}, r"'o' \[1, 2\] has 2 numbers, param 'o' has 1 labels"),
        ((1, 2), {"o": {"names": ["a", "a"]}}, "have two values of one name"),
        ((1, 2), {"o": {"names": ["a", "b"], "labels": ["a", "b"]}}, "has both labels and names"),
        ((1, 1), {"o": {"scale": "2"}}, "param 'o': param 'scale' must be a number, got '2'"),
        ((1, 1), {"o": {"unit": 2}}, "param 'o': param 'unit' must be a text, got 2"),
        ((1, 1), {"o": {"factor": 2}}, "param 'o' must be a table with keys of scale"),
        ((1, 1), {"o": 2}, "param 'o' must be a table"),
        ((1, 1), {"p": {}}, "unknown param 'p'; known are o"),
    ],
)
def test_what_does_not_fit_is_refused(shape: tuple[int, ...], params: dict[str, Any], text: str) -> None:
    with pytest.raises(ManifestError, match=text):
        RegressionHead(HeadContext({"o": TensorSpec("o", shape, np.dtype(np.float32))}, {}, params, 62, 62))


def test_an_output_that_is_absent_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"no output 'prob' for 'gender'; the model has 'o' \[1, 1\]"):
        build({"o": Stored(np.zeros((1, 1), np.float32))}, NAMES | {"age": "o"}, AGE)
