"""`config.pbtxt` becomes the same configuration as its JSON; what cannot be honoured is named with its line."""

from __future__ import annotations

import pytest

from edgefleet_agent.serving.config.config_json import config_from_plain
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.config.pbtxt import read_pbtxt
from edgefleet_agent.serving.models.model_source import configured_runtime
from edgefleet_contract.core.errors import InputError

FULL = """
name: "m"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [ { name: "A" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 4 ] reshape { shape: [ 12 ] } optional: true } ]
output { name: "B" data_type: TYPE_STRING dims: -1 label_filename: "labels.txt" }
version_policy: { specific { versions: [ 1, 3 ] } }
dynamic_batching {
  preferred_batch_size: [ 4, 8 ]
  max_queue_delay_microseconds: 100
  priority_levels: 2
  default_priority_level: 1
  default_queue_policy { timeout_action: DELAY max_queue_size: 3 }
  priority_queue_policy { key: 2 value { default_timeout_microseconds: 7 allow_timeout_override: true } }
}
instance_group [ { count: 2 kind: KIND_CPU rate_limiter { resources [ { name: "R" global: true count: 2 } ] priority: 3 } } ]
model_warmup [ { name: "w" batch_size: 1 inputs { key: "A" value { data_type: TYPE_FP32 dims: [ 3, 4 ] random_data: true } } } ]
response_cache { enable: true }
parameters { key: "intra_op_thread_count" value { string_value: "2" } }
optimization { graph { level: 1 } priority: PRIORITY_MAX input_pinned_memory { enable: true } }
model_transaction_policy { decoupled: false }
"""


def config_of(text: str) -> ServingConfig:
    plain, source = read_pbtxt(text, "config.pbtxt")
    try:
        config = config_from_plain(plain)
        configured_runtime(config)
    except InputError as cause:
        raise InputError(source.locate(str(cause))) from cause
    return config


def test_every_part_is_read() -> None:
    config = config_of(FULL)
    assert configured_runtime(config) == "onnx_runtime"
    assert (config.max_batch_size, config.instances) == (8, 2)
    assert config.input[0].own_dims == [12]
    assert config.input[0].optional
    assert config.output[0].label_filename == "labels.txt"
    assert config.version_policy.choose(["1", "2", "3"]) == ["1", "3"]
    batching = config.dynamic_batching
    assert batching is not None
    assert (batching.policy(1).timeout_action, batching.policy(1).max_queue_size) == ("DELAY", 3)
    assert (batching.policy(2).default_timeout_microseconds, batching.policy(2).allow_timeout_override) == (7, True)
    assert [limit.resources[0].count for limit in config.rate_limits] == [2, 2]
    assert config.model_warmup[0].inputs["A"].random_data
    assert config.response_cache.enable
    assert config.parameters["intra_op_thread_count"].string_value == "2"


ONE_OF = """sequence_batching { state { input_name: "A" output_name: "B" data_type: TYPE_FP32 dims: 1
  initial_state { data_type: TYPE_FP32 dims: 1 zero_data: true data_file: "x" } } }"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('max_batch_size: 4\nbackend: "python"', "config.pbtxt:2: backend: 'python' is not available"),
        ('platform: "tensorrt_plan"', "config.pbtxt:1: platform: 'tensorrt_plan' is not available"),
        ("\nmax_batch: 4", "config.pbtxt:2: max_batch: is not a field"),
        ('max_batch_size: "4"', "config.pbtxt:1: max_batch_size: must be a whole number"),
        ("max_batch_size: 4\nmax_batch_size: 5", "config.pbtxt:2: max_batch_size: appears twice"),
        ("max_batch_size: 100000", "config.pbtxt:1: max_batch_size: must be a whole number up to 1024"),
        ('name: m"', "config.pbtxt:1: "),
        (
            'input [ {\n name: "A"\n data_type: TYPE_FP32 dims: 1\n is_shape_tensor: true } ]',
            r"config.pbtxt:4: input\[0\].is_shape_tensor: ",
        ),
        ('input { name: "A" data_type: TYPE_FP32 dims: 1\n allow_ragged_batch: true }', "config.pbtxt:2: input.*allow_ragged"),
        (
            'input { name: "A" data_type: TYPE_FP32 dims: [2, 3]\n reshape { shape: [5] } }',
            r"config.pbtxt:2: input\[0\].reshape: \[5\] has not as many elements",
        ),
        ("instance_group [\n {\n count: 0x7000 } ]", r"config.pbtxt:3: instance_group\[0\].count: "),
        ('instance_group [ { host_policy: "p" } ]', r"config.pbtxt:1: instance_group\[0\].host_policy: is not supported"),
        ("batch_input [ { kind: BATCH_ELEMENT_COUNT } ]", "config.pbtxt:1: batch_input: is not supported"),
        ("model_transaction_policy {\n decoupled: true }", "config.pbtxt:2: model_transaction_policy.decoupled: no runtime"),
        (
            'optimization {\n execution_accelerators { gpu_execution_accelerator [ { name: "tensorrt" } ] } }',
            "config.pbtxt:2: optimization.execution_accelerators: are not supported",
        ),
        ('platform: "ensemble"', "config.pbtxt:1: platform: an ensemble has"),
        ("sequence_batching { }\ndynamic_batching { }", "config.pbtxt:1: sequence_batching: cannot be combined"),
        (
            "dynamic_batching {\n priority_levels: 2\n default_priority_level: 5 }",
            r"config.pbtxt:3: dynamic_batching.default_priority_level: must be in range \[1, 2\]",
        ),
        (
            "dynamic_batching { priority_levels: 2 default_priority_level: 1\n priority_queue_policy { key: 9 value: { } } }",
            r"config.pbtxt:2: dynamic_batching.priority_queue_policy\[9\]: must have priority level in range \[1, 2\]",
        ),
        (
            "max_batch_size: 8\ndynamic_batching { preferred_batch_size: [4, 16] }",
            r"config.pbtxt:2: dynamic_batching.preferred_batch_size\[1\]: must be <= max_batch_size, 8",
        ),
        ("dynamic_batching { preferred_batch_size: [0] }", r"preferred_batch_size\[0\]: must be positive"),
        (
            "max_batch_size: 8\nsequence_batching { oldest { preferred_batch_size: [16] } }",
            r"config.pbtxt:2: sequence_batching.oldest.preferred_batch_size\[0\]: must be <= max_batch_size, 8",
        ),
        ("version_policy { all { }\n latest { } }", "config.pbtxt:1: version_policy.all: cannot be given beside 'latest'"),
        ("version_policy { latest { } specific { versions: 1 } }", "version_policy.specific: cannot be given beside 'latest'"),
        (
            "sequence_batching { direct { }\n oldest { } }",
            "config.pbtxt:2: sequence_batching.oldest: cannot be given beside 'direct'",
        ),
        (
            ONE_OF,
            "data_file: cannot be given beside 'zero_data'",
        ),
        ("max_batch_size: -1", "max_batch_size: must be a whole number from 0"),
        ('input { name: "A" data_type: FP32 dims: 1 }', r"input\[0\].data_type: must be a name as TYPE_FP32"),
        ("instance_group { kind: KIND_TPU }", r"instance_group\[0\].kind: 'KIND_TPU' is not one of KIND_AUTO"),
        ("sequence_batching { iterative_sequence: true }", "config.pbtxt:1: sequence_batching.iterative_sequence: "),
        ('parameters { key: "a" value { string_value: 5 } }', "config.pbtxt:1: parameters.*text in quotes"),
        ("parameters { key: 1 key: 2 }", "config.pbtxt:1: parameters: an entry must have one key"),
        ('model_repository_agents { agents [ { name: "checksum" } ] }', "config.pbtxt:1: model_repository_agents: is not supp"),
    ],
)
def test_what_cannot_be_honoured_has_file_and_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config_of(text)


def test_names_that_triton_reports_are_taken_back() -> None:
    """Empty fields, and the library that Triton names as `runtime`."""
    plain = {"runtime": "libtriton_onnxruntime.so", "platform": "onnxruntime_onnx", "backend": "onnxruntime"}
    plain |= {"instance_group": [{"name": "m", "kind": "KIND_CPU", "count": 1, "passive": False, "host_policy": ""}]}
    config = config_from_plain({**plain, "batch_input": [], "optimization": {"priority": "PRIORITY_DEFAULT"}, "metric_tags": {}})
    assert configured_runtime(config) == "onnx_runtime"
