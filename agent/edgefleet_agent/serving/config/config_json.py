"""`ModelConfig` as JSON: the parameter `config` of `load`, and the answers of the `config` endpoints."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from edgefleet_agent.serving.config.model_config import InstanceGroup, ServingConfig
from edgefleet_agent.serving.config.sequence_config import sequence_batching_to_json
from edgefleet_agent.serving.config.tensor_config import TensorConfig
from edgefleet_agent.serving.config.warm_up import WarmUp
from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import datatype_of
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.encoding.json_faults import json_fault
from edgefleet_contract.package.profile import device_kind

_NO_EFFECT = ("optimization", "metric_tags", "model_metrics")
"""Fields of Triton's `ModelConfig` that change how fast, or how counted, and not what is answered."""
_REFUSED = ("batch_input", "batch_output", "cc_model_filenames", "model_operations", "model_repository_agents")
"""Fields that must be empty: nothing here does what they ask for."""
_EMPTY_FIELDS: dict[str, Any] = {"batch_input": [], "batch_output": [], "cc_model_filenames": {}, "metric_tags": {}}
_OWN = ("isolation", "isolation_run_s_max", "faults_max", "deterministic", "threads", "split")
"""Our own settings, which Triton's `ModelConfig` has no fields for."""
_GPU_DEVICES = ("cuda", "tensorrt", "migraphx", "rocm", "gpu")
"""Kinds of devices of runtimes that Triton would call GPUs."""
_GROUP_REFUSED = ("profile", "secondary_devices", "passive", "host_policy")
_TRITON_RUNTIME = re.compile(r"|libtriton_\w+\.so|model\.py")
"""Values of Triton's field `runtime`, which names a library of its own."""


def read_config(text: str | bytes) -> ServingConfig:
    """Parse the `config` parameter of a `load` request.

    Raises:
        CallError: not JSON, an unknown field, a number beyond its limit, or a field that cannot be honoured.
    """
    data = text.encode() if isinstance(text, str) else text
    try:
        plain = msgspec.json.decode(data)
        if not isinstance(plain, dict):
            raise invalid("parameter 'config' must be a JSON object")
        return config_from_plain(plain)
    except InputError as cause:
        raise invalid(f"parameter 'config' is not a model configuration: {cause}") from cause
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"parameter 'config' is not a model configuration: {json_fault(data, cause)}") from cause


def config_from_plain(plain: dict[str, Any]) -> ServingConfig:
    """Convert JSON or TOML data, or a `config.pbtxt`, to a configuration.

    Raises:
        InputError: a field is unknown, not valid or cannot be honoured; the text begins with its path, as in
            `instance_group[0].count: ...`.
    """
    for name in _REFUSED:
        if any(plain[name].values()) if isinstance(plain.get(name), dict) else plain.get(name):
            raise InputError(f"{name}: is not supported; remove it")
    optimization = plain.get("optimization")
    if isinstance(optimization, dict) and any((optimization.get("execution_accelerators") or {}).values()):
        raise InputError("optimization.execution_accelerators: are not supported; use 'instance_group' to choose a device")
    chosen = {name: value for name, value in plain.items() if name not in (*_REFUSED, *_NO_EFFECT)}
    if isinstance(runtime := chosen.get("runtime"), str) and _TRITON_RUNTIME.fullmatch(runtime):
        del chosen["runtime"]
    if isinstance(groups := chosen.get("instance_group"), list):
        chosen["instance_group"] = [_group(group, index) for index, group in enumerate(groups)]
    try:
        config = msgspec.convert(chosen, ensure_decoder(ServingConfig), strict=False)
    except msgspec.ValidationError as cause:
        raise InputError(_described(cause)) from cause
    _check(config)
    return config


def _check(config: ServingConfig) -> None:
    """Check what no single field shows."""
    if config.model_transaction_policy.decoupled and config.ensemble_scheduling is None:
        raise InputError("model_transaction_policy.decoupled: no runtime here sends several responses to a request")
    if config.dynamic_batching is not None and config.sequence_batching is not None:
        raise InputError("sequence_batching: cannot be combined with 'dynamic_batching'")
    if (config.platform == "ensemble") != (config.ensemble_scheduling is not None):
        field = "platform" if config.ensemble_scheduling is None else "ensemble_scheduling"
        raise InputError(f"{field}: an ensemble has platform 'ensemble' and 'ensemble_scheduling'")
    if config.ensemble_scheduling is not None and config.instance_group:
        raise InputError("instance_group: an ensemble has no instances of its own; remove it")
    _check_batching(config)
    _check_choices(config)
    for side, tensors in (("input", config.input), ("output", config.output)):
        names = [tensor.name for tensor in tensors]
        for index, tensor in enumerate(tensors):
            if tensor.name in names[:index]:
                raise InputError(f"{side}[{index}].name: '{tensor.name}' appears twice")
            _check_reshape(f"{side}[{index}].reshape", tensor, config.max_batch_size or 0)


def _check_batching(config: ServingConfig) -> None:
    """Priorities and preferred sizes are within the limits of the same configuration."""
    batching, sequences = config.dynamic_batching, config.sequence_batching
    if batching is not None and batching.priority_levels:
        levels = batching.priority_levels
        if batching.default_priority_level > levels:
            raise InputError(f"dynamic_batching.default_priority_level: must be in range [1, {levels}]")
        if strange := [level for level in batching.priority_queue_policy if not 1 <= level <= levels]:
            path = f"dynamic_batching.priority_queue_policy[{strange[0]}]"
            raise InputError(f"{path}: must have priority level in range [1, {levels}]")
    complete = 0 if config.input and config.output else None
    limit = complete if config.max_batch_size is None else config.max_batch_size
    preferred = [("dynamic_batching", batching.preferred_batch_size if batching is not None else [])]
    if sequences is not None and sequences.oldest is not None:
        preferred.append(("sequence_batching.oldest", sequences.oldest.preferred_batch_size))
    for path, sizes in preferred:
        for index, size in enumerate(sizes):
            if not size or (limit is not None and size > limit):
                what = f"<= max_batch_size, {limit}" if size else "positive"
                raise InputError(f"{path}.preferred_batch_size[{index}]: must be {what}")


def _check_choices(config: ServingConfig) -> None:
    """Of these fields one may be given: Protobuf's `oneof`."""
    choices: list[tuple[str, Any, tuple[str, ...]]] = [("version_policy", config.version_policy, ("latest", "all", "specific"))]
    if config.sequence_batching is not None:
        choices.append(("sequence_batching", config.sequence_batching, ("direct", "oldest")))
        for place, state in enumerate(config.sequence_batching.state):
            path = f"sequence_batching.state[{place}].initial_state[0]"
            choices += [(path, initial, ("zero_data", "data_file")) for initial in state.initial_state]
    for path, held, names in choices:
        given = [name for name in names if getattr(held, name) is not None]
        if len(given) > 1:
            raise InputError(f"{path}.{given[1]}: cannot be given beside '{given[0]}'; remove one of them")


def _check_reshape(path: str, tensor: TensorConfig, batch: int) -> None:
    """A reshape keeps the number of elements: that of the fixed axes, and as many open ones."""
    if tensor.reshape is None:
        return
    if not tensor.reshape.shape and not batch and tensor.dims != [1]:
        raise InputError(f"{path}: an empty shape requires dims [ 1 ]")
    sizes = []
    for dims in (tensor.dims, tensor.reshape.shape):
        size = 1
        for side in dims:
            size *= side if side > 0 else 1
        sizes.append((size, dims.count(-1)))
    if sizes[0] != sizes[1]:
        raise InputError(f"{path}: {tensor.reshape.shape} has not as many elements as dims {tensor.dims}")


def _group(group: Any, index: int) -> Any:
    """An instance group without Triton's unsupported fields, which must be empty."""
    if not isinstance(group, dict):
        return group
    for name in _GROUP_REFUSED:
        if group.get(name):
            raise InputError(f"instance_group[{index}].{name}: is not supported; remove it")
    known = {name: value for name, value in group.items() if name not in _GROUP_REFUSED}
    # Triton reports KIND_CPU with a count of 0 for a group without a device.
    return {**known, "count": 1} if known.get("count") == 0 else known


def _described(cause: msgspec.ValidationError) -> str:
    """An error of msgspec in plain words, with the path first: `x: must be a whole number from 1`."""
    fault = field_fault(cause, ServingConfig, table="a block")
    if fault.unknown:
        return f"{fault.path}: is not a field of a model configuration"
    return f"{fault.path}: must be a name as TYPE_FP32" if "TYPE_" in str(cause) and "regex" in str(cause) else str(fault)


def config_to_json(signature: TensorSignature, config: ServingConfig, instances: int, device: str = "") -> dict[str, Any]:
    """The response of the `config` endpoints: `ModelConfig` as JSON. device: of sessions for which `config` names none; empty for
    the CPU."""
    inputs = {each.name: each for each in config.input}
    outputs = {each.name: each for each in config.output}

    def described(spec: TensorSpec, configured: TensorConfig | None) -> dict[str, Any]:
        name = datatype_of(spec.dtype)
        dims = spec.shape[1:] if signature.batch else spec.shape
        plain: dict[str, Any] = {
            "name": spec.name,
            "data_type": "TYPE_STRING" if name == "BYTES" else f"TYPE_{name}",
            "dims": list(dims),
        }
        if configured is not None and configured.reshape is not None:
            plain["reshape"] = {"shape": configured.reshape.shape}
        return plain | {"is_shape_tensor": False, "is_non_linear_format_io": False}

    def input_of(spec: TensorSpec) -> dict[str, Any]:
        known = inputs.get(spec.name)
        form, optional = (known.format, known.optional) if known is not None else ("FORMAT_NONE", False)
        return described(spec, known) | {"format": form, "allow_ragged_batch": False, "optional": optional}

    def output_of(spec: TensorSpec) -> dict[str, Any]:
        known = outputs.get(spec.name)
        return described(spec, known) | {"label_filename": known.label_filename if known is not None else ""}

    plain: dict[str, Any] = {
        "name": signature.model,
        "platform": signature.platform,
        "backend": _backend_of(signature.platform),
        "version_policy": msgspec.to_builtins(config.version_policy),
        "max_batch_size": signature.batch,
        "input": [input_of(spec) for spec in signature.inputs],
        "output": [output_of(spec) for spec in signature.outputs],
        "instance_group": _groups_to_json(signature.model, config, instances, device),
        "default_model_filename": config.default_model_filename,
        "parameters": msgspec.to_builtins(config.parameters),
        "model_warmup": [_warm_up_to_json(sample) for sample in config.model_warmup],
        "runtime": config.runtime,
        **_own_to_json(config),
        **_EMPTY_FIELDS,
    }
    plain["version_policy"] = {name: value for name, value in plain["version_policy"].items() if value is not None} or {
        "latest": {"num_versions": 1}
    }
    if signature.platform == "ensemble":
        plain |= {"backend": "", "instance_group": []}
    if config.response_cache.enable:
        plain["response_cache"] = {"enable": True}
    if config.model_transaction_policy.decoupled:
        plain["model_transaction_policy"] = {"decoupled": True}
    if config.sequence_batching is not None:
        plain["sequence_batching"] = sequence_batching_to_json(config.sequence_batching)
    elif config.dynamic_batching is not None:
        plain["dynamic_batching"] = msgspec.to_builtins(config.dynamic_batching, str_keys=True)
    return plain


def _backend_of(platform: str) -> str:
    """Triton's word for the runtime of a platform; a runtime that Triton does not know has its own."""
    known = {"onnxruntime_onnx": "onnxruntime", "openvino_ir": "openvino", "litert_tflite": "litert"}
    return known.get(platform, platform)


def _own_to_json(config: ServingConfig) -> dict[str, Any]:
    """Our own settings that were changed: other readers of a configuration need not know them."""
    own = {name: getattr(config, name) for name in _OWN}
    usual = ServingConfig()
    return {name: value for name, value in own.items() if value != getattr(usual, name)}


def triton_fields(plain: dict[str, Any]) -> dict[str, Any]:
    """A configuration of `config_to_json` without what Triton's `ModelConfig` has no fields for, and what is always empty."""
    found = {name: value for name, value in plain.items() if name not in (*_OWN, *_EMPTY_FIELDS)}
    found["instance_group"] = [_without(group, "device") for group in plain["instance_group"]]
    if "dynamic_batching" in plain:
        found["dynamic_batching"] = _without(plain["dynamic_batching"], "adaptive_delay")
    return found


def _without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in fields.items() if each != name}


def _warm_up_to_json(sample: WarmUp) -> dict[str, Any]:
    """A warm-up request; of each input only the one kind of data that is set, as in Triton."""
    plain: dict[str, Any] = msgspec.to_builtins(sample)
    for fields in plain["inputs"].values():
        for name in ("data_type", "zero_data", "random_data", "input_data_file"):
            if not fields[name]:
                del fields[name]
    return plain


def _groups_to_json(model: str, config: ServingConfig, instances: int, device: str) -> list[dict[str, Any]]:
    """The configured groups, or the one that was decided by measurement. device: of groups that name none."""
    found = []
    for index, group in enumerate(config.instance_group or [InstanceGroup(count=instances)]):
        own = group.device or (device if group.kind == "KIND_AUTO" and not group.gpus else "")
        usual = "KIND_GPU" if device_kind(own) in _GPU_DEVICES or group.gpus else "KIND_CPU"
        plain = {
            "name": group.name or f"{model}_{index}",
            "kind": usual if group.kind == "KIND_AUTO" else group.kind,
            "count": group.count,
            "gpus": group.gpus,
            "profile": [],
            **({"device": own} if own else {}),
            **({"rate_limiter": msgspec.to_builtins(group.rate_limiter)} if group.rate_limiter is not None else {}),
        }
        found.append(plain)
    return found


def metadata_to_json(signature: TensorSignature, versions: list[str]) -> dict[str, Any]:
    """The response of the model metadata endpoints; shapes include the batch axis."""

    def described(spec: TensorSpec) -> dict[str, Any]:
        return {"name": spec.name, "datatype": datatype_of(spec.dtype), "shape": list(spec.shape)}

    return {
        "name": signature.model,
        "versions": versions,
        "platform": signature.platform,
        "inputs": [described(spec) for spec in signature.inputs],
        "outputs": [described(spec) for spec in signature.outputs],
    }
