"""What the server itself is and does, beside its models: shared by its doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.serving.call import Call, Signature
from agent.serving.errors import CallError
from agent.serving.log_settings import LogSettings
from agent.serving.queueing import Answer
from agent.serving.shared_memory import Regions
from agent.serving.tracing import Trace, Traces

EXTENSIONS = (
    "binary_tensor_data",
    "classification",
    "generate",
    "logging",
    "model_configuration",
    "model_repository",
    "model_repository(unload_dependents)",
    "parameters",
    "schedule_policy",
    "sequence",
    "sequence(string_id)",
    "statistics",
    "trace",
)
"""Named in the metadata; shared memory joins them where it is allowed."""


@dataclass(slots=True)
class Server:
    """One server. Give the same one to every door."""

    name: str
    version: str
    regions: Regions = field(default_factory=Regions)
    traces: Traces = field(default_factory=Traces)
    logs: LogSettings = field(default_factory=LogSettings)

    def tell(self) -> dict[str, Any]:
        """The server metadata of the protocol."""
        extensions: Sequence[str] = EXTENSIONS
        if self.regions.allowed:
            extensions = sorted((*EXTENSIONS, "system_shared_memory"))
        return {"name": self.name, "version": self.version, "extensions": extensions}

    def trace(self, call: Call, signature: Signature, door: str) -> None:
        """Trace a call that has been read, if it is its turn. Asked only while `traces.on`."""
        trace = self.traces.begin(signature.model, signature.version, call.id)
        if trace is not None:
            trace.stamp(f"{door}_RECV_END")
            trace.stamp("REQUEST_START")
            trace.carry("TENSOR_QUEUE_INPUT", call.inputs)
            call.trace = trace

    def traced(self, trace: Trace, answer: Answer) -> None:
        """A traced call is answered."""
        trace.stamp("COMPUTE_END")
        trace.stamp("REQUEST_END")
        if not isinstance(answer, CallError):
            trace.carry("TENSOR_BACKEND_OUTPUT", answer)
        self.traces.finish(trace)
