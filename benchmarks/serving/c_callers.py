"""Callers in C: wrk over HTTP, and h2load with prepared messages over gRPC (Debian: `apt-get install wrk nghttp2-client`).

A caller in Python takes more of the processor for a request than a quick server, and hides it. Each caller is one thread with a
connection for each call in flight, in a closed loop. h2load counts any answer with status 200, which a refused gRPC call has as
well; therefore the bytes of its answers are compared with those of one call.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

CALL_S_MAX = 30
PROGRAMS = ("wrk", "h2load")
_SCRIPT = """
wrk.method = "POST"
wrk.path = [==[{path}]==]
{headers}
local file = io.open([==[{body}]==], "rb")
wrk.body = file:read("*a")
file:close()
function done(summary, latency, requests)
  local wrong = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), wrong.connect + wrong.read + wrong.write + wrong.status + wrong.timeout))
end
"""
Result = dict[str, float]
"""per_s, count, p50_ms, p99_ms, and caller_us: processor time of the caller for a request."""


def check_installed() -> None:
    """Check that the programs are there.

    Raises:
        SystemExit: names those that are missing.
    """
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        raise SystemExit(f"{' and '.join(absent)} not found: apt-get install wrk nghttp2-client, or use --callers python")


def call_http(address: tuple[str, int], request: bytes, callers: int, seconds: float) -> Result:
    """Call with one whole request, again and again.

    Raises:
        SystemExit: a request failed.
    """
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    fields = [line.split(": ", 1) for line in lines if not line.startswith("Content-Length")]
    headers = "\n".join(f"wrk.headers[ [==[{name}]==] ] = [==[{value}]==]" for name, value in fields)
    with tempfile.TemporaryDirectory() as folder:
        file, script = Path(folder, "body"), Path(folder, "script.lua")
        file.write_bytes(body)
        script.write_text(_SCRIPT.format(path=first.split(" ")[1], headers=headers, body=file), encoding="utf-8")
        command = ["wrk", "-t1", f"-c{callers}", f"-d{max(1, round(seconds))}s", f"--timeout={CALL_S_MAX}s", f"-s{script}"]
        text, caller_s = _run([*command, f"http://{address[0]}:{address[1]}"])
    found = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"wrk printed no result:\n{text}")
    count, took_us, p50_us, p99_us, failed = map(int, found.groups())
    if failed or not count:
        raise SystemExit(f"{failed} of {count} requests failed")
    times = {"p50_ms": p50_us / 1e3, "p99_ms": p99_us / 1e3, "caller_us": caller_s / count * 1e6}
    return {"per_s": count / took_us * 1e6, "count": count, **times}


def call_grpc(address: tuple[str, int], path: str, message: bytes, callers: int, seconds: float) -> Result:
    """Call a unary method with one message, again and again.

    Raises:
        SystemExit: a call failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, log = Path(folder, "message"), Path(folder, "log")
        file.write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
        command = ["h2load", "-t1", "-m1", f"--data={file}", "--header=content-type: application/grpc", "--header=te: trailers"]
        target = f"http://{address[0]}:{address[1]}{path}"
        _, _, answer_bytes = _counts(_run([*command, "-c1", "-n1", target])[0])
        ends = [f"-c{callers}", f"-D{max(1, round(seconds))}", f"--log-file={log}"]
        text, caller_s = _run([*command, *ends, target])
        _, failed, data_bytes = _counts(text)
        rows = [line.split("\t") for line in log.read_text(encoding="ascii").splitlines()]
    took_us = sorted(int(row[2]) for row in rows)
    count = len(took_us)
    if failed or not count or any(row[1] != "200" for row in rows):
        raise SystemExit(f"{failed} of {count} calls failed")
    if not answer_bytes or data_bytes < count * answer_bytes:
        raise SystemExit(f"{count} answers have {data_bytes} bytes, one alone has {answer_bytes}: the server refused calls")
    times = {"p50_ms": took_us[count // 2] / 1e3, "p99_ms": took_us[int(count * 0.99)] / 1e3}
    return {"per_s": count / max(1, round(seconds)), "count": count, **times, "caller_us": caller_s / count * 1e6}


def _run(command: list[str]) -> tuple[str, float]:
    """Run a caller; returns its output, and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"LC_ALL": "C"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        raise SystemExit(f"{command[0]} failed: {(ended.stderr or ended.stdout).strip()[-300:]}")
    return ended.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _counts(text: str) -> tuple[int, int, int]:
    """Of what h2load printed: answers, failures, bytes of data."""
    requests = re.search(r"^requests: .* (\d+) done, \d+ succeeded, (\d+) failed", text, re.MULTILINE)
    traffic = re.search(r"^traffic: .* \((\d+)\) data$", text, re.MULTILINE)
    if requests is None or traffic is None:
        raise SystemExit(f"h2load printed no result:\n{text[-500:]}")
    return int(requests[1]), int(requests[2]), int(traffic[1])
