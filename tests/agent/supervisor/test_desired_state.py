"""The desired document: accepted once, stored before it counts, restored at the next start, and completed by imports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.core import state_file
from edgefleet_agent.core.state_file import StateFile
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.updates.usb_import import Local
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Desired
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package

GOOD = make_package("1.1.0", 1000, attempt="good")
NEXT = make_package("1.2.0", 1000, attempt="next")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "state", server_with())
    yield bench
    bench.close()


def document(generation: int) -> Desired:
    return Desired(device="d", generation=generation, slots={SLOT: GOOD.target})


def test_a_newer_document_is_on_disk_and_an_older_one_changes_nothing(bench: Bench) -> None:
    device = bench.device
    device.state.litter = False
    assert desired_state.accept(device, document(2))
    file = device.options.folder / desired_state.FILE
    assert StateFile(file, Desired).read() == device.state.desired == document(2)
    assert device.state.litter
    assert not desired_state.accept(device, document(2))
    assert not desired_state.accept(device, document(1))
    assert desired_state.generation(device) == decode(file.read_bytes(), Desired).generation == 2


def test_a_document_that_the_disk_refuses_does_not_count(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    device = bench.device
    desired_state.accept(device, document(1))

    def refuse(_path: Path, _data: bytes) -> None:
        raise StoreError("full")

    with monkeypatch.context() as patched:
        patched.setattr(state_file, "write_atomic", refuse)
        with pytest.raises(StoreError):
            desired_state.accept(device, document(2))
    assert desired_state.generation(device) == 1
    assert desired_state.accept(device, document(2))


def test_a_new_process_has_the_document_and_a_damaged_one_is_left_out(bench: Bench) -> None:
    root = bench.device.options.folder
    desired_state.accept(bench.device, document(3))
    bench.close()
    again = Bench(root, server_with())
    again.restart()
    assert again.device.state.desired == document(3)
    again.close()
    (root / desired_state.FILE).write_bytes(b"{")
    third = Bench(root, server_with())
    third.restart()
    assert (third.device.state.desired, desired_state.generation(third.device)) == (None, 0)
    third.close()


def test_pipelines_of_the_document_run_and_wrong_ones_are_reported(bench: Bench) -> None:
    text = (
        'name = "line"\n[source]\nkind = "file"\nuri = "line.mp4"\n[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:x"\n'
    )
    desired_state.accept(bench.device, Desired(device="d", generation=1, pipelines={"line": text, "wrong": "name ="}))
    pipelines = bench.device.pipelines
    assert (list(pipelines.specs()), list(pipelines.errors())) == (["line"], ["wrong"])
    assert pipelines.runnable(["x"]) == [pipelines.specs()["line"]]
    assert pipelines.runnable([]) == []


@pytest.mark.parametrize("connected", [True, False])
def test_what_was_imported_by_hand_has_priority_over_the_document(bench: Bench, connected: bool) -> None:
    device = bench.device
    device.sources.usb_imports.local = Local(generation=1, slots={SLOT: NEXT.target})
    device.link.uplink.connected = connected
    assert desired_state.target(device, SLOT) == NEXT.target
    assert desired_state.generation(device) == 0
    desired_state.accept(device, Desired(device="d", generation=1, slots={"counter": GOOD.target}))
    effective = desired_state.effective(device)
    assert effective is not None
    assert effective.slots == {SLOT: NEXT.target, "counter": GOOD.target}
    assert effective.policy.site_offline is not connected
    desired_state.accept(device, document(2))
    assert desired_state.effective(device) == document(2), "a newer document of the server ends the import"
