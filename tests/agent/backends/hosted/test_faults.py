"""Faults of host processes × runtimes: a call fails within its limit, the next load works, and no process is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.hosted import session as hosted_session
from edgefleet_agent.backends.hosted.backend import HostedBackend
from edgefleet_agent.backends.hosted.session import HostedSession
from edgefleet_agent.backends.isolated.run_limit import FixedLimit
from edgefleet_agent.backends.restart_pause import FAILED_MAX
from edgefleet_contract.core.errors import ModelError
from tests.agent.backends.hosted.conftest import Hosted
from tests.conftest import ROOT

RUNTIMES = ("hailo", "rknn")
RUN_S_MAX = 1.0


@pytest.fixture(params=RUNTIMES)
def hosted(request: pytest.FixtureRequest) -> Hosted:
    made: Hosted = request.getfixturevalue(request.param)
    return made


def limited(hosted: Hosted) -> HostedSession:
    assert isinstance(hosted.backend, HostedBackend)
    usual = msgspec.to_builtins(hosted.backend.options())
    return HostedSession(
        hosted.backend.hosted, hosted.write(hosted.folder / "model"), hosted.device, usual, FixedLimit(RUN_S_MAX)
    )


def run(session: Session) -> Array:
    inputs = {spec.name: np.ones(spec.shape, spec.dtype) for spec in session.inputs}
    return next(iter(session.infer(inputs).values()))


def has_ended(pid: int) -> bool:
    """Whether the process has ended, or does so within some seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if "(zombie)" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8"):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(("fault", "text"), [("fail", "failed"), ("abort", "was ended by SIGABRT"), ("hang", "no response")])
def test_a_fault_of_a_run(hosted: Hosted, fault: str, text: str) -> None:
    session = limited(hosted)
    with contextlib.closing(session):
        right = run(session).copy()
        first = session.pid
        hosted.fault(f"{fault} 1")
        began_s = time.monotonic()
        with pytest.raises(ModelError, match=text):
            run(session)
        assert time.monotonic() - began_s < RUN_S_MAX + 3
        assert (fault == "fail") == (session.pid == first)
        assert fault == "fail" or has_ended(first)
        hosted.fault("")
        assert np.array_equal(run(session), right)
        last = session.pid
    assert has_ended(last)


@pytest.mark.parametrize(("fault", "text"), [("fail", "cannot load it"), ("abort", "was ended by SIGABRT")])
def test_a_fault_of_a_load(hosted: Hosted, fault: str, text: str) -> None:
    hosted.fault(f"{fault} load")
    with pytest.raises(ModelError, match=text):
        hosted.load()
    hosted.fault("")
    with contextlib.closing(hosted.load()) as session:
        run(session)


def test_a_load_that_hangs(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    hosted.fault("hang load")
    assert isinstance(hosted.backend, HostedBackend)
    short = type(hosted.backend.hosted)(
        **{name: getattr(hosted.backend.hosted, name) for name in hosted.backend.hosted.__slots__ if name != "load_s_max"},
        load_s_max=1.0,
    )
    with monkeypatch.context() as patched:
        patched.setattr(type(hosted.backend), "hosted", short)
        with pytest.raises(ModelError, match=r"no response from the process of .* for 1 s"):
            hosted.load()
    hosted.fault("")
    with contextlib.closing(limited(hosted)) as session:
        run(session)


def test_a_process_that_is_killed_between_runs_costs_no_frame(hosted: Hosted) -> None:
    with contextlib.closing(limited(hosted)) as session, contextlib.closing(limited(hosted)) as other:
        right = run(session).copy()
        assert other.pid == session.pid
        os.kill(session.pid, signal.SIGKILL)
        session._host._process.wait(5.0)  # type: ignore[union-attr]
        assert np.array_equal(run(session), right)
        assert np.array_equal(run(other), right)
        assert other.pid == session.pid


def test_a_process_that_dies_again_and_again_gets_a_pause(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(limited(hosted)) as session:
        hosted.fault("abort 0")
        for _ in range(hosted_session.PROMPT_RESTARTS + 1):
            with pytest.raises(ModelError, match="SIGABRT"):
                run(session)
        with pytest.raises(ModelError, match=r"SIGABRT.*3 times; it starts again in \d+ s"):
            run(session)
        assert session.pid == 0
        hosted.fault("")
        session.recover(lambda: False)
        run(session)


def test_a_process_whose_runs_all_fail_gives_way_to_a_new_one(hosted: Hosted) -> None:
    """Loading again after a failed device happens beside the old session."""
    hosted.fault("fail 1")
    with contextlib.closing(limited(hosted)) as session:
        right = run(session).copy()
        for count in range(FAILED_MAX):
            with contextlib.closing(limited(hosted)) as other:
                assert other.pid == session.pid, count
            with pytest.raises(ModelError, match="failed"):
                run(session)
        failed = session.pid
        with contextlib.closing(limited(hosted)) as again:
            assert has_ended(failed)
            assert np.array_equal(run(again), right)
            hosted.fault("")
            assert np.array_equal(run(session), right)
            assert session.pid == again.pid


HANGING = """
import sys
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.installed import find_backend
session = find_backend(sys.argv[1]).load(tuple(map(Path, sys.argv[3:])), LoadOptions(device=sys.argv[2]))
print(session._inner.pid, flush=True)
session.infer({spec.name: np.ones(spec.shape, spec.dtype) for spec in session.inputs})
"""


def test_the_process_ends_with_the_agent_even_in_a_run(hosted: Hosted) -> None:
    hosted.fault("hang 0")
    files = map(str, hosted.write(hosted.folder / "model"))
    command = [sys.executable, "-c", HANGING, hosted.backend.name, hosted.device, *files]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as agent:
        assert agent.stdout is not None
        host = int(agent.stdout.readline())
        time.sleep(0.3)
        agent.kill()
    assert has_ended(host)


def test_a_model_that_is_closed_leaves_the_others(hosted: Hosted) -> None:
    with contextlib.closing(limited(hosted)) as session:
        other = limited(hosted)
        other.close()
        run(session)
    assert hosted.backend.load(hosted.write(hosted.folder / "again"), LoadOptions(device=hosted.device)).close() is None
