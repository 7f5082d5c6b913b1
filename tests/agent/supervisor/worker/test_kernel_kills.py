"""The kernel's kills in the control group of the worker, from folders as the kernel has them."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.supervisor.worker.kernel_kills import KILLED, KernelKills
from edgefleet_agent.supervisor.worker.worker_process import WorkerProcess

EVENTS = "low 0\nhigh 0\nmax 12\noom 3\noom_kill {}\noom_group_kill 0\n"


def kill_in(group: Path, kills: int) -> None:
    group.mkdir(parents=True, exist_ok=True)
    (group / "memory.events").write_text(EVENTS.format(kills))


def test_kills_since_the_start_count(tmp_path: Path) -> None:
    processes, groups = tmp_path / "proc", tmp_path / "cgroup"
    group = groups / "system.slice" / "edgefleet-agent.service"
    (processes / "7").mkdir(parents=True)
    (processes / "7" / "cgroup").write_text("1:name=systemd:/x\n0::/system.slice/edgefleet-agent.service\n")
    kill_in(group, 2)
    kills = KernelKills.of(7, processes, groups)
    assert not kills.happened, "those of earlier processes"
    kill_in(group, 3)
    assert kills.happened
    assert not KernelKills.of(7, processes, groups).happened


@pytest.mark.parametrize("text", ["", "oom_kill\n", "oom_kill many\n", "\x00\xff"])
def test_without_the_counter_nothing_is_known(tmp_path: Path, text: str) -> None:
    """Version 1 of control groups, a container without them, a process that is gone."""
    assert not KernelKills(None).happened
    assert not KernelKills.of(7, tmp_path / "none", tmp_path).happened
    kills = KernelKills(tmp_path)
    (tmp_path / "memory.events").write_text(text)
    assert not kills.happened


@pytest.mark.parametrize(
    ("ended", "kills", "for_memory", "detail"),
    [
        (signal.SIGKILL, 1, True, KILLED),
        (signal.SIGKILL, 0, False, "the worker crashed: signal SIGKILL"),
        (signal.SIGSEGV, 1, False, "the worker crashed: signal SIGSEGV"),
    ],
)
def test_a_worker_that_the_kernel_ended_for_memory_is_no_crash_like_others(
    tmp_path: Path, ended: signal.Signals, kills: int, for_memory: bool, detail: str
) -> None:
    kill_in(tmp_path, 0)
    worker = WorkerProcess(
        [sys.executable, "-c", "import time; time.sleep(60)"], SystemClock(), lambda: None, lambda _pid: KernelKills(tmp_path)
    )
    worker.turn(time.monotonic())
    assert worker.pid is not None
    kill_in(tmp_path, kills)
    os.kill(worker.pid, ended)
    while not worker.crashes:
        worker.turn(time.monotonic())
        time.sleep(0.005)
    assert (worker.killed_for_memory, worker.crash_detail) == (for_memory, detail)
    worker.stop()
