"""Which requests run next, and as which batch: Triton's dynamic batcher as a value that knows no thread and no clock.

Order is by priority (1 first), within one by arrival; requests whose time-out has passed are refused, or (DELAY) go behind all
others of their level. A batch is what can be formed from the head of that order without leaving anyone out: equal shapes beyond
the first axis, at most `batch` rows. With preferred sizes the largest that can be formed is taken. With a delay a batch that is
neither full nor preferred waits until its oldest request has waited that long; without one it never waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from edgefleet_agent.serving.config.model_config import QUEUE_MAX, WAIT_US_MAX, DynamicBatching, QueuePolicy
from edgefleet_agent.serving.engine.adaptive_delay import AdaptiveDelay
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import SequenceMark, TensorSignature
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.serving.protocol.tracing import Trace

Answer = Mapping[str, Array] | CallError
Done = Callable[[Answer, TensorSignature], None]
"""Takes the answer of one request, and the signature of the version that gave it. Outputs live until it returns."""
RETRY_S = 1
"""What a caller is told to wait when the queue is full: long for a machine, short for a person."""


class QueuedRequest:
    """One request in the queue. done: called exactly once, on any thread. more: of a model that gives several answers, each of
    them before that; see `Call.more`."""

    __slots__ = (
        "arrived_ns",
        "deadline_ns",
        "done",
        "gone",
        "inputs",
        "level",
        "more",
        "parameters",
        "rows",
        "sequence",
        "shapes",
        "trace",
    )

    def __init__(self, inputs: Mapping[str, Array], rows: int, done: Done, arrived_ns: int) -> None:
        self.inputs = inputs
        self.rows = rows
        self.done = done
        self.arrived_ns = arrived_ns
        self.deadline_ns = 0
        self.level = 0
        self.shapes: tuple[tuple[int, ...], ...] = ()
        self.sequence: SequenceMark | None = None
        self.parameters: Mapping[str, Any] = {}
        self.trace: Trace | None = None
        self.gone: Callable[[], bool] | None = None
        self.more: Callable[[Mapping[str, Array], TensorSignature], bool] | None = None


class DynamicBatcher:
    """The waiting requests of one model. One caller at a time; times are monotonic nanoseconds."""

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

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Take a request in. priority 0: the model's default. timeout_us 0: the model's; a request may only shorten it.

        Raises:
            CallError: the queue is full, or there is no such priority.
        """
        batching = self._batching
        level = priority or batching.default_priority_level or 1
        if level > self._levels:
            if batching.priority_levels:
                raise CallError(Code.INVALID, f"priority {priority} is not one of 1 to {self._levels}")
            level = 1  # a model without priorities takes any
        policy = batching.policy(level)
        waiting = self._waiting[level - 1]
        if len(waiting) + len(self._late[level - 1]) >= (policy.max_queue_size or QUEUE_MAX):
            raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", RETRY_S)
        ticket.level = level
        ticket.deadline_ns = ticket.arrived_ns + _timeout_us(policy, timeout_us) * 1000
        if self._rows_max > 1:
            ticket.shapes = tuple(array.shape[1:] for array in ticket.inputs.values())
        waiting.append(ticket)
        self._count += 1
        if self.learned is not None:
            self.learned.arrived(ticket.arrived_ns)
        if not self._expiry_ns or ticket.deadline_ns < self._expiry_ns:
            self._expiry_ns = ticket.deadline_ns

    def take(self, now_ns: int) -> tuple[list[QueuedRequest], list[QueuedRequest], float | None]:
        """A batch to run now, requests to refuse, and, without a batch, the seconds until one may be (None: no request)."""
        refused = self._expire(now_ns) if self._expiry_ns and now_ns >= self._expiry_ns else []
        if not self._count:
            return [], refused, None
        found = self._gather()
        rows = sum(ticket.rows for ticket in found)
        if self._preferred and rows < self._rows_max:
            found, rows = self._prefer(found, rows)
        if self._delay_ns and rows < self._rows_max and rows not in self._preferred:
            oldest_ns = min(ticket.arrived_ns for ticket in found)
            waits_until_ns = oldest_ns + self._delay_ns
            if self.learned is not None:
                waits_until_ns = self.learned.waits_until_ns(len(found), oldest_ns, now_ns)
            if now_ns < waits_until_ns:
                return [], refused, (min(waits_until_ns, self._expiry_ns) - now_ns) / 1e9
        for ticket in found:
            level = ticket.level - 1
            (self._waiting[level] or self._late[level]).popleft()
        self._count -= len(found)
        if not self._count:
            self._expiry_ns = 0
        return found, refused, None

    def empty(self) -> list[QueuedRequest]:
        """Everything that waits, for good."""
        left = [ticket for level in range(self._levels) for queue in self._queues(level) for ticket in queue]
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
                for ticket in queue:
                    if found and (rows + ticket.rows > self._rows_max or ticket.shapes != found[0].shapes):
                        return found
                    found.append(ticket)
                    rows += ticket.rows
                    if rows >= self._rows_max:
                        return found
        return found

    def _prefer(self, found: list[QueuedRequest], rows: int) -> tuple[list[QueuedRequest], int]:
        """The head of `found` that makes the largest preferred batch; all of it where none can be made."""
        sums: dict[int, int] = {}
        total = 0
        for place, ticket in enumerate(found, 1):
            total += ticket.rows
            sums[total] = place
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
            for ticket in self._waiting[level]:
                if now_ns < ticket.deadline_ns:
                    stay.append(ticket)
                    self._expiry_ns = min(self._expiry_ns or ticket.deadline_ns, ticket.deadline_ns)
                elif delays:
                    self._late[level].append(ticket)
                else:
                    refused.append(ticket)
            self._waiting[level] = stay
        self._count -= len(refused)
        return refused


def _timeout_us(policy: QueuePolicy, asked_us: int) -> int:
    usual_us = policy.default_timeout_microseconds
    if asked_us and policy.allow_timeout_override and (not usual_us or asked_us < usual_us):
        usual_us = asked_us
    return min(usual_us or WAIT_US_MAX, WAIT_US_MAX)
