"""Configuration of a served model: the supported part of Triton's `ModelConfig`, with Triton's names and meanings.

It comes from `serving.toml` beside a model's versions, or from the `config` parameter (JSON) of `load`; the `config` endpoints
return it. Numbers have limits: a caller that may load models must not start a thousand threads.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from edgefleet_agent.serving.config.sequence_config import SequenceBatching, sequence_batching_to_json
from edgefleet_agent.serving.config.traffic_split import SHARES_MAX, WEIGHT_MAX
from edgefleet_agent.serving.config.warm_up import WarmUp
from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import datatype_of
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.msgspec_setup import ensure_decoder

BATCH_MAX = 1024
QUEUE_MAX = 256
"""Default limit of queued requests of one model; further ones are refused."""
QUEUE_LIMIT = 65536
WAIT_US_MAX = 30_000_000
"""Default time limit of a queued request."""
INSTANCES_MAX = 64
PRIORITIES_MAX = 64

Count = Annotated[int, Meta(ge=0, le=QUEUE_LIMIT)]
Microseconds = Annotated[int, Meta(ge=0, le=3_600_000_000)]
Batch = Annotated[int, Meta(ge=0, le=BATCH_MAX)]


class QueuePolicy(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelQueuePolicy`. 0 means the limits of this module."""

    timeout_action: Literal["REJECT", "DELAY"] = "REJECT"
    default_timeout_microseconds: Microseconds = 0
    allow_timeout_override: bool = False
    max_queue_size: Count = 0


class DynamicBatching(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelDynamicBatching`. Priority 1 is the highest; 0 levels: no priorities. adaptive_delay (ours): the delay of a batch is
    learned, up to max_queue_delay_microseconds."""

    preferred_batch_size: Annotated[list[Batch], Meta(max_length=64)] = []
    max_queue_delay_microseconds: Microseconds = 0
    preserve_ordering: bool = False
    adaptive_delay: bool = False
    priority_levels: Annotated[int, Meta(ge=0, le=PRIORITIES_MAX)] = 0
    default_priority_level: Annotated[int, Meta(ge=0, le=PRIORITIES_MAX)] = 0
    default_queue_policy: QueuePolicy = msgspec.field(default_factory=QueuePolicy)
    priority_queue_policy: dict[int, QueuePolicy] = {}

    def policy(self, level: int) -> QueuePolicy:
        """The queue policy of a priority level."""
        return self.priority_queue_policy.get(level, self.default_queue_policy)


class Resource(msgspec.Struct, forbid_unknown_fields=True, rename={"everywhere": "global"}):
    """`ModelRateLimiter.Resource`. `global` has no effect: a device has one instance of each resource."""

    name: Annotated[str, Meta(min_length=1, max_length=128)]
    everywhere: bool = False
    count: Annotated[int, Meta(ge=1, le=10_000)] = 1


class RateLimit(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelRateLimiter`: resources of a run of an instance, and its priority (2: half as many turns as 1)."""

    resources: Annotated[list[Resource], Meta(max_length=64)] = []
    priority: Annotated[int, Meta(ge=0, le=1000)] = 1


_GPUS = {"onnx_runtime": "cuda:{}", "open_vino": "gpu.{}"}
"""Device names of a numbered GPU, by runtime."""


class InstanceGroup(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelInstanceGroup`: number and device of concurrent sessions. gpus: `count` sessions on each of these. device (ours): a
    device name of the runtime, such as `npu`."""

    count: Annotated[int, Meta(ge=1, le=INSTANCES_MAX)] = 1
    kind: Literal["KIND_AUTO", "KIND_CPU", "KIND_GPU", "KIND_MODEL"] = "KIND_AUTO"
    gpus: Annotated[list[Annotated[int, Meta(ge=0, le=63)]], Meta(max_length=64)] = []
    device: Annotated[str, Meta(max_length=64)] = ""
    name: str = ""
    rate_limiter: RateLimit | None = None

    @property
    def size(self) -> int:
        """Number of sessions of this group."""
        return self.count * max(len(self.gpus), 1)

    def devices(self, runtime: str) -> list[str]:
        """The device of each session; empty: the device of the package, or the runtime's default.

        Raises:
            InputError: the group is for GPUs, and the runtime has no name for them.
        """
        if self.device:
            return [self.device] * self.size
        if self.kind == "KIND_CPU":
            return ["cpu"] * self.size
        if self.kind != "KIND_GPU" and not self.gpus:
            return [""] * self.size
        if runtime not in _GPUS:
            raise InputError(f"instance_group: runtime {runtime} does not support GPUs; use one of {', '.join(_GPUS)}")
        return [_GPUS[runtime].format(number) for number in self.gpus or [0] for _ in range(self.count)]


class CacheSwitch(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelResponseCache`: whether responses are cached."""

    enable: bool = False


class Latest(msgspec.Struct, forbid_unknown_fields=True):
    """Policy: the newest versions."""

    num_versions: Annotated[int, Meta(ge=1, le=64)] = 1


class Specific(msgspec.Struct, forbid_unknown_fields=True):
    """Policy: these versions."""

    versions: Annotated[list[str | int], Meta(min_length=1, max_length=64)]


class VersionPolicy(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelVersionPolicy`: one of the three."""

    latest: Latest | None = None
    all: dict[str, Any] | None = None
    specific: Specific | None = None

    def choose(self, versions: list[str]) -> list[str]:
        """Those of `versions` (oldest first) that are served."""
        if self.specific is not None:
            chosen = {str(version) for version in self.specific.versions}
            return [version for version in versions if version in chosen]
        if self.all is not None:
            return versions
        return versions[-(self.latest or Latest()).num_versions :]


class ServingConfig(msgspec.Struct, forbid_unknown_fields=True):
    """The configuration of a model. None: decided by measurement when the model is loaded (see `model_loader`).

    split: version -> its share of the calls that name no version. threads: of each session, 0 for the runtime's default.
    runtime: one of `edgefleet-agent detect`, empty for the default. isolation: `process` runs each session in a process of its
    own, with a time limit of a run. faults_max: failures in a row that take the model out of service, 0 for never. deterministic:
    equal requests give equal bits.
    """

    max_batch_size: Batch | None = None
    dynamic_batching: DynamicBatching | None = None
    instance_group: Annotated[list[InstanceGroup], Meta(max_length=16)] = []
    version_policy: VersionPolicy = msgspec.field(default_factory=VersionPolicy)
    sequence_batching: SequenceBatching | None = None
    response_cache: CacheSwitch = msgspec.field(default_factory=CacheSwitch)
    model_warmup: Annotated[list[WarmUp], Meta(max_length=64)] = []
    split: Annotated[dict[str, Annotated[int, Meta(ge=0, le=WEIGHT_MAX)]], Meta(max_length=SHARES_MAX)] = {}
    threads: Annotated[int, Meta(ge=0, le=256)] = 0
    runtime: str = ""
    isolation: Literal["none", "process"] | None = None
    isolation_run_s_max: Annotated[float, Meta(gt=0, le=3600)] = 30.0
    faults_max: Annotated[int, Meta(ge=0, le=1_000_000)] = 8
    deterministic: bool = False

    @property
    def instances(self) -> int | None:
        """Number of concurrent sessions; None if not configured."""
        return min(sum(group.size for group in self.instance_group), INSTANCES_MAX) or None

    def devices(self, runtime: str) -> list[str]:
        """The device of each session (see `InstanceGroup.devices`); empty if not configured."""
        return [device for group in self.instance_group for device in group.devices(runtime)][:INSTANCES_MAX]

    @property
    def rate_limits(self) -> list[RateLimit]:
        """The rate limit of each session, in the order of the groups; empty if no group has one."""
        groups = self.instance_group
        if not any(group.rate_limiter for group in groups):
            return []
        return [group.rate_limiter or RateLimit() for group in groups for _ in range(group.size)][:INSTANCES_MAX]

    @property
    def batching(self) -> DynamicBatching | None:
        """Settings for forming batches of requests, or of one request from each sequence. None if not configured."""
        if self.sequence_batching is None:
            return self.dynamic_batching
        oldest, direct = self.sequence_batching.oldest, self.sequence_batching.direct
        delay_us = oldest.max_queue_delay_microseconds if oldest else direct.max_queue_delay_microseconds if direct else 0
        preferred = oldest.preferred_batch_size if oldest else []
        return DynamicBatching(preferred_batch_size=preferred, max_queue_delay_microseconds=delay_us)


_EMPTY_FIELDS: dict[str, Any] = {"batch_input": [], "batch_output": [], "cc_model_filenames": {}, "metric_tags": {}}
"""Fields of Triton's `ModelConfig` without a meaning here; they are sent empty."""
_READ_ONLY_FIELDS = (
    *_EMPTY_FIELDS,
    *("name", "platform", "backend", "input", "output", "default_model_filename", "parameters", "optimization"),
    *("ensemble_scheduling", "model_transaction_policy"),
)
"""Fields of Triton's `ModelConfig` that are ignored in a `load` request: they follow from the model's files."""

_EMPTY_GROUP_FIELDS = ("profile", "secondary_devices", "passive", "host_policy")


def read_config(text: str | bytes) -> ServingConfig:
    """Parse the `config` parameter of a `load` request.

    Raises:
        CallError: not JSON, an unknown field, or a number beyond its limit.
    """
    try:
        plain = msgspec.json.decode(text)
        if not isinstance(plain, dict):
            raise invalid("parameter 'config' must be a JSON object")
        chosen = {name: value for name, value in plain.items() if name not in _READ_ONLY_FIELDS}
        if isinstance(groups := chosen.get("instance_group"), list):
            chosen["instance_group"] = [_without_empty(group) for group in groups]
        return config_from_plain(chosen)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"parameter 'config' is not a model configuration: {cause}") from cause


def _without_empty(group: Any) -> Any:
    """An instance group without Triton's unsupported fields, if they are empty."""
    if not isinstance(group, dict):
        return group
    return {name: value for name, value in group.items() if value or name not in _EMPTY_GROUP_FIELDS}


def config_from_plain(plain: dict[str, Any]) -> ServingConfig:
    """Convert JSON or TOML data to a configuration.

    Raises:
        msgspec.ValidationError: a field is not valid; the error names it.
    """
    return msgspec.convert(plain, ensure_decoder(ServingConfig), strict=False)


def config_to_json(signature: TensorSignature, config: ServingConfig, instances: int) -> dict[str, Any]:
    """The response of the `config` endpoints: `ModelConfig` as JSON."""

    def described(spec: TensorSpec) -> dict[str, Any]:
        name = datatype_of(spec.dtype)
        dims = spec.shape[1:] if signature.batch else spec.shape
        return {"name": spec.name, "data_type": "TYPE_STRING" if name == "BYTES" else f"TYPE_{name}", "dims": list(dims)}

    plain: dict[str, Any] = {
        "name": signature.model,
        "platform": signature.platform,
        "backend": signature.platform.partition("_")[0],
        "version_policy": msgspec.to_builtins(config.version_policy),
        "max_batch_size": signature.batch,
        "input": [described(spec) | {"format": "FORMAT_NONE", "optional": False} for spec in signature.inputs],
        "output": [described(spec) | {"label_filename": ""} for spec in signature.outputs],
        "instance_group": _groups_to_json(signature.model, config, instances),
        "default_model_filename": "",
        "parameters": {},
        "model_warmup": msgspec.to_builtins(config.model_warmup),
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
    if config.sequence_batching is not None:
        plain["sequence_batching"] = sequence_batching_to_json(config.sequence_batching)
    elif config.dynamic_batching is not None:
        plain["dynamic_batching"] = msgspec.to_builtins(config.dynamic_batching, str_keys=True)
    return plain


def _own_to_json(config: ServingConfig) -> dict[str, Any]:
    """Our own settings that were changed: other readers of a configuration need not know them."""
    own = {name: getattr(config, name) for name in ("isolation", "isolation_run_s_max", "faults_max", "deterministic")}
    usual = ServingConfig()
    return {name: value for name, value in own.items() if value != getattr(usual, name)}


def _groups_to_json(model: str, config: ServingConfig, instances: int) -> list[dict[str, Any]]:
    """The configured groups, or the one that was decided by measurement."""
    groups = config.instance_group or [InstanceGroup(count=instances)]
    return [
        {
            "name": group.name or f"{model}_{index}",
            "kind": "KIND_CPU" if group.kind == "KIND_AUTO" else group.kind,
            "count": group.count,
            "gpus": group.gpus,
            "profile": [],
            **({"device": group.device} if group.device else {}),
        }
        for index, group in enumerate(groups)
    ]


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
