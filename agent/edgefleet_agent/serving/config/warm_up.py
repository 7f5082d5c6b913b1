"""`model_warmup`: requests that a model computes before it is served. Names and meanings are Triton's."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import Array, checked_shape, from_raw
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError

FILE_BYTES_MAX = 256 * 1024 * 1024
RUNS_MAX = 1000
_SEED = 1


class WarmUpInput(msgspec.Struct, forbid_unknown_fields=True):
    """One input: zeros, random values, or the raw bytes of a file in the model's folder `warmup`."""

    data_type: str = ""
    dims: Annotated[list[int], Meta(max_length=16)] = []
    zero_data: bool = False
    random_data: bool = False
    input_data_file: Annotated[str, Meta(max_length=255)] = ""


class WarmUp(msgspec.Struct, forbid_unknown_fields=True):
    """One warm-up request. batch_size 0: the model has no batches. count: number of runs, 0 for one."""

    name: str = ""
    batch_size: Annotated[int, Meta(ge=0, le=1024)] = 0
    inputs: Annotated[dict[str, WarmUpInput], Meta(max_length=256)] = {}
    count: Annotated[int, Meta(ge=0, le=RUNS_MAX)] = 0


def warm_up(session: Session, samples: list[WarmUp], signature: TensorSignature, model: Path) -> None:
    """Run every warm-up request in a session.

    Raises:
        InputError: a request does not fit the model. ModelError: the runtime cannot compute it.
    """
    for sample in samples:
        inputs = {name: _tensor(name, spec, sample.batch_size, signature, model) for name, spec in sample.inputs.items()}
        try:
            signature.rows(inputs)
        except CallError as cause:
            raise InputError(f"model_warmup '{sample.name}': {cause}") from cause
        for _ in range(max(sample.count, 1)):
            session.infer(inputs)


def _tensor(name: str, spec: WarmUpInput, batch: int, signature: TensorSignature, model: Path) -> Array:
    shape = (*((batch,) if batch else ()), *spec.dims)
    datatype = {"TYPE_STRING": "BYTES"}.get(spec.data_type, spec.data_type.removeprefix("TYPE_"))
    if [spec.zero_data, spec.random_data, bool(spec.input_data_file)].count(True) != 1:
        raise InputError(f"model_warmup: input '{name}' requires one of zero_data, random_data, input_data_file")
    try:
        checked_shape(name, shape)
        if not spec.input_data_file:
            known = next((each.dtype for each in signature.inputs if each.name == name), None)
            if known is None:
                raise InputError(f"model_warmup: the model has no input '{name}'")
            if known.kind == "O":
                return np.full(shape, b"", np.object_)
            size = math.prod(shape) * known.itemsize
            # Any bytes are valid integers; floats are drawn from 0 to 1, which every model accepts.
            if spec.random_data and known.kind == "f":
                return np.random.default_rng(_SEED).random(shape).astype(known)
            raw = np.random.default_rng(_SEED).bytes(size) if spec.random_data and known.kind != "b" else bytes(size)
            return np.frombuffer(raw, known).reshape(shape)
        if Path(spec.input_data_file).name != spec.input_data_file:
            raise InputError(f"model_warmup: {spec.input_data_file!r} must be the name of a file in the model's folder 'warmup'")
        data = read_if_there(model / "warmup" / spec.input_data_file, FILE_BYTES_MAX)
        if data is None:
            raise InputError(f"{model / 'warmup' / spec.input_data_file}: no such file, or larger than {FILE_BYTES_MAX} bytes")
        return from_raw(name, datatype, shape, memoryview(data))
    except CallError as cause:
        raise InputError(f"model_warmup: {cause}") from cause
