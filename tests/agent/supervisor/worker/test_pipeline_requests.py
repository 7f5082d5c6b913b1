"""Pipelines that were sent to the worker, and which of them it took."""

from __future__ import annotations

from dataclasses import dataclass, field

from edgefleet_agent.supervisor.worker.pipeline_requests import PipelineRequests, used_slots
from edgefleet_contract import worker_process as wire
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from tests.agent.fakes.device import DirectWorker


@dataclass
class Port(DirectWorker):
    """Takes what it is sent where `up`."""

    sent: list[wire.ToWorker] = field(default_factory=list)

    def send(self, message: wire.ToWorker) -> bool:
        self.sent += [message] if self.up else []
        return self.up


def spec(name: str, uri: str = "a.mp4") -> PipelineSpec:
    stage = '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'
    return read_pipeline(f'name = "{name}"\n[source]\nkind = "file"\nuri = "{uri}"\n{stage}', name)


def test_pipelines_differ_until_they_were_sent_to_this_process() -> None:
    port = Port(up=False)
    requests = PipelineRequests(port)
    assert requests.differ([])
    requests.send(1, [spec("a")])
    assert requests.differ([spec("a")]), "nothing was sent"
    port.up = True
    requests.send(2, [spec("a")])
    assert len(port.sent) == 1
    assert not requests.differ([spec("a")])
    assert requests.differ([spec("a", "b.mp4")])
    requests.forget()
    assert requests.differ([spec("a")])


def test_a_pipeline_runs_once_the_process_answers_and_a_refused_one_keeps_its_earlier_spec() -> None:
    requests = PipelineRequests(Port())
    requests.send(1, [spec("a"), spec("b")])
    assert not requests.runs(spec("a"))
    requests.on_answer(wire.Done(request=7, ok=True))  # to something else
    assert not requests.runs(spec("a"))
    requests.on_answer(wire.Done(request=1, ok=True))
    assert requests.runs(spec("a"))
    requests.send(2, [spec("a", "b.mp4"), spec("b")])
    assert requests.refusal(spec("a", "b.mp4")) == "", "not answered yet"
    requests.on_answer(wire.Done(request=2, ok=False, refused={"a": "no such file"}))
    assert requests.refusal(spec("a", "b.mp4")) == "no such file"
    assert requests.runs(spec("a"))
    assert requests.runs(spec("b"))


def test_an_answer_that_names_none_refuses_all() -> None:
    requests = PipelineRequests(Port())
    requests.send(1, [spec("a"), spec("b")])
    requests.on_answer(wire.Done(request=1, ok=False, detail="no memory"))
    assert [requests.refusal(spec(name)) for name in ("a", "b")] == ["no memory", "no memory"]
    requests.forget()
    assert requests.refusal(spec("a")) == ""


def test_slots_that_pipelines_use() -> None:
    assert used_slots({}) == set()
    assert used_slots({"a": spec("a")}) == {"detector"}
