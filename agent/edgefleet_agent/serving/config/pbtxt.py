"""`config.pbtxt`: Triton's `ModelConfig` in Protobuf's text format, as plain data with the line of each field.

The field names and kinds are those of Triton's `model_config.proto`: kinds are `string`, `int`, `float`, `bool`, `word` (the name
of a value of an enumeration) or a message below; `*` repeats, `{type}` is a map. A field that is not listed is an error, as in
Triton.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.text_format import TextMessage, TextValue, read_text_format

_QUEUE = "QueuePolicy"
_SWITCH = "Switch"
_MESSAGES: dict[str, str] = {
    "ModelConfig": "name string, platform string, backend string, runtime string, version_policy VersionPolicy, "
    "max_batch_size int, input *Input, output *Output, batch_input *BatchInput, batch_output *BatchOutput, "
    "optimization Optimization, dynamic_batching DynamicBatching, sequence_batching SequenceBatching, "
    "ensemble_scheduling Ensembling, instance_group *InstanceGroup, default_model_filename string, "
    "cc_model_filenames {string}, metric_tags {string}, parameters {Parameter}, model_warmup *WarmUp, "
    "model_operations Operations, model_transaction_policy TransactionPolicy, model_repository_agents Agents, "
    "response_cache Switch, model_metrics Metrics",
    "VersionPolicy": "latest Latest, all Empty, specific Specific",
    "Latest": "num_versions int",
    "Empty": "",
    "Specific": "versions *int",
    "Reshape": "shape *int",
    "Input": "name string, data_type word, format word, dims *int, reshape Reshape, is_shape_tensor bool, "
    "allow_ragged_batch bool, optional bool, is_non_linear_format_io bool",
    "Output": "name string, data_type word, dims *int, reshape Reshape, label_filename string, is_shape_tensor bool, "
    "is_non_linear_format_io bool",
    "BatchInput": "kind word, target_name *string, data_type word, source_input *string",
    "BatchOutput": "target_name *string, kind word, source_input *string",
    "Optimization": "graph Graph, priority word, cuda Cuda, execution_accelerators Accelerators, input_pinned_memory Switch, "
    "output_pinned_memory Switch, gather_kernel_buffer_threshold int, eager_batching bool",
    "Graph": "level int",
    "Cuda": "graphs bool, busy_wait_events bool, graph_spec *GraphSpec, output_copy_stream bool",
    "GraphSpec": "batch_size int, input {Shape}, graph_lower_bound LowerBound",
    "LowerBound": "batch_size int, input {Shape}",
    "Shape": "dim *int",
    "Accelerators": "gpu_execution_accelerator *Accelerator, cpu_execution_accelerator *Accelerator",
    "Accelerator": "name string, parameters {string}",
    _SWITCH: "enable bool",
    _QUEUE: "timeout_action word, default_timeout_microseconds int, allow_timeout_override bool, max_queue_size int",
    "DynamicBatching": "preferred_batch_size *int, max_queue_delay_microseconds int, preserve_ordering bool, "
    "priority_levels int, default_priority_level int, default_queue_policy QueuePolicy, priority_queue_policy {QueuePolicy}",
    "SequenceBatching": "max_sequence_idle_microseconds int, control_input *ControlInput, direct Direct, oldest Oldest, "
    "state *State, iterative_sequence bool",
    "ControlInput": "name string, control *Control",
    "Control": "kind word, int32_false_true *int, fp32_false_true *float, bool_false_true *bool, data_type word",
    "State": "input_name string, output_name string, data_type word, dims *int, initial_state *InitialState, "
    "use_same_buffer_for_input_output bool, use_growable_memory bool",
    "InitialState": "data_type word, dims *int, zero_data bool, data_file string, name string",
    "Direct": "max_queue_delay_microseconds int, minimum_slot_utilization float",
    "Oldest": "max_candidate_sequences int, preferred_batch_size *int, max_queue_delay_microseconds int, preserve_ordering bool",
    "Ensembling": "step *Step",
    "Step": "model_name string, model_version int, input_map {string}, output_map {string}, model_namespace string",
    "InstanceGroup": "name string, kind word, count int, rate_limiter RateLimiter, gpus *int, secondary_devices *Device, "
    "profile *string, passive bool, host_policy string",
    "Device": "kind word, device_id int",
    "RateLimiter": "resources *Resource, priority int",
    "Resource": "name string, global bool, count int",
    "Parameter": "string_value string",
    "WarmUp": "name string, batch_size int, inputs {WarmUpInput}, count int",
    "WarmUpInput": "data_type word, dims *int, zero_data bool, random_data bool, input_data_file string",
    "Operations": "op_library_filename *string",
    "TransactionPolicy": "decoupled bool",
    "Agents": "agents *Agent",
    "Agent": "name string, parameters {string}",
    "Metrics": "metric_control *MetricControl",
    "MetricControl": "metric_identifier MetricIdentifier, histogram_options HistogramOptions",
    "MetricIdentifier": "family string",
    "HistogramOptions": "buckets *float",
}
_FIELDS = {name: dict(text.split(" ") for text in fields.split(", ") if text) for name, fields in _MESSAGES.items()}
_TRUE, _FALSE = ("true", "True", "t", 1), ("false", "False", "f", 0)
PATH = re.compile(r"[a-z_0-9]+(?:\[[^\]]*\])?(?:\.[A-Za-z_0-9]+(?:\[[^\]]*\])?)*(?=:)")
"""The path of a field at the beginning of an error's text."""


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """The origin of a configuration. lines: path of a field, as `input[0].dims` -> line; empty if they are not known."""

    where: str
    lines: dict[str, int] = field(default_factory=dict)

    def locate(self, text: str) -> str:
        """`FILE:LINE: text` for a text that begins with the path of a field; `FILE: text` for any other."""
        found = PATH.match(text)
        path = found[0] if found else ""
        while path and path not in self.lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return f"{self.where}:{self.lines[path]}: {text}" if path else f"{self.where}: {text}"


def read_pbtxt(text: str, where: str) -> tuple[dict[str, Any], ConfigSource]:
    """A `config.pbtxt` in the form of the JSON of the `config` endpoints.

    Raises:
        InputError: not this format, a field that `ModelConfig` has not, or a value of another kind; the text gives file and line.
    """
    source = ConfigSource(where, {})
    return _message(read_text_format(text, where), "ModelConfig", "", source), source


def _message(message: TextMessage, kind: str, path: str, source: ConfigSource) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, values in message.fields.items():
        at, line = f"{path}{name}", message.lines[name]
        form = _FIELDS[kind].get(name)
        if form is None:
            raise InputError(f"{source.where}:{line}: {at}: is not a field of a model configuration")
        source.lines[at] = line
        if form.startswith("{"):
            plain[name] = _map(values, form[1:-1], at, source)
        elif form.startswith("*"):
            plain[name] = [_value(value, form[1:], f"{at}[{index}]", source) for index, value in enumerate(values)]
        elif len(values) > 1:
            raise InputError(f"{source.where}:{values[1].line}: {at}: appears twice")
        elif values:
            plain[name] = _value(values[0], form, at, source)
    return plain


def _map(values: list[TextValue], kind: str, path: str, source: ConfigSource) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for each in values:
        entry = each.value.fields if isinstance(each.value, TextMessage) else {}
        keys, held = entry.get("key", []), entry.get("value", [])
        if len(keys) != 1 or len(held) > 1 or len(entry) > 1 + bool(held):
            raise InputError(f"{source.where}:{each.line}: {path}: an entry must have one key and one value")
        key = str(keys[0].value)
        empty = TextValue(TextMessage() if kind in _FIELDS else "", each.line, quoted=True)
        plain[key] = _value(held[0] if held else empty, kind, f"{path}[{key}]", source)
    return plain


def _value(value: TextValue, kind: str, path: str, source: ConfigSource) -> Any:
    source.lines[path] = value.line
    given = value.value
    if kind in _FIELDS:
        if isinstance(given, TextMessage):
            return _message(given, kind, f"{path}.", source)
    elif kind == "string" and value.quoted:
        return given
    elif not value.quoted and not isinstance(given, TextMessage):
        if kind == "bool" and given in (*_TRUE, *_FALSE):
            return given in _TRUE
        if kind == "int" and isinstance(given, int):
            return given
        if kind == "word" and isinstance(given, str):
            return given
        if kind == "float":
            try:
                return float(str(given).rstrip("fF") if "inf" not in str(given) else given)
            except ValueError:
                pass
    names = {"string": "text in quotes", "int": "a whole number", "word": "a name without quotes", "bool": "true or false"}
    names["float"] = "a number"
    raise InputError(f"{source.where}:{value.line}: {path}: must be {names.get(kind, 'a block')}")
