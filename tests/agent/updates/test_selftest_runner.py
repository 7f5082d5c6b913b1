"""A candidate that crashes, hangs, gives invalid output or fails does so in a separate process, and the reason is returned."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from edgefleet_agent.updates.selftest_runner import TEST_S_MAX, SelfTestRunner
from edgefleet_agent.updates.state import Check, SelfTest
from edgefleet_contract.wire.reason_codes import Reason

DIGEST = "a" * 64


def run(code: str, folder: Path, hurry_s: float = 0.0) -> SelfTest:
    selftests = SelfTestRunner([sys.executable, "-c", code])
    selftests.start(DIGEST, folder, 0.0)
    assert selftests.result(DIGEST) == SelfTest(DIGEST, Check.RUNNING)
    selftests.start("b" * 64, folder, 0.0)
    assert selftests.result("b" * 64) is None, "one at a time"
    while selftests.busy:
        selftests.turn(hurry_s)
        time.sleep(0.01)
    result = selftests.result(DIGEST)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("code", "check", "reason", "detail"),
    [
        ('print(\'{"ok":true,"latency_ms":3.14,"device":"cpu"}\')', Check.PASSED, Reason.NONE, "3.1 ms on cpu"),
        ("print('warning of a library'); print('{\"ok\":true}')", Check.PASSED, Reason.NONE, ""),
        (
            'print(\'{"ok":false,"reason":"over_latency","detail":"slow"}\'); raise SystemExit(5)',
            Check.FAILED,
            Reason.OVER_LATENCY,
            "slow",
        ),
        ('print(\'{"ok":false,"reason":"??"}\'); raise SystemExit(5)', Check.FAILED, Reason.MODEL_REFUSED, ""),
        ("print('{\"ok\":true}'); raise SystemExit(1)", Check.FAILED, Reason.MODEL_REFUSED, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Check.FAILED, Reason.SELFTEST_CRASH, "killed by SIGSEGV"),
        ("raise SystemExit('no such library')", Check.FAILED, Reason.SELFTEST_CRASH, "no such library"),
        ("pass", Check.FAILED, Reason.SELFTEST_CRASH, "no result; no output"),
        ("print('x' * 10**6)", Check.FAILED, Reason.SELFTEST_CRASH, "no result"),
    ],
)
def test_the_verdict_of_a_self_test(tmp_path: Path, code: str, check: Check, reason: Reason, detail: str) -> None:
    result = run(code, tmp_path)
    assert (result.check, result.reason) == (check, reason)
    assert detail in result.detail


def test_a_self_test_without_end_is_ended(tmp_path: Path) -> None:
    result = run("import time; time.sleep(600)", tmp_path, TEST_S_MAX + 1)
    assert (result.check, result.reason) == (Check.FAILED, Reason.SELFTEST_CRASH)
    assert "did not finish" in result.detail


def test_stopping_the_agent_stops_the_test(tmp_path: Path) -> None:
    selftests = SelfTestRunner([sys.executable, "-c", "import time; time.sleep(600)"])
    selftests.start(DIGEST, tmp_path, 0.0)
    selftests.stop()
    assert not selftests.busy
    assert selftests.result(DIGEST) is None


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ('print(\'{"ok":true,"latency_ms":3.14,"device":"cpu"}\')', "passed 3.1 ms on cpu"),
        ('print(\'{"ok":true,"latency_ms":0.0,"device":""}\')', "passed"),  # of a pipeline
        ('print(\'{"ok":false,"reason":"over_latency","detail":"slow"}\'); raise SystemExit(5)', "failed over_latency slow"),
    ],
)
def test_the_log_has_the_verdict_in_words(code: str, line: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    run(code, tmp_path)
    assert caplog.messages[-1] == f"self-test of {DIGEST[:12]}: {line}"
