"""The interface of event sinks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType

from edgefleet_contract.wire.messages import Event


class Sink(ABC):
    """Writes events in order, from one thread."""

    @abstractmethod
    def write(self, event: Event) -> None:
        """Write one event.

        Raises:
            StoreError: it cannot be written.
        """

    @abstractmethod
    def close(self) -> None:
        """Flush and release everything."""

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
