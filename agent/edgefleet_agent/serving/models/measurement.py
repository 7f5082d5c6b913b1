"""Measurements of a session while a model is loaded: its time for a run, and whether requests may be joined into batches."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

import numpy as np

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError

log = logging.getLogger(__name__)

GAIN_MAX = 0.8
"""Batches are formed by default if a row in a batch of four takes at most this ratio of the time of a row alone."""
TOLERANCE = 0.01
"""Largest difference between a row in a batch and the same row alone, as a ratio of the largest value of the output."""
_ROUNDS = 3
_SHORT_ROUNDS = 20
"""Runs of a short model: other load holds up some of them."""
_ROWS = 4
_SEED = 1
_KINDS = 3
"""Kinds of rows that differ much from the others."""


def measure(session: Session, signature: TensorSignature, rows: int) -> float:
    """Warm up with zeros; returns seconds of the fastest run, infinity if the model refuses zeros."""
    inputs = {spec.name: _zeros(spec, rows) for spec in signature.inputs}
    best_s = float("inf")
    try:
        for number in range(_SHORT_ROUNDS):
            if number >= _ROUNDS and best_s >= INLINE_S_MAX:
                break
            began_s = time.perf_counter()
            session.infer(inputs)
            best_s = min(best_s, time.perf_counter() - began_s)
    except ModelError as cause:
        # A good model may refuse zeros; its callers' inputs decide whether it works.
        log.warning("model %s could not be warmed up with zero inputs: %s", signature.model, cause)
    return best_s


def can_batch(session: Session, signature: TensorSignature, run_s: float) -> bool:
    """True if batches save time and leave each row's outputs as they are. run_s: seconds of one row, as measured."""
    if signature.batch < _ROWS or run_s == float("inf"):
        return False
    if measure(session, signature, _ROWS) > GAIN_MAX * _ROWS * run_s:
        return False
    try:
        wrong = depends_on_others(session, signature)
    except ModelError as cause:
        log.warning("model %s fails on random inputs, so requests are not batched: %s", signature.model, cause)
        return False
    if wrong:
        log.warning("model %s: output '%s' of a row depends on other rows, so requests are not batched", signature.model, wrong)
    return not wrong


def depends_on_others(session: Session, signature: TensorSignature) -> str:
    """The output of which a row depends on other rows; empty if none is found, or the model fails on these inputs.

    Random rows are computed at once and alone. Then every other row is replaced by one of very different size: a model may use
    the whole tensor only where a number in it is large.

    Raises:
        ModelError: the model fails on random rows.
    """
    joined = {spec.name: _random(spec) for spec in signature.inputs}
    outputs = {name: np.array(array) for name, array in session.infer(joined).items()}
    alone: list[dict[str, Array]] = []
    for row in range(_ROWS):
        single = session.infer({name: np.ascontiguousarray(array[row : row + 1]) for name, array in joined.items()})
        alone.append({name: np.array(array) for name, array in single.items()})
        if wrong := _differing_output(outputs, alone[row], row):
            return wrong
    for kind in range(_KINDS):
        strange = {spec.name: _with_strangers(joined[spec.name], kind) for spec in signature.inputs}
        try:
            outputs = {name: np.array(array) for name, array in session.infer(strange).items()}
        except ModelError:
            continue  # it may refuse such numbers
        for row in range(0, _ROWS, 2):
            if wrong := _differing_output(outputs, alone[row], row):
                return wrong
    return ""


def _with_strangers(array: Array, kind: int) -> Array:
    """The rows with every second one replaced: by large numbers, by zero and NaN, by small numbers and infinity."""
    rows: Array = array.copy()
    if rows.dtype.kind == "f":
        largest = min(1e6, float(np.finfo(rows.dtype).max) / 4)
        one, other = ((rows[1] * largest, rows[3] * -largest), (0.0, np.nan), (rows[1] * 1e-6, np.inf))[kind]
    elif rows.dtype.kind in "iu" and rows.dtype.itemsize == 1:
        limits = np.iinfo(rows.dtype)
        one, other = ((limits.max, limits.min), (limits.min, limits.min), (limits.max, limits.max))[kind]
    elif rows.dtype.kind in "iub":
        # Not larger: numbers may be places in a table, and some runtimes do not survive every place.
        one, other = ((0, 1), (0, 0), (1, 1))[kind]
    elif rows.dtype.kind == "O":
        one, other = ((b"1000000", b"-1000000"), (b"", b""), (b"0.000001", b"1"))[kind]
    else:
        return rows
    rows[1], rows[3] = one, other
    return rows


def _differing_output(joined: Mapping[str, Array], alone: Mapping[str, Array], row: int) -> str:
    """Name of an output whose `row` in the batch is not what the row alone gives; empty if there is none."""
    for name, single in alone.items():
        batch = joined[name]
        if batch.ndim == 0 or len(batch) != _ROWS or batch[row : row + 1].shape != single.shape:
            return name
        if not _is_close(batch[row : row + 1], np.asarray(single)):
            return name
    return ""


def _is_close(one: Array, other: Array) -> bool:
    if one.dtype.kind == "f":
        largest = float(np.max(np.abs(other), initial=0.0, where=np.isfinite(other)))
        return bool(np.allclose(one, other, rtol=0.0, atol=TOLERANCE * largest, equal_nan=True))
    if one.dtype.kind in "iu" and one.dtype.itemsize == 1:  # quantized: the last step may be rounded the other way
        return bool((np.abs(one.astype(np.int16) - other.astype(np.int16)) <= 2).all())
    return bool((one == other).all())


def _shape(spec: TensorSpec, rows: int) -> tuple[int, ...]:
    shape = tuple(1 if side == -1 else side for side in spec.shape)
    return (rows, *shape[1:]) if rows > 1 else shape


def _zeros(spec: TensorSpec, rows: int) -> Array:
    shape = _shape(spec, rows)
    if spec.dtype.kind == "O":
        return np.full(shape, b"0", np.object_)
    return np.zeros(shape, spec.dtype)


def _random(spec: TensorSpec) -> Array:
    """Rows of values that most models accept: floats from 0 to 1, any bytes, and the integers 0 and 1."""
    shape, chance = _shape(spec, _ROWS), np.random.default_rng(_SEED)
    if spec.dtype.kind == "O":
        return np.where(chance.random(shape) < 0.5, b"0", b"1").astype(np.object_)
    if spec.dtype.kind == "f":
        return chance.random(shape).astype(spec.dtype)
    highest = 256 if spec.dtype.itemsize == 1 and spec.dtype.kind in "iu" else 2
    return chance.integers(0, highest, shape).astype(spec.dtype)
