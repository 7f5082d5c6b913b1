"""Statistics of one model version: counts of Triton's statistics extension and of the metrics."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.serving.protocol.histogram import ROWS, Histogram


@dataclass(slots=True)
class CallTimes:
    """A count of operations and their total duration."""

    count: int = 0
    ns: int = 0

    def add(self, ns: int, count: int = 1) -> None:
        self.count += count
        self.ns += ns

    def to_json(self) -> dict[str, int]:
        return {"count": self.count, "ns": self.ns}


@dataclass(slots=True)
class BatchTimes:
    """Executions of one batch size."""

    compute_input: CallTimes = field(default_factory=CallTimes)
    compute_infer: CallTimes = field(default_factory=CallTimes)
    compute_output: CallTimes = field(default_factory=CallTimes)


class Statistics:
    """Counts of one version; any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.success, self.fail, self.queue = CallTimes(), CallTimes(), CallTimes()
        self.cache_hit, self.cache_miss = CallTimes(), CallTimes()
        self.compute_input, self.compute_infer, self.compute_output = CallTimes(), CallTimes(), CallTimes()
        self.request_spread, self.queue_spread, self.compute_spread = Histogram(), Histogram(), Histogram()
        self.rows_spread = Histogram(ROWS, 1)
        self.batches: dict[int, BatchTimes] = {}
        self.inferences = 0
        self.executions = 0
        self.last_inference_ms = 0
        self.refused: dict[str, int] = {"REJECTED": 0, "CANCELED": 0, "BACKEND": 0, "OTHER": 0}

    def executed(self, arrivals_ns: list[int], rows: int, began_ns: int, ready_ns: int, computed_ns: int) -> None:
        """Count a computed batch, before it is answered: a caller with an answer finds it counted.

        arrivals_ns: of its requests. began, ready, computed: start of gathering, start and end of inference.
        """
        requests = len(arrivals_ns)
        with self._lock:
            self.executions += 1
            self.inferences += rows
            # Triton counts an execution's time once for every request in it.
            self.compute_input.add((ready_ns - began_ns) * requests, requests)
            self.compute_infer.add((computed_ns - ready_ns) * requests, requests)
            waited_ns = sum(arrivals_ns)
            self.queue.add(began_ns * requests - waited_ns, requests)
            self.success.add(computed_ns * requests - waited_ns, requests)
            self.compute_output.count += requests
            batch = self.batches.get(rows)
            if batch is None:
                batch = self.batches[rows] = BatchTimes()
            batch.compute_input.add(ready_ns - began_ns)
            batch.compute_infer.add(computed_ns - ready_ns)
            batch.compute_output.count += 1
            self.last_inference_ms = time.time_ns() // 1_000_000
            for arrived_ns in arrivals_ns:
                self.request_spread.add(computed_ns - arrived_ns)
                self.queue_spread.add(began_ns - arrived_ns)
            self.compute_spread.add(computed_ns - ready_ns)
            self.rows_spread.add(rows)

    def add_exemplar(self, took_ns: int, trace_id: str) -> None:
        """Attach a trace to a request that was counted."""
        with self._lock:
            self.request_spread.add_exemplar(took_ns, trace_id, time.time())

    def answered(self, requests: int, rows: int, took_ns: int) -> None:
        """Count the time that answering a batch took."""
        with self._lock:
            self.compute_output.ns += took_ns * requests
            self.success.ns += took_ns * requests
            self.batches[rows].compute_output.ns += took_ns

    def hit(self, arrived_ns: int, now_ns: int, lookup_ns: int) -> None:
        """Count a request answered from the cache; Triton does not count it as an inference."""
        with self._lock:
            self.success.add(max(0, now_ns - arrived_ns))
            self.cache_hit.add(lookup_ns)
            self.request_spread.add(max(0, now_ns - arrived_ns))
            self.last_inference_ms = time.time_ns() // 1_000_000

    def missed(self, took_ns: int) -> None:
        """Count a cache miss and the time of lookup and insertion."""
        with self._lock:
            self.cache_miss.add(took_ns)

    def failed(self, arrived_ns: int, now_ns: int, reason: str) -> None:
        """Count a failed request. reason: a key of `refused`."""
        with self._lock:
            self.fail.add(max(0, now_ns - arrived_ns))
            self.refused[reason] += 1

    def rejected(self, reason: str) -> None:
        """Count a request that was refused before it was queued. Like in Triton, it is in the metrics and not in `fail`."""
        with self._lock:
            self.refused[reason] += 1

    def to_json(self, name: str, version: str) -> dict[str, Any]:
        """One entry of the `stats` endpoints."""
        with self._lock:
            return {
                "name": name,
                "version": version,
                "last_inference": self.last_inference_ms,
                "inference_count": self.inferences,
                "execution_count": self.executions,
                "inference_stats": {
                    "success": self.success.to_json(),
                    "fail": self.fail.to_json(),
                    "queue": self.queue.to_json(),
                    "compute_input": self.compute_input.to_json(),
                    "compute_infer": self.compute_infer.to_json(),
                    "compute_output": self.compute_output.to_json(),
                    "cache_hit": self.cache_hit.to_json(),
                    "cache_miss": self.cache_miss.to_json(),
                },
                "response_stats": {},
                "batch_stats": [
                    {
                        "batch_size": size,
                        "compute_input": batch.compute_input.to_json(),
                        "compute_infer": batch.compute_infer.to_json(),
                        "compute_output": batch.compute_output.to_json(),
                    }
                    for size, batch in sorted(self.batches.items())
                ],
                "memory_usage": [],
            }
