"""Several sessions of one model on several devices, used as one: each run goes to the device that has been free the longest.

If a device fails, it is taken out of use and its run is repeated on another one, so that no frame is lost; it is retried after
`RETRY_S`. A run fails only if no device is left.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from edgefleet_agent.backends.base import Array, Placement, Session, check_inputs
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_contract.core.errors import ModelError

if TYPE_CHECKING:
    from concurrent.futures import Future

RETRY_S = 10.0
"""Time before a failed device is retried."""


class SessionPool(Session):
    """A pool of sessions of the same model. sessions: each returns new arrays at every run. placement: of all together."""

    def __init__(self, sessions: Sequence[Session], placement: Placement, clock: Clock | None = None) -> None:
        self.placement = placement
        self.inputs, self.outputs = sessions[0].inputs, sessions[0].outputs
        self.parallel = len(sessions)
        self._sessions = tuple(sessions)
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._aside: list[tuple[float, Session]] = []
        self._free: queue.SimpleQueue[Session] = queue.SimpleQueue()
        for session in sessions:
            self._free.put(session)

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        while True:
            self._bring_back()
            session = self._free.get()
            try:
                found = session.infer(inputs)
            except ModelError:
                if self._set_aside(session):
                    continue
                raise
            except BaseException:
                self._free.put(session)
                raise
            self._free.put(session)
            return found

    def infer_all(self, rows: Iterable[Mapping[str, Array]]) -> Iterator[Mapping[str, Array]]:
        from concurrent.futures import ThreadPoolExecutor  # 20 ms that a device with one TPU does not need

        under_way: list[Future[Mapping[str, Array]]] = []
        with ThreadPoolExecutor(self.parallel, "pool") as threads:
            for row in rows:
                if len(under_way) == self.parallel:
                    yield under_way.pop(0).result()
                under_way.append(threads.submit(self.infer, row))
            for each in under_way:
                yield each.result()

    @property
    def lost(self) -> list[str]:
        """Devices that are out of use after a failure."""
        with self._lock:
            return [session.placement.device for _, session in self._aside]

    def close(self) -> None:
        for session in self._sessions:
            session.close()

    def _bring_back(self) -> None:
        """Bring back devices whose retry is due."""
        with self._lock:
            now_s = self._clock.monotonic()
            for at_s, session in [each for each in self._aside if each[0] <= now_s]:
                self._aside.remove((at_s, session))
                self._free.put(session)

    def _set_aside(self, session: Session) -> bool:
        """Take a failed device out of use. False if it is the last one: it stays in use then, and the others are brought back,
        because they may have recovered."""
        with self._lock:
            if len(self._aside) + 1 < self.parallel:
                self._aside.append((self._clock.monotonic() + RETRY_S, session))
                return True
            for _, other in self._aside:
                self._free.put(other)
            self._aside.clear()
            self._free.put(session)
            return False
