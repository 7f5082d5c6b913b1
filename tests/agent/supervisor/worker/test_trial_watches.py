"""Counters of a trial: frames and errors since the load, crashes since its begin, and contact to the server."""

from __future__ import annotations

from edgefleet_agent.supervisor.worker.trial_watches import TrialWatches
from edgefleet_agent.updates.state import TrialWatch
from edgefleet_contract.wire.messages import PipelineGauges
from edgefleet_contract.worker_process import Gauges, Heartbeat
from tests.agent.fakes.device import DirectWorker

SLOT, LINE = "detector", "pipeline-line"


def beat(frames: int, errors: int = 0) -> Heartbeat:
    return Heartbeat(monotonic_s=0.0, frames_total={SLOT: frames, LINE: frames}, errors_total={SLOT: errors, LINE: errors})


def window(fps: float, errors: int = 0) -> Gauges:
    gauges = PipelineGauges(process_fps=fps, quiet_fps=1.0, dropped={"error": errors})
    return Gauges(window_s=2.0, pipelines={"line": gauges, "detector": gauges})


def test_frames_of_a_model_count_from_the_first_heartbeat_after_its_load() -> None:
    trials = TrialWatches(DirectWorker())
    trials.begin(SLOT, 10.0)
    trials.on_heartbeat(beat(100, 7))  # of the package before
    assert trials.watch(SLOT) == TrialWatch(began_s=10.0)
    trials.model_loaded(SLOT, 12.0)
    trials.on_heartbeat(beat(110, 7))
    trials.on_heartbeat(beat(130, 9))
    trials.on_window(window(25.0, 3))  # of pipelines
    assert trials.watch(SLOT) == TrialWatch(began_s=10.0, loaded_s=12.0, frames=20, errors=2)


def test_frames_of_a_pipeline_count_from_its_first_whole_window() -> None:
    trials = TrialWatches(DirectWorker())
    trials.begin(LINE, 1.0)
    trials.on_window(window(25.0, 1))
    trials.pipeline_loaded(LINE, 2.0)
    trials.on_window(window(25.0, 1))  # began before it was loaded
    trials.pipeline_loaded(LINE, 4.0)  # it runs still
    trials.on_window(window(25.0, 4))
    trials.on_heartbeat(beat(500, 5))  # of models
    assert trials.watch(LINE) == TrialWatch(began_s=1.0, loaded_s=2.0, frames=52, errors=4)


def test_frames_that_came_while_it_was_busy_count_from_the_load_on() -> None:
    trials = TrialWatches(DirectWorker())
    for slot in (SLOT, LINE):
        trials.begin(slot, 1.0)
    trials.model_loaded(SLOT, 2.0)
    trials.pipeline_loaded(LINE, 2.0)
    for total in (40, 50, 90):
        trials.on_heartbeat(Heartbeat(monotonic_s=0.0, skipped_total={SLOT: total}))
        gauges = PipelineGauges(dropped={"busy": 3, "shared": 2, "late": 1, "off": 10, "damaged": 20})
        trials.on_window(Gauges(window_s=2.0, pipelines={"line": gauges}))
    assert [found.skipped for slot in (SLOT, LINE) if (found := trials.watch(slot))] == [50, 12]


def test_crashes_count_since_the_begin_and_what_was_loaded_is_not_any_more() -> None:
    port = DirectWorker(crashes=3)
    trials = TrialWatches(port)
    trials.begin(SLOT, 0.0)
    trials.model_loaded(SLOT, 1.0)
    port.crashes, port.crash_detail = 5, "signal 11"
    trials.unload()
    found = trials.watch(SLOT)
    assert found is not None
    assert (found.crashes, found.crash_detail, found.loaded_s) == (2, "signal 11", None)


def test_contact_to_the_server_counts_only_once_it_is_loaded() -> None:
    trials = TrialWatches(DirectWorker())
    trials.begin(SLOT, 0.0)
    trials.on_server_contact()
    assert not trials.awaits_server
    trials.model_loaded(SLOT, 1.0)
    assert trials.awaits_server
    trials.on_server_contact()
    assert not trials.awaits_server
    assert trials.watch(SLOT) == TrialWatch(began_s=0.0, loaded_s=1.0, server_contact=True)
    trials.end(SLOT)
    assert trials.watch(SLOT) is None
