"""What the server itself is and does, beside its models: shared by its doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.log_settings import LogSettings
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.otel_spans import Spans
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from edgefleet_agent.serving.protocol.tracing import Trace, Traces

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
    regions: SharedMemoryRegions = field(default_factory=SharedMemoryRegions)
    traces: Traces = field(default_factory=Traces)
    logs: LogSettings = field(default_factory=LogSettings)
    spans: Spans | None = None
    access: AccessLog | None = None

    @property
    def tracing(self) -> bool:
        """Whether `trace` has to be asked."""
        return self.traces.on or self.spans is not None

    def close(self) -> None:
        """Write and send what waits. After the doors."""
        self.traces.close()
        for each in (self.access, self.spans):
            if each is not None:
                each.close()

    def tell(self) -> dict[str, Any]:
        """The server metadata of the protocol."""
        extensions: Sequence[str] = EXTENSIONS
        if self.regions.allowed:
            extensions = sorted((*EXTENSIONS, "system_shared_memory"))
        return {"name": self.name, "version": self.version, "extensions": extensions}

    def trace(
        self, call: InferenceRequest, signature: TensorSignature, door: str, began_ns: int = 0, parent: bytes = b""
    ) -> None:
        """Trace a call that has been read, if it is its turn. Asked only while `tracing`.

        began_ns: when its bytes were here, monotonic. parent: its `traceparent`.
        """
        trace = self.traces.begin(signature.model, signature.version, call.id) if self.traces.on else None
        chosen = self.spans.choose(parent) if self.spans is not None else None
        if trace is None and chosen is not None:
            trace = Trace(0, signature.model, signature.version, call.id, ())
        if trace is not None:
            trace.door, trace.parent = door, chosen
            trace.stamp(f"{door}_RECV_END", began_ns)
            trace.stamp("REQUEST_START")
            trace.carry("TENSOR_QUEUE_INPUT", call.inputs)
            call.trace = trace

    def traced(self, trace: Trace, answer: Answer) -> None:
        """A traced call is answered."""
        trace.stamp("COMPUTE_END")
        trace.stamp("REQUEST_END")
        if not isinstance(answer, CallError):
            trace.carry("TENSOR_BACKEND_OUTPUT", answer)
        if trace.levels:
            self.traces.finish(trace)
        if trace.parent is not None and self.spans is not None:
            error = str(answer) if isinstance(answer, CallError) else ""
            self.spans.tell(trace.parent, trace.model, trace.version, trace.door, trace.stamps, error)
