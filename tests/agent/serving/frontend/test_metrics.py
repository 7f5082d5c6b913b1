"""The Prometheus metrics: our names pass Prometheus' linter; Triton's names are given on request."""

from __future__ import annotations

import re
import shutil
import subprocess
import urllib.request

import numpy as np
import pytest
import tritonclient.http as triton

from edgefleet_agent.serving.protocol.histogram import LATENCY_S, Histogram
from tests.agent.serving.conftest import Api


def page(api: Api, query: str = "") -> str:
    with urllib.request.urlopen(f"http://{api.http}/metrics{query}", timeout=30) as answer:
        return str(answer.read().decode())


def value(text: str, line: str) -> float:
    found = re.search(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    assert found is not None, line
    return float(found[1])


def ask(api: Api, rows: int) -> None:
    client = triton.InferenceServerClient(api.http)
    given = triton.InferInput("INPUT", [rows, 16], "FP32")
    given.set_data_from_numpy(np.zeros((rows, 16), np.float32))
    client.infer("identity_fp32", [given])
    client.close()


def test_counts_and_histograms_of_a_call(api: Api) -> None:
    labels = 'model="identity_fp32",version="1"'
    ask(api, 1)
    before = page(api)
    ask(api, 3)
    after = page(api)

    def more(name: str, extra: str = "") -> float:
        line = f"{name}{{{labels}{extra}}}"
        return value(after, line) - value(before, line)

    assert more("edgefleet_inference_requests_total", ',outcome="answered"') == 1
    assert more("edgefleet_inference_rows_total") == 3
    assert more("edgefleet_inference_executions_total") == 1
    for name in ("request_duration_seconds", "queue_duration_seconds", "compute_duration_seconds"):
        assert more(f"edgefleet_inference_{name}_count") == 1
        assert more(f"edgefleet_inference_{name}_bucket", ',le="+Inf"') == 1
    assert more("edgefleet_inference_batch_rows_bucket", ',le="2"') == 0
    assert more("edgefleet_inference_batch_rows_bucket", ',le="4"') == 1
    assert more("edgefleet_inference_batch_rows_sum") == 3
    assert "nv_inference" not in after


def test_triton_names_on_request(api: Api) -> None:
    ask(api, 1)
    text = page(api, "?names=triton")
    assert value(text, 'nv_inference_request_success{model="identity_fp32",version="1"}') >= 1
    assert value(text, 'nv_cache_num_hits_per_model{model="identity_fp32",version="1"}') == 0
    assert "edgefleet_" not in text


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
def test_the_linter_of_prometheus_has_nothing_to_say(api: Api) -> None:
    ended = subprocess.run(["promtool", "check", "metrics"], input=page(api), capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")


def test_a_value_on_a_bound_is_below_it() -> None:
    spread = Histogram()
    for seconds in (0.0, LATENCY_S[0], LATENCY_S[0] + 1e-9, 100.0):
        spread.add(round(seconds * 1e9))
    assert (spread.counts[0], spread.counts[1], spread.counts[-1]) == (2, 1, 1)
    snapshot = spread.snapshot()
    assert (snapshot.bounds, sum(snapshot.counts)) == (LATENCY_S, 4)
    assert snapshot.total == pytest.approx(100.0, abs=0.001)
