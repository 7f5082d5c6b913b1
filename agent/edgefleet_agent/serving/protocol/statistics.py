"""What one version of a model has done: Triton's statistics extension and the numbers behind its metrics."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.serving.protocol.histogram import ROWS, Histogram


@dataclass(slots=True)
class CallTimes:
    """How often, and for how long altogether."""

    count: int = 0
    ns: int = 0

    def add(self, ns: int, count: int = 1) -> None:
        self.count += count
        self.ns += ns

    def tell(self) -> dict[str, int]:
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
        """A batch was computed and is about to be answered: whoever has an answer finds it counted.

        arrivals_ns: of its requests. began, ready, computed: gathering began, inferring began, inferring ended.
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

    def exemplify(self, took_ns: int, trace_id: str) -> None:
        """A request that was just counted belongs to this trace."""
        with self._lock:
            self.request_spread.exemplify(took_ns, trace_id, time.time())

    def answered(self, requests: int, rows: int, took_ns: int) -> None:
        """The answers of that batch are on their way."""
        with self._lock:
            self.compute_output.ns += took_ns * requests
            self.success.ns += took_ns * requests
            self.batches[rows].compute_output.ns += took_ns

    def hit(self, arrived_ns: int, now_ns: int, looked_ns: int) -> None:
        """A request is answered from the cache: no inference, as Triton counts."""
        with self._lock:
            self.success.add(max(0, now_ns - arrived_ns))
            self.cache_hit.add(looked_ns)
            self.request_spread.add(max(0, now_ns - arrived_ns))
            self.last_inference_ms = time.time_ns() // 1_000_000

    def missed(self, took_ns: int) -> None:
        """The cache did not have it; looking and remembering took so long."""
        with self._lock:
            self.cache_miss.add(took_ns)

    def failed(self, arrived_ns: int, now_ns: int, reason: str) -> None:
        """A request was not answered. reason: a key of `refused`."""
        with self._lock:
            self.fail.add(max(0, now_ns - arrived_ns))
            self.refused[reason] += 1

    def turned_away(self, reason: str) -> None:
        """A request was refused before it could wait. It is counted by the metrics, and as Triton has it not as a failure."""
        with self._lock:
            self.refused[reason] += 1

    def tell(self, name: str, version: str) -> dict[str, Any]:
        """One entry of the answer of the `stats` endpoints."""
        with self._lock:
            return {
                "name": name,
                "version": version,
                "last_inference": self.last_inference_ms,
                "inference_count": self.inferences,
                "execution_count": self.executions,
                "inference_stats": {
                    "success": self.success.tell(),
                    "fail": self.fail.tell(),
                    "queue": self.queue.tell(),
                    "compute_input": self.compute_input.tell(),
                    "compute_infer": self.compute_infer.tell(),
                    "compute_output": self.compute_output.tell(),
                    "cache_hit": self.cache_hit.tell(),
                    "cache_miss": self.cache_miss.tell(),
                },
                "response_stats": {},
                "batch_stats": [
                    {
                        "batch_size": size,
                        "compute_input": batch.compute_input.tell(),
                        "compute_infer": batch.compute_infer.tell(),
                        "compute_output": batch.compute_output.tell(),
                    }
                    for size, batch in sorted(self.batches.items())
                ],
                "memory_usage": [],
            }
