"""Triton's dynamic batcher: chooses the next requests and their batch. Without threads and clocks.

Order is by priority (1 first), then by arrival; requests whose timeout has passed are refused, or (DELAY) moved behind all others
of their level. A batch is formed from the head of that order without skipping a request: equal shapes beyond the first axis, at
most `batch` rows. With preferred sizes, the largest possible one is taken. With a delay, a batch that is neither full nor of a
preferred size waits until its oldest request has waited that long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from edgefleet_agent.serving.config.model_config import QUEUE_MAX, WAIT_US_MAX, DynamicBatching, QueuePolicy
from edgefleet_agent.serving.engine.adaptive_delay import AdaptiveDelay
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import AtTurnEnd, SequenceMark, TensorSignature, row_shapes
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.serving.protocol.tracing import Trace

Answer = Mapping[str, Array] | CallError
Done = Callable[[Answer, TensorSignature], None]
"""Takes the answer of one request, and the signature of the version that computed it. Outputs are valid until it returns."""
RETRY_S = 1
"""Time until a retry that a caller gets if the queue is full."""


class QueuedRequest:
    """One request in the queue. done: called exactly once, on any thread. send_part: called before that with each answer of a
    decoupled model; see `InferenceRequest.send_part`. at_turn_end: see there. shapes: those of `row_shapes`, if known."""

    __slots__ = (
        "arrived_ns",
        "at_turn_end",
        "deadline_ns",
        "done",
        "inputs",
        "is_cancelled",
        "level",
        "parameters",
        "rows",
        "send_part",
        "sequence",
        "shapes",
        "trace",
    )

    def __init__(
        self,
        inputs: Mapping[str, Array],
        rows: int,
        done: Done,
        arrived_ns: int,
        shapes: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self.inputs = inputs
        self.rows = rows
        self.done = done
        self.arrived_ns = arrived_ns
        self.deadline_ns = 0
        self.level = 0
        self.shapes = shapes
        self.sequence: SequenceMark | None = None
        self.parameters: Mapping[str, Any] = {}
        self.trace: Trace | None = None
        self.is_cancelled: Callable[[], bool] | None = None
        self.send_part: Callable[[Mapping[str, Array], TensorSignature], bool] | None = None
        self.at_turn_end: AtTurnEnd | None = None

    def row_shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shapes of its inputs without the batch axis: requests with equal ones can be joined."""
        if self.shapes is None:
            self.shapes = row_shapes(self.inputs)
        return self.shapes


class DynamicBatcher:
    """The queued requests of one model. One caller at a time; times are monotonic nanoseconds."""

    def __init__(self, batch: int, batching: DynamicBatching | None) -> None:
        self._batching = batching or DynamicBatching()
        self._rows_max = batch if batching is not None else 1
        self._delay_ns = self._batching.max_queue_delay_microseconds * 1000
        self._preferred = sorted({size for size in self._batching.preferred_batch_size if 0 < size <= batch}, reverse=True)
        self._levels = max(self._batching.priority_levels, 1)
        self._waiting: list[deque[QueuedRequest]] = [deque() for _ in range(self._levels)]
        self._late: list[deque[QueuedRequest]] = [deque() for _ in range(self._levels)]
        self._count = 0
        self._expiry_ns = 0
        adaptive = self._delay_ns and self._batching.adaptive_delay
        self.learned = AdaptiveDelay(self._delay_ns) if adaptive else None

    def __len__(self) -> int:
        return self._count

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Queue a request. priority 0: the model's default. timeout_us 0: the model's; a request can only shorten it.

        Raises:
            CallError: the queue is full, or the priority is not valid.
        """
        batching = self._batching
        level = priority or batching.default_priority_level or 1
        if level > self._levels:
            if batching.priority_levels:
                raise CallError(Code.INVALID, f"priority {priority} is not one of 1 to {self._levels}")
            level = 1  # a model without priorities accepts any
        policy = batching.policy(level)
        waiting = self._waiting[level - 1]
        if len(waiting) + len(self._late[level - 1]) >= (policy.max_queue_size or QUEUE_MAX):
            raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", RETRY_S)
        request.level = level
        request.deadline_ns = request.arrived_ns + _timeout_us(policy, timeout_us) * 1000
        waiting.append(request)
        self._count += 1
        if self.learned is not None:
            self.learned.arrived(request.arrived_ns)
        if not self._expiry_ns or request.deadline_ns < self._expiry_ns:
            self._expiry_ns = request.deadline_ns

    def take(self, now_ns: int) -> tuple[list[QueuedRequest], list[QueuedRequest], float | None]:
        """A batch to run now, requests to refuse, and, without a batch, seconds until one may be ready (None: no request)."""
        refused = self._expire(now_ns) if self._expiry_ns and now_ns >= self._expiry_ns else []
        if not self._count:
            return [], refused, None
        found = self._gather()
        rows = sum(request.rows for request in found)
        if self._preferred and rows < self._rows_max:
            found, rows = self._prefer(found, rows)
        if self._delay_ns and rows < self._rows_max and rows not in self._preferred:
            oldest_ns = min(request.arrived_ns for request in found)
            waits_until_ns = oldest_ns + self._delay_ns
            if self.learned is not None:
                waits_until_ns = self.learned.waits_until_ns(len(found), oldest_ns, now_ns)
            if now_ns < waits_until_ns:
                return [], refused, (min(waits_until_ns, self._expiry_ns) - now_ns) / 1e9
        for request in found:
            level = request.level - 1
            (self._waiting[level] or self._late[level]).popleft()
        self._count -= len(found)
        if not self._count:
            self._expiry_ns = 0
        return found, refused, None

    def empty(self) -> list[QueuedRequest]:
        """Remove and return all queued requests."""
        left = [request for level in range(self._levels) for queue in self._queues(level) for request in queue]
        for level in range(self._levels):
            self._waiting[level].clear()
            self._late[level].clear()
        self._count, self._expiry_ns = 0, 0
        return left

    def _queues(self, level: int) -> tuple[deque[QueuedRequest], deque[QueuedRequest]]:
        return self._waiting[level], self._late[level]

    def _gather(self) -> list[QueuedRequest]:
        found: list[QueuedRequest] = []
        rows = 0
        for level in range(self._levels):
            for queue in self._queues(level):
                for request in queue:
                    if found and (rows + request.rows > self._rows_max or request.row_shapes() != found[0].row_shapes()):
                        return found
                    found.append(request)
                    rows += request.rows
                    if rows >= self._rows_max:
                        return found
        return found

    def _prefer(self, found: list[QueuedRequest], rows: int) -> tuple[list[QueuedRequest], int]:
        """The head of `found` that makes the largest preferred batch; all of `found` if there is none."""
        sums: dict[int, int] = {}
        total = 0
        for index, request in enumerate(found, 1):
            total += request.rows
            sums[total] = index
        for size in self._preferred:
            if size in sums:
                return found[: sums[size]], size
        return found, rows

    def _expire(self, now_ns: int) -> list[QueuedRequest]:
        refused: list[QueuedRequest] = []
        self._expiry_ns = 0
        for level in range(self._levels):
            delays = self._batching.policy(level + 1).timeout_action == "DELAY"
            stay: deque[QueuedRequest] = deque()
            for request in self._waiting[level]:
                if now_ns < request.deadline_ns:
                    stay.append(request)
                    self._expiry_ns = min(self._expiry_ns or request.deadline_ns, request.deadline_ns)
                elif delays:
                    self._late[level].append(request)
                else:
                    refused.append(request)
            self._waiting[level] = stay
        self._count -= len(refused)
        return refused


def _timeout_us(policy: QueuePolicy, requested_us: int) -> int:
    usual_us = policy.default_timeout_microseconds
    if requested_us and policy.allow_timeout_override and (not usual_us or requested_us < usual_us):
        usual_us = requested_us
    return min(usual_us or WAIT_US_MAX, WAIT_US_MAX)
