"""Faults of stored data in a periodic job: the fault of one item never ends the job, nor its thread."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from edgefleet_server.core.errors import EdgefleetError, StoreError

DATA_FAULTS: Final = (EdgefleetError, LookupError, TypeError, ValueError)
"""What a row that names something missing, or that another version of the server wrote, raises."""

log = logging.getLogger(__name__)


class ItemFaults:
    """The items of one job that have a fault at present. Each fault is logged once, until the item works again or has another
    fault. Not thread-safe."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[type[Exception], str]] = {}

    @contextmanager
    def apart(self, item: Hashable, name: str) -> Iterator[None]:
        """Work on one item; a fault of its data ends only this block. `name`: of the item, for the log.

        Raises:
            StoreError: the database refuses; this is no fault of the item.
        """
        try:
            yield
        except StoreError:
            raise
        except DATA_FAULTS as error:
            fault = (type(error), str(error))
            if self._known.get(item) != fault:
                log.error("%s is left out: %s", name, error, exc_info=not isinstance(error, EdgefleetError))
            self._known[item] = fault
        else:
            self._known.pop(item, None)
