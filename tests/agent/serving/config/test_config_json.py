"""The reported configuration: every setting is in its JSON, can be sent back, and is the same over gRPC."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from google.protobuf import json_format

from edgefleet_agent.serving.config.config_json import config_from_plain, config_to_json, read_config, triton_fields
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.grpc.codec import write_config
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.vision.heads.base import TensorSpec

FP32 = np.dtype(np.float32)
SIGNATURE = TensorSignature(
    "m", "1", "onnxruntime_onnx", (TensorSpec("IN", (-1, 4, 4), FP32),), (TensorSpec("OUT", (-1, 16), FP32),), 8
)
POLICY = {
    "timeout_action": "DELAY", "default_timeout_microseconds": 5, "allow_timeout_override": True, "max_queue_size": 6,
}  # fmt: skip
BATCHING = {
    "preferred_batch_size": [2, 4], "max_queue_delay_microseconds": 7, "preserve_ordering": True, "adaptive_delay": True,
    "priority_levels": 3, "default_priority_level": 2, "default_queue_policy": POLICY, "priority_queue_policy": {"1": POLICY},
}  # fmt: skip
LIMIT = {"resources": [{"name": "r", "global": True, "count": 2}], "priority": 3}
GROUP = {
    "name": "g", "count": 2, "kind": "KIND_GPU", "gpus": [0, 1], "device": "npu", "rate_limiter": LIMIT,
}  # fmt: skip
WARM_UPS = [
    {"name": "w", "batch_size": 1, "count": 2, "inputs": {
        "IN": {"data_type": "TYPE_FP32", "dims": [4, 4], "zero_data": True},
        "B": {"data_type": "TYPE_FP32", "dims": [4], "random_data": True},
        "C": {"data_type": "TYPE_FP32", "dims": [4], "input_data_file": "f"},
    }},
]  # fmt: skip
TENSOR = {"data_type": "TYPE_FP32", "reshape": {"shape": [16]}, "dims": [4, 4]}
FULL: dict[str, Any] = {
    "name": "m", "platform": "onnxruntime_onnx", "backend": "onnxruntime", "default_model_filename": "best.onnx",
    "input": [{**TENSOR, "name": "IN", "format": "FORMAT_NHWC", "optional": True}],
    "output": [{**TENSOR, "dims": [16], "name": "OUT", "label_filename": "names.txt"}],
    "parameters": {"a": {"string_value": "b"}}, "max_batch_size": 8, "dynamic_batching": BATCHING, "instance_group": [GROUP],
    "version_policy": {"specific": {"versions": [1, 3]}}, "response_cache": {"enable": True}, "model_warmup": WARM_UPS,
    "split": {"1": 3, "3": 1}, "threads": 2, "runtime": "onnx_runtime", "isolation": "process", "isolation_run_s_max": 5.0,
    "faults_max": 3, "deterministic": True,
}  # fmt: skip
CONTROL = {
    "kind": "CONTROL_SEQUENCE_CORRID", "data_type": "TYPE_UINT64", "int32_false_true": [0, 1], "fp32_false_true": [0.0, 1.0],
    "bool_false_true": [False, True],
}  # fmt: skip
STATE = {
    "input_name": "S", "output_name": "T", "data_type": "TYPE_FP32", "dims": [1], "use_same_buffer_for_input_output": True,
    "use_growable_memory": True,
}  # fmt: skip
SEQUENCE = {
    "max_sequence_idle_microseconds": 9,
    "control_input": [{"name": "c", "control": [CONTROL]}],
    "state": [
        {**STATE, "initial_state": [{"data_type": "TYPE_FP32", "dims": [1], "name": "z", "zero_data": True}]},
        {**STATE, "initial_state": [{"data_type": "TYPE_FP32", "dims": [1], "name": "z", "data_file": "f"}]},
    ],
}
DIRECT = {"max_queue_delay_microseconds": 3, "minimum_slot_utilization": 0.5}
OLDEST = {
    "max_candidate_sequences": 4, "preferred_batch_size": [2], "max_queue_delay_microseconds": 3, "preserve_ordering": True,
}  # fmt: skip
STEP = {"model_name": "p", "model_version": 2, "input_map": {"IN": "IN"}, "output_map": {"OUT": "OUT"}}
REST = {name: value for name, value in FULL.items() if name != "dynamic_batching"}
CONFIGS: dict[str, dict[str, Any]] = {
    "dynamic batching": FULL,
    "direct": {**REST, "sequence_batching": {**SEQUENCE, "direct": DIRECT}, "version_policy": {"all": {}}},
    "oldest": {**REST, "sequence_batching": {**SEQUENCE, "oldest": OLDEST}, "version_policy": {"latest": {"num_versions": 2}}},
    "ensemble": {
        **{name: FULL[name] for name in ("name", "max_batch_size", "input", "output")}, "platform": "ensemble",
        "version_policy": {"latest": {"num_versions": 1}},
        "ensemble_scheduling": {"step": [STEP]}, "model_transaction_policy": {"decoupled": True},
    },
}  # fmt: skip
FIXED = ("is_shape_tensor", "is_non_linear_format_io", "allow_ragged_batch", "iterative_sequence", "model_namespace")
"""Fields that have one value only."""
SCHEDULING = ("dynamic_batching", "sequence_batching", "ensemble_scheduling")


def structs(kind: Any, seen: set[type]) -> set[type]:
    """All structs that a type holds."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in seen:
        seen.add(kind)
        for hint in typing.get_type_hints(kind).values():
            structs(hint, seen)
    elif not isinstance(kind, type) or isinstance(kind, types.GenericAlias):
        for each in typing.get_args(kind):
            structs(each, seen)
    return seen


def changed(value: Any) -> Iterator[tuple[str, str]]:
    """Struct and name of each field that has not its default."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            own = getattr(value, field.name)
            usual = field.default if field.default is not msgspec.NODEFAULT else None
            if own != usual or isinstance(own, msgspec.Struct):
                yield type(value).__name__, field.name
                yield from changed(own)
    elif isinstance(value, (list, dict)):
        for each in value if isinstance(value, list) else value.values():
            yield from changed(each)


def reported(name: str) -> dict[str, Any]:
    """The JSON of a model with this configuration; the steps of an ensemble are those of its plan."""
    config = config_from_plain(CONFIGS[name])
    if config.ensemble_scheduling is None:
        return config_to_json(SIGNATURE, config, 1)
    signature = TensorSignature("m", "1", "ensemble", SIGNATURE.inputs, SIGNATURE.outputs, 8)
    return config_to_json(signature, config, 1) | {"ensemble_scheduling": msgspec.to_builtins(config.ensemble_scheduling)}


def differences(plain: Any, sent: Any, path: str = "") -> list[str]:
    """Find where a message says something else than the JSON. Protobuf writes numbers of 64 bits as text."""
    if isinstance(plain, dict):
        return [each for key, value in plain.items() for each in differences(value, (sent or {}).get(key), f"{path}.{key}")]
    if isinstance(plain, list):
        if len(plain) != len(sent or []):
            return [f"{path}: {plain} is sent as {sent}"]
        return [
            each for index, pair in enumerate(zip(plain, sent, strict=True)) for each in differences(*pair, f"{path}[{index}]")
        ]
    same = float(sent) == plain if isinstance(plain, (int, float)) and isinstance(sent, str) else sent == plain
    return [] if same else [f"{path}: {plain!r} is sent as {sent!r}"]


def test_the_configurations_set_every_field() -> None:
    found = {each for plain in CONFIGS.values() for each in changed(config_from_plain(plain))}
    kinds = structs(ServingConfig, set())
    known = {(kind.__name__, field.name) for kind in kinds for field in msgspec.structs.fields(kind)}
    assert {(kind, name) for kind, name in known - found if name not in FIXED} == set()


@pytest.mark.parametrize("name", CONFIGS)
def test_every_setting_is_reported_and_taken_back(name: str) -> None:
    plain = reported(name)
    again = read_config(json.dumps(plain))
    assert again == config_from_plain(CONFIGS[name])


@pytest.mark.parametrize("name", CONFIGS)
def test_both_protocols_report_the_same(name: str) -> None:
    plain = triton_fields(reported(name))
    message = write_config(reported(name))
    sent = json_format.MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    assert differences(plain, sent) == []
    assert message.WhichOneof("choice") == next((each for each in SCHEDULING if each in plain), None)


def test_versions_that_are_no_numbers_are_not_in_the_message() -> None:
    config = config_from_plain({"version_policy": {"specific": {"versions": [1, "1.0.0"]}}})
    assert write_config(config_to_json(SIGNATURE, config, 1)).version_policy.specific.versions == [1]
