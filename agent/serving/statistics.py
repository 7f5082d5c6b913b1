"""What one version of a model has done: Triton's statistics extension and the numbers behind its metrics."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Took:
    """How often, and for how long altogether."""

    count: int = 0
    ns: int = 0

    def add(self, ns: int, count: int = 1) -> None:
        self.count += count
        self.ns += ns

    def tell(self) -> dict[str, int]:
        return {"count": self.count, "ns": self.ns}


@dataclass(slots=True)
class Batch:
    """Executions of one batch size."""

    compute_input: Took = field(default_factory=Took)
    compute_infer: Took = field(default_factory=Took)
    compute_output: Took = field(default_factory=Took)


class Statistics:
    """Counts of one version; any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.success, self.fail, self.queue = Took(), Took(), Took()
        self.compute_input, self.compute_infer, self.compute_output = Took(), Took(), Took()
        self.batches: dict[int, Batch] = {}
        self.inferences = 0
        self.executions = 0
        self.last_inference_ms = 0
        self.refused: dict[str, int] = {"REJECTED": 0, "CANCELED": 0, "BACKEND": 0, "OTHER": 0}

    def executed(self, arrivals_ns: list[int], rows: int, marks_ns: tuple[int, int, int, int]) -> None:
        """A batch was answered. arrivals_ns: of its requests. marks_ns: gathering, inferring, answering began; the end."""
        began, ready, computed, ended = marks_ns
        requests = len(arrivals_ns)
        with self._lock:
            self.executions += 1
            self.inferences += rows
            # Triton counts an execution's time once for every request in it.
            self.compute_input.add((ready - began) * requests, requests)
            self.compute_infer.add((computed - ready) * requests, requests)
            self.compute_output.add((ended - computed) * requests, requests)
            waited = sum(arrivals_ns)
            self.queue.add(began * requests - waited, requests)
            self.success.add(ended * requests - waited, requests)
            batch = self.batches.setdefault(rows, Batch())
            batch.compute_input.add(ready - began)
            batch.compute_infer.add(computed - ready)
            batch.compute_output.add(ended - computed)
            self.last_inference_ms = time.time_ns() // 1_000_000

    def failed(self, arrived_ns: int, now_ns: int, reason: str) -> None:
        """A request was not answered. reason: a key of `refused`."""
        with self._lock:
            self.fail.add(max(0, now_ns - arrived_ns))
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
                    "cache_hit": Took().tell(),
                    "cache_miss": Took().tell(),
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
