"""Many threads that read their first message of a kind at the same moment."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

FIRST_READS = """
import sys, threading
from edgefleet_contract.encoding.codec import from_plain
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.core.errors import MessageError
sys.setswitchinterval(1e-6)
plain = {"name": "a", "source": {"kind": "file", "uri": "x"}, "rules": [{"kind": "visit", "name": "v"}], "model": {"slot": "d"}}
together = threading.Barrier(8)
def read():
    together.wait()
    try:
        from_plain(plain, PipelineSpec)
    except MessageError:
        pass
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
PROCESSES = 12
"""Without `ensure_decoder` nearly every second process crashes."""


def test_first_messages_in_many_threads_end_no_process() -> None:
    running = [subprocess.Popen([sys.executable, "-c", FIRST_READS], cwd=ROOT) for _ in range(PROCESSES)]
    assert [process.wait(60) for process in running] == [0] * PROCESSES
