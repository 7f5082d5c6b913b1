"""The pipelines that the worker was sent, and its answer: which it took, and why not the others."""

from __future__ import annotations

from collections.abc import Mapping

from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.pipeline.spec import PipelineSpec


class PipelineRequests:
    """Pipelines of one worker process. `detail`: why the process refused a request, for a person; "" since the last one sent."""

    def __init__(self, port: WorkerPort) -> None:
        self._port = port
        self.detail = ""
        self._refused: dict[str, str] = {}
        self._accepted: dict[str, PipelineSpec] = {}
        self._unanswered: tuple[int, list[PipelineSpec]] | None = None
        self._sent_specs: bytes | None = None

    def differ(self, specs: list[PipelineSpec]) -> bool:
        """Whether the pipelines last sent to the process differ from `specs`."""
        return self._sent_specs != _fingerprint(specs)

    def send(self, request: int, specs: list[PipelineSpec]) -> None:
        """Send the pipelines to run."""
        self.detail = ""
        if self._port.send(wire.SetPipelines(request=request, pipelines=specs)):
            self._sent_specs = _fingerprint(specs)
            self._unanswered = request, specs

    def runs(self, spec: PipelineSpec) -> bool:
        """The process has taken exactly this pipeline."""
        accepted = self._accepted.get(spec.name)
        return accepted is not None and accepted.work() == spec.work()

    def refusal(self, spec: PipelineSpec) -> str:
        """The reason why the process refused this pipeline; "" where it did, or has not answered yet."""
        answered = self._unanswered is None and self._sent_specs is not None
        return self._refused.get(spec.name, "") if answered and not self.runs(spec) else ""

    def on_answer(self, answer: wire.Done) -> None:
        """Take the answer to the last request; another one changes nothing. Refused pipelines keep their earlier spec; if the
        answer names none, all were refused."""
        if self._unanswered is None or self._unanswered[0] != answer.request:
            return
        specs = self._unanswered[1]
        self._unanswered, self._refused = None, dict(answer.refused)
        if not answer.ok and not answer.refused:
            self._refused = {spec.name: answer.detail for spec in specs}
        before = self._accepted
        self._accepted = {spec.name: spec for spec in specs if spec.name not in self._refused}
        self._accepted |= {name: before[name] for name in self._refused if name in before}

    def forget(self) -> None:
        """The process is another one, or none: everything has to be sent again."""
        self._sent_specs = self._unanswered = None
        self._accepted.clear()
        self._refused.clear()


def used_slots(specs: Mapping[str, PipelineSpec]) -> set[str]:
    """Slots that some pipeline shows frames."""
    return {slot for spec in specs.values() for slot in spec.slots()}


def _fingerprint(specs: list[PipelineSpec]) -> bytes:
    return b"\n".join(encode(spec) for spec in specs)
