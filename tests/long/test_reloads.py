"""A thousand reloads of a real model under load: no failed request, memory flat. Some minutes.

[EDGEFLEET_RELOADS=100] python -m pytest -m long -s tests/long/test_reloads.py
"""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import statistics
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from edgefleet_agent.cli.measure.load_clients import GrpcLoadClient, HttpLoadClient, Tensor, closed_loop, grpc_infer, http_infer
from edgefleet_contract.core.errors import UnavailableError

pytestmark = [pytest.mark.long(minutes=10), pytest.mark.timeout(3600)]

RELOADS = int(os.environ.get("EDGEFLEET_RELOADS", "1000"))
GROWN_MB_MAX = 15.0
INPUT = Tensor("input", "UINT8", (1, 224, 224, 3), bytes(224 * 224 * 3))
FILE = "models/onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"


def test_a_thousand_reloads(data: Path, tmp_path: Path) -> None:
    (tmp_path / "mobilenet" / "1").mkdir(parents=True)
    shutil.copyfile(data / FILE, tmp_path / "mobilenet" / "1" / "model.onnx")
    command = [sys.executable, "-m", "edgefleet_agent", "serve", str(tmp_path), "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        ports = {kind: int(server.stdout.readline().rpartition(":")[2]) for kind in ("grpc", "http")}
        ending = threading.Event()
        counts = {"http": 0, "grpc": 0}
        failures: list[str] = []

        def keep_calling(kind: str) -> None:
            while not ending.is_set():
                try:
                    if kind == "http":
                        request = http_infer("mobilenet", [INPUT])
                        figures = closed_loop([HttpLoadClient(("127.0.0.1", ports["http"]), request) for _ in range(2)], 1.0)
                    else:
                        request = grpc_infer("mobilenet", [INPUT])
                        figures = closed_loop([GrpcLoadClient(("127.0.0.1", ports["grpc"]), request) for _ in range(2)], 1.0)
                except UnavailableError as failure:
                    failures.append(f"{kind}: {failure}")
                    return
                failures.extend(figures.failures)
                counts[kind] += len(figures.latencies_s)

        callers = [threading.Thread(target=keep_calling, args=(kind,)) for kind in counts]
        for caller in callers:
            caller.start()
        process = psutil.Process(server.pid)
        sizes_mb: list[float] = []
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", ports["http"], timeout=120)) as line:
            for number in range(1, RELOADS + 1):
                line.request("POST", "/v2/repository/models/mobilenet/load")
                answer = line.getresponse()
                assert (answer.status, answer.read()) == (200, b"{}")
                if number % max(1, RELOADS // 100) == 0:
                    sizes_mb.append(round(process.memory_full_info().pss / 1e6, 1))
                if number % max(1, RELOADS // 10) == 0:
                    print(number, counts, sizes_mb[-1], "MB", flush=True)
        ending.set()
        for caller in callers:
            caller.join()
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0
    assert not failures
    assert min(counts.values()) > 0
    # Means of many: at any moment there may be one session more, for lone calls, or one that is just being replaced.
    before, after = sizes_mb[len(sizes_mb) // 10 : len(sizes_mb) // 2], sizes_mb[len(sizes_mb) // 2 :]
    print(f"memory: {statistics.mean(before):.1f} MB, then {statistics.mean(after):.1f} MB")
    assert statistics.mean(after) - statistics.mean(before) < GROWN_MB_MAX, sizes_mb
