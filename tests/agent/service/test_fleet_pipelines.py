"""Pipelines from the fleet: installed, tried, committed or rolled back like a model; the source stays on the device."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.cli.measure.selftest import examine_pipeline
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Command, Desired, SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.bench import DEVICE, MakeAgent
from tests.agent.fakes.packages import Package, make_package, make_pipeline
from tests.agent.fakes.repository import Repository
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_update import FIRST, begin, running

SLOT = "pipeline-line"
DOCUMENT = """\
name = "line"
[source]
kind = "device"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
"""
ZONE = """
[[zones]]
name = "{}"
polygon = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
"""


def send(server: FakeServer, package: Package) -> None:
    """Desire the package, and wait for the end of the attempt."""
    server.add(package)
    server.desire(**{"detector": FIRST.target, SLOT: package.target})
    server.wait(lambda: server.slot(SLOT) and ended_in(server, package.target.attempt), 60.0)


def ended_in(server: FakeServer, attempt: str) -> bool:
    report = server.slot(SLOT)
    return report.attempt == attempt and report.phase in (SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED)


@pytest.mark.system
def test_a_pipeline_is_tried_and_the_last_good_one_comes_back(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    good = make_pipeline("line", "1.0.0", DOCUMENT + ZONE.format("door"), attempt="p1")
    send(server, good)
    assert server.slot(SLOT).phase is SlotPhase.COMMITTED, server.slot(SLOT)
    assert server.slot(SLOT).running.digest == good.digest

    bad = make_pipeline("line", "1.0.1", DOCUMENT + ZONE.format("refuse"), attempt="p2")
    send(server, bad)
    report = server.slot(SLOT)
    assert (report.phase, report.reason) == (SlotPhase.ROLLED_BACK, Reason.TRIAL_UNHEALTHY), report
    assert "it has no legs" in report.detail
    server.wait(lambda: server.slot(SLOT).running and server.slot(SLOT).running.digest == good.digest)
    server.wait(lambda: server.reports[-1].pipelines == {"line": "running"})

    lost = make_pipeline("line", "1.0.2", DOCUMENT.replace("slot:detector", "slot:reader"), attempt="p3")
    send(server, lost)
    assert (server.slot(SLOT).phase, server.slot(SLOT).reason) == (SlotPhase.REFUSED, Reason.INCOMPATIBLE)
    assert "requires a model in slot 'reader'; this device has detector" in server.slot(SLOT).detail

    server.command(Command(id="c1", op="pipelines"))
    server.wait(lambda: server.replies)
    fleet, own = server.replies[-1].result["pipelines"]
    assert (fleet["name"], fleet["version"], '"door"' in fleet["text"]) == ("line", "1.0.0", True)
    assert (own["name"], own["version"], "none.mp4" in own["text"]) == ("line", "", True)

    agent.kill()
    agent.start()
    server.wait(lambda: server.slot(SLOT).running and server.slot(SLOT).running.digest == good.digest)


@pytest.mark.system
def test_a_device_with_a_trust_root_takes_signed_pipelines_only(server: FakeServer, make_agent: MakeAgent) -> None:
    repository = Repository()
    repository.add(FIRST.target)
    signed = make_pipeline("line", "1.0.0", DOCUMENT + ZONE.format("door"), attempt="p1")
    repository.add(signed.target)
    server.offer(repository.publish())
    make_agent(FIRST, repository.roots[1]).start()
    server.wait(running(server, FIRST))

    forged = make_pipeline("line", "6.6.6", DOCUMENT, attempt="evil")
    send(server, forged)
    assert (server.slot(SLOT).phase, server.slot(SLOT).reason) == (SlotPhase.REFUSED, Reason.UNSIGNED)
    pushed = Desired(device=DEVICE, generation=server.generation + 1, pipelines={"line": DOCUMENT})
    server.generation += 1
    server.publish(topics.desired(DEVICE), encode(pushed), retain=True)
    server.wait(lambda: "unsigned pipelines" in server.reports[-1].pipelines["line"])
    send(server, signed)
    assert server.slot(SLOT).phase is SlotPhase.COMMITTED, server.slot(SLOT)


@pytest.mark.system
def test_a_pipeline_waits_for_the_model_that_comes_with_it(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    reader = make_package("2.0.0", attempt="m1")
    pipeline = make_pipeline("line", "1.0.0", DOCUMENT.replace("slot:detector", "slot:zz-reader"), attempt="p1")
    server.add(reader, pipeline)
    server.desire(**{SLOT: pipeline.target, "zz-reader": reader.target})
    server.wait(lambda: server.slot(SLOT) and ended_in(server, "p1"), 60.0)
    assert server.slot(SLOT).phase is SlotPhase.COMMITTED, server.slot(SLOT)
    assert server.slot("zz-reader").phase is SlotPhase.COMMITTED


def test_the_self_test_of_a_pipeline_is_that_of_check(tmp_path: Path) -> None:
    model = make_package("1.0.0").write(tmp_path / "model")
    assert examine_pipeline(model, DEVICE) is None
    good = make_pipeline("line", "1.0.0", DOCUMENT).write(tmp_path / "good")
    verdict = examine_pipeline(good, DEVICE)
    assert verdict is not None
    assert verdict.ok
    wrong = DOCUMENT + "[stages.options]\nnosuch = 1\n"
    verdict = examine_pipeline(make_pipeline("line", "1.0.0", wrong).write(tmp_path / "bad"), DEVICE)
    assert verdict is not None
    assert (verdict.ok, verdict.reason) == (False, Reason.INCOMPATIBLE)
    assert "nosuch" in verdict.detail
