"""Configuration of a served model: Triton's `ModelConfig`, with Triton's names and meanings.

It comes from `config.pbtxt` or `serving.toml` beside a model's versions, or from the `config` parameter (JSON) of `load`; the
`config` endpoints return it. Numbers have limits: a caller that may load models must not start a thousand threads.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from edgefleet_agent.serving.config.sequence_config import SequenceBatching
from edgefleet_agent.serving.config.tensor_config import InputConfig, OutputConfig
from edgefleet_agent.serving.config.traffic_split import SHARES_MAX, WEIGHT_MAX
from edgefleet_agent.serving.config.warm_up import WarmUp
from edgefleet_contract.core.errors import InputError

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

    def missing(self, versions: Collection[str]) -> list[str]:
        """The versions that are named and not among `versions`."""
        return [] if self.specific is None else [name for name in map(str, self.specific.versions) if name not in versions]


class ModelParameter(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelParameter`: text for the runtime."""

    string_value: Annotated[str, Meta(max_length=4096)] = ""


class TransactionPolicy(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelTransactionPolicy`. decoupled: any number of responses to a request."""

    decoupled: bool = False


class ScheduledStep(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelEnsembling.Step`. model_version -1: the newest. The maps go from the model's tensors to those of the ensemble."""

    model_name: Annotated[str, Meta(min_length=1, max_length=64)]
    model_version: Annotated[int, Meta(ge=-1)] = -1
    input_map: Annotated[dict[str, str], Meta(max_length=256)] = {}
    output_map: Annotated[dict[str, str], Meta(max_length=256)] = {}
    model_namespace: Literal[""] = ""


class EnsembleScheduling(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelEnsembling`."""

    step: Annotated[list[ScheduledStep], Meta(min_length=1, max_length=64)]


class ServingConfig(msgspec.Struct, forbid_unknown_fields=True):
    """The configuration of a model. None: decided by measurement when the model is loaded (see `model_loader`).

    platform, backend: Triton's words for the runtime. input, output: the tensors as callers see them; empty: those of the file.
    split: version -> its share of the calls that name no version. threads: of each session, 0 for the runtime's default.
    runtime: one of `edgefleet-agent detect`, empty for the default. isolation: `process` runs each session in a process of its
    own, with a time limit of a run. faults_max: failures in a row that take the model out of service, 0 for never. deterministic:
    equal requests give equal bits.
    """

    name: str = ""
    platform: str = ""
    backend: str = ""
    default_model_filename: Annotated[str, Meta(max_length=255)] = ""
    input: Annotated[list[InputConfig], Meta(max_length=1024)] = []
    output: Annotated[list[OutputConfig], Meta(max_length=1024)] = []
    ensemble_scheduling: EnsembleScheduling | None = None
    parameters: Annotated[dict[str, ModelParameter], Meta(max_length=256)] = {}
    model_transaction_policy: TransactionPolicy = msgspec.field(default_factory=TransactionPolicy)
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
