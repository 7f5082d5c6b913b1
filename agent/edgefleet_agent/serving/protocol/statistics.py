"""Statistics of one model version: counts of Triton's statistics extension and of the metrics.

A computed batch is counted in as few places as possible; what follows from these is summed up when it is read.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
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
    """A count of executions, and their total durations."""

    count: int = 0
    input_ns: int = 0
    infer_ns: int = 0
    output_ns: int = 0


class Statistics:
    """Counts of one version; any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.fail, self.cache_hit, self.cache_miss = CallTimes(), CallTimes(), CallTimes()
        self.request_spread, self.queue_spread, self.compute_spread = Histogram(), Histogram(), Histogram()
        self._batches: dict[int, BatchTimes] = {}
        self._of_requests = BatchTimes()
        """All executions, each counted as often as it had requests."""
        self.last_inference_ms = 0
        self.refused: dict[str, int] = {"REJECTED": 0, "CANCELED": 0, "BACKEND": 0, "OTHER": 0}

    @property
    def executions(self) -> int:
        """Executions of the model."""
        return sum(batch.count for batch in list(self._batches.values()))

    @property
    def inferences(self) -> int:
        """Rows that were computed."""
        return sum(rows * batch.count for rows, batch in list(self._batches.items()))

    @property
    def success(self) -> CallTimes:
        """Requests that were answered, also from the cache, until they were encoded."""
        return CallTimes(self.request_spread.count, self.request_spread.total + self._of_requests.output_ns)

    @property
    def queue(self) -> CallTimes:
        """Times that requests waited."""
        return CallTimes(self.queue_spread.count, self.queue_spread.total)

    @property
    def compute_input(self) -> CallTimes:
        """Times that joining requests took. As in Triton, an execution's time is counted once for every request in it."""
        return CallTimes(self._of_requests.count, self._of_requests.input_ns)

    @property
    def compute_infer(self) -> CallTimes:
        """Times in the runtime, counted as those of `compute_input`."""
        return CallTimes(self._of_requests.count, self._of_requests.infer_ns)

    @property
    def compute_output(self) -> CallTimes:
        """Times that answering took, counted as those of `compute_input`."""
        return CallTimes(self._of_requests.count, self._of_requests.output_ns)

    @property
    def rows_spread(self) -> Histogram:
        """The rows of each execution."""
        spread = Histogram(ROWS, 1)
        for rows, batch in list(self._batches.items()):
            spread.add(rows, batch.count)
        return spread

    def executed(self, arrivals_ns: list[int], rows: int, began_ns: int, ready_ns: int, computed_ns: int) -> None:
        """Count a computed batch, before it is answered: a caller with an answer finds it counted.

        arrivals_ns: of its requests. began, ready, computed: start of gathering, start and end of inference.
        """
        requests, input_ns, infer_ns = len(arrivals_ns), ready_ns - began_ns, computed_ns - ready_ns
        with self._lock:
            batch = self._batches.get(rows)
            if batch is None:
                batch = self._batches[rows] = BatchTimes()
            batch.count += 1
            batch.input_ns += input_ns
            batch.infer_ns += infer_ns
            of_requests = self._of_requests
            of_requests.count += requests
            of_requests.input_ns += input_ns * requests
            of_requests.infer_ns += infer_ns * requests
            self.request_spread.add_waits(arrivals_ns, computed_ns)
            self.queue_spread.add_waits(arrivals_ns, began_ns)
            self.compute_spread.add(infer_ns)
            self.last_inference_ms = time.time_ns() // 1_000_000

    def add_exemplar(self, took_ns: int, trace_id: str) -> None:
        """Attach a trace to a request that was counted."""
        with self._lock:
            self.request_spread.add_exemplar(took_ns, trace_id, time.time())

    def answered(self, requests: int, rows: int, took_ns: int) -> None:
        """Count the time that answering a batch took."""
        with self._lock:
            self._of_requests.output_ns += took_ns * requests
            self._batches[rows].output_ns += took_ns

    def hit(self, arrived_ns: int, now_ns: int, lookup_ns: int) -> None:
        """Count a request answered from the cache; Triton does not count it as an inference."""
        with self._lock:
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
                        "compute_input": {"count": batch.count, "ns": batch.input_ns},
                        "compute_infer": {"count": batch.count, "ns": batch.infer_ns},
                        "compute_output": {"count": batch.count, "ns": batch.output_ns},
                    }
                    for size, batch in sorted(self._batches.items())
                ],
                "memory_usage": [],
            }
