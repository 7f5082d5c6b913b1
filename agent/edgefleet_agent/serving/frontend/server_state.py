"""State of the server that its listeners share: metadata, traces, logs, shared memory regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.log_settings import LogSettings
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.json_limits import VALUES_MAX
from edgefleet_agent.serving.protocol.request_spans import RequestSpans
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
"""Extensions in the metadata; shared memory is added if it is allowed."""


@dataclass(slots=True)
class Server:
    """One server. All its listeners share one instance. json_values: limit of the values of one JSON text. draining: the
    server ends, and takes no new requests."""

    name: str
    version: str
    regions: SharedMemoryRegions = field(default_factory=SharedMemoryRegions)
    traces: Traces = field(default_factory=Traces)
    logs: LogSettings = field(default_factory=LogSettings)
    spans: RequestSpans | None = None
    access: AccessLog | None = None
    json_values: int = VALUES_MAX
    draining: bool = False

    @property
    def tracing(self) -> bool:
        """Whether requests have to be passed to `trace`."""
        return self.traces.on or self.spans is not None

    def close(self) -> None:
        """Write and send queued traces, spans and log lines. Close the listeners first."""
        self.traces.close()
        for each in (self.access, self.spans):
            if each is not None:
                each.close()

    def metadata(self) -> dict[str, Any]:
        """The server metadata of the protocol."""
        extensions: Sequence[str] = EXTENSIONS
        if self.regions.allowed:
            extensions = sorted((*EXTENSIONS, "system_shared_memory"))
        return {"name": self.name, "version": self.version, "extensions": extensions}

    def trace(
        self, call: InferenceRequest, signature: TensorSignature, protocol: str, began_ns: int = 0, parent: bytes = b""
    ) -> None:
        """Start the trace of a parsed request, if it is sampled. Call it only while `tracing`.

        began_ns: monotonic time at which the request had arrived. parent: its `traceparent`.
        """
        trace = self.traces.begin(signature.model, signature.version, call.id) if self.traces.on else None
        chosen = self.spans.choose(parent) if self.spans is not None else None
        if trace is None and chosen is not None:
            trace = Trace(0, signature.model, signature.version, call.id, ())
        if trace is not None:
            trace.protocol, trace.parent = protocol, chosen
            trace.stamp(f"{protocol}_RECV_END", began_ns)
            trace.stamp("REQUEST_START")
            trace.carry("TENSOR_QUEUE_INPUT", call.inputs)
            call.trace = trace

    def finish_trace(self, trace: Trace, answer: Answer) -> None:
        """Finish the trace of an answered request."""
        trace.stamp("COMPUTE_END")
        trace.stamp("REQUEST_END")
        if not isinstance(answer, CallError):
            trace.carry("TENSOR_BACKEND_OUTPUT", answer)
        if trace.levels:
            self.traces.finish(trace)
        if trace.parent is not None and self.spans is not None:
            error = str(answer) if isinstance(answer, CallError) else ""
            self.spans.export(trace.parent, trace.model, trace.version, trace.protocol, trace.stamps, error)
