"""Tests a package in a separate process before the worker loads it: `edgefleet-agent selftest`.

A model that makes its runtime crash, hang or exhaust the memory does so there. One test runs at a time, at low priority, with a
time limit; results are kept in memory while this agent runs (a restart tests again).
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from edgefleet_agent.updates.state import Check, SelfTest
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.codec import Wire, decode
from edgefleet_contract.wire.reason_codes import Reason

TEST_S_MAX = 300.0
COMPILE_S_MAX = 3600.0
"""Time limit of a test on a device that compiles the model first: TensorRT on a small board takes minutes for each."""
OUTPUT_BYTES_MAX = 64 * 1024
RESULTS_MAX = 16
NICENESS = 10

log = logging.getLogger(__name__)


class SelfTestOutcome(Wire):
    """The last line that the self-test prints."""

    ok: bool
    reason: str = ""
    detail: str = ""
    latency_ms: float = 0.0
    memory_bytes: int = 0
    runtime: str = ""
    device: str = ""
    variant: str = ""


@dataclass(slots=True)
class _Test:
    digest: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]
    ends_s: float
    timed_out: bool = False


class SelfTestRunner:
    """Runs self-tests. The package's folder is appended to `command`. Times are monotonic seconds. limit_s: of one test."""

    def __init__(self, command: list[str], limit_s: float = TEST_S_MAX) -> None:
        self._command = command
        self._limit_s = limit_s
        self._test: _Test | None = None
        self._results: dict[str, SelfTest] = {}

    @property
    def busy(self) -> bool:
        return self._test is not None

    def result(self, digest: str) -> SelfTest | None:
        """State or result of the test of `digest`; None if there was none."""
        if self._test is not None and self._test.digest == digest:
            return SelfTest(digest, Check.RUNNING)
        return self._results.get(digest)

    def forget(self, digest: str) -> None:
        """Drop the result of `digest`, so that it is tested again: the device may have changed."""
        self._results.pop(digest, None)

    def start(self, digest: str, folder: Path, now: float, command: list[str] | None = None) -> None:
        """Start a test, with `command` instead of the default one if given; does nothing while another test runs."""
        if self._test is not None:
            return
        output, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 (closed in `_finish`)
        process = subprocess.Popen(
            [*(command or self._command), str(folder)], stdin=subprocess.DEVNULL, stdout=output, stderr=errors
        )
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        self._test = _Test(digest, process, output, errors, now + self._limit_s)

    def turn(self, now: float) -> None:
        """Check whether the test has ended."""
        test = self._test
        if test is None:
            return
        code = test.process.poll()
        if code is None:
            if now > test.ends_s:
                test.timed_out = True
                test.process.kill()
            return
        self._finish(test, code)

    def stop(self) -> None:
        """End a running test without a result."""
        if self._test is not None:
            self._test.process.kill()
            self._test.process.wait()
            self._close(self._test)

    def _finish(self, test: _Test, code: int) -> None:
        result = _judge(test, code, self._limit_s)
        reason = () if result.reason is Reason.NONE else (result.reason.value,)
        log.info("self-test of %s: %s", test.digest[:12], " ".join((result.check.value, *reason, result.detail)).rstrip())
        self._results[test.digest] = result
        while len(self._results) > RESULTS_MAX:
            del self._results[next(iter(self._results))]
        self._close(test)

    def _close(self, test: _Test) -> None:
        test.output.close()
        test.errors.close()
        self._test = None


def _judge(test: _Test, code: int, limit_s: float) -> SelfTest:
    if test.timed_out:
        return SelfTest(test.digest, Check.FAILED, Reason.SELFTEST_CRASH, f"the self-test did not finish within {limit_s:.0f} s")
    if code < 0:
        text = f"the self-test was killed by {signal.Signals(-code).name}; {_last_line(test.errors)}"
        return SelfTest(test.digest, Check.FAILED, Reason.SELFTEST_CRASH, text)
    test.output.seek(0)
    data = test.output.read(OUTPUT_BYTES_MAX)
    try:
        outcome = decode(data.strip().splitlines()[-1] if data.strip() else b"", SelfTestOutcome)
    except MessageError:
        text = f"the self-test exited with code {code} and no result; {_last_line(test.errors)}"
        return SelfTest(test.digest, Check.FAILED, Reason.SELFTEST_CRASH, text)
    if outcome.ok and code == 0:
        where = outcome.device or outcome.runtime
        detail = f"{outcome.latency_ms:.1f} ms on {where}" if where else ""  # a pipeline is not measured
        return SelfTest(test.digest, Check.PASSED, detail=detail)
    return SelfTest(test.digest, Check.FAILED, _reason(outcome.reason), outcome.detail)


def _reason(text: str) -> Reason:
    try:
        reason = msgspec.convert(text, ensure_decoder(Reason))
    except msgspec.ValidationError:
        return Reason.MODEL_REFUSED
    return reason if reason is not Reason.NONE else Reason.MODEL_REFUSED


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - 2000))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "no output"
