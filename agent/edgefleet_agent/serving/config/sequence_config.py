"""`sequence_batching` of a model's configuration, with Triton's names and meanings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

IDLE_US_USUAL = 1_000_000
CONTROLS_MAX = 16
STATES_MAX = 64
CANDIDATES_MAX = 65536

Dims = Annotated[list[Annotated[int, Meta(ge=-1, le=2**31)]], Meta(max_length=16)]
Microseconds = Annotated[int, Meta(ge=0, le=3_600_000_000)]
DataType = Annotated[str, Meta(pattern="^TYPE_[A-Z0-9]+$")]


class Control(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelSequenceBatching.Control`: the meaning of a control tensor. The lists are its values for false and true."""

    kind: Literal["CONTROL_SEQUENCE_START", "CONTROL_SEQUENCE_READY", "CONTROL_SEQUENCE_END", "CONTROL_SEQUENCE_CORRID"] = (
        "CONTROL_SEQUENCE_START"
    )
    int32_false_true: Annotated[list[int], Meta(max_length=2)] = []
    fp32_false_true: Annotated[list[float], Meta(max_length=2)] = []
    bool_false_true: Annotated[list[bool], Meta(max_length=2)] = []
    data_type: DataType | Literal[""] = ""


class ControlInput(msgspec.Struct, forbid_unknown_fields=True):
    """An input of the model that the server fills."""

    name: str
    control: Annotated[list[Control], Meta(min_length=1, max_length=1)]


class InitialState(msgspec.Struct, forbid_unknown_fields=True):
    """The state at the start of a sequence: zeros, or a file of raw values in `initial_state/` beside the versions."""

    data_type: DataType
    dims: Dims
    name: str = ""
    zero_data: bool | None = None
    data_file: str | None = None


class SequenceState(msgspec.Struct, forbid_unknown_fields=True):
    """An output whose value is an input of the next request of the sequence."""

    input_name: str
    output_name: str
    data_type: DataType
    dims: Dims
    initial_state: Annotated[list[InitialState], Meta(max_length=1)] = []
    use_same_buffer_for_input_output: bool = False
    use_growable_memory: bool = False


class Direct(msgspec.Struct, forbid_unknown_fields=True):
    """Each sequence has a fixed index in the batch."""

    max_queue_delay_microseconds: Microseconds = 0
    minimum_slot_utilization: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0


class Oldest(msgspec.Struct, forbid_unknown_fields=True):
    """Batches of the oldest requests, one of each sequence. max_candidate_sequences: of one instance; 0: the largest batch."""

    max_candidate_sequences: Annotated[int, Meta(ge=0, le=CANDIDATES_MAX)] = 0
    preferred_batch_size: Annotated[list[Annotated[int, Meta(ge=0, le=1024)]], Meta(max_length=64)] = []
    max_queue_delay_microseconds: Microseconds = 0
    preserve_ordering: bool = False


class SequenceBatching(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelSequenceBatching`. The default strategy is direct."""

    direct: Direct | None = None
    oldest: Oldest | None = None
    max_sequence_idle_microseconds: Microseconds = 0
    control_input: Annotated[list[ControlInput], Meta(max_length=CONTROLS_MAX)] = []
    state: Annotated[list[SequenceState], Meta(max_length=STATES_MAX)] = []
    iterative_sequence: Literal[False] = False

    @property
    def idle_ns(self) -> int:
        """Idle time after which a sequence is dropped, in nanoseconds."""
        return (self.max_sequence_idle_microseconds or IDLE_US_USUAL) * 1000

    def candidates(self, instances: int, batch: int) -> int:
        """The number of active sequences; further ones wait until one of them ends."""
        if self.oldest is not None and self.oldest.max_candidate_sequences:
            return self.oldest.max_candidate_sequences * instances
        return max(batch, 1) * instances


def sequence_batching_to_json(config: SequenceBatching) -> dict[str, Any]:
    """`sequence_batching` of the `config` endpoints, without unset fields, as in Triton."""
    plain: dict[str, Any] = msgspec.to_builtins(config)
    plain["max_sequence_idle_microseconds"] = config.idle_ns // 1000
    del plain["iterative_sequence"]
    strategy = "oldest" if config.oldest is not None else "direct"
    plain.pop("direct" if strategy == "oldest" else "oldest")
    plain[strategy] = plain[strategy] or msgspec.to_builtins(Direct())
    for control in (control for each in plain["control_input"] for control in each["control"]):
        control["data_type"] = control["data_type"] or "TYPE_INVALID"
    for initial in (initial for each in plain["state"] for initial in each["initial_state"]):
        for name in ("zero_data", "data_file"):
            if initial[name] is None:
                del initial[name]
    return plain
