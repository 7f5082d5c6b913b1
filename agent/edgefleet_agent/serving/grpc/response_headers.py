"""The header blocks of the responses of one connection: the meaning of a block depends on the blocks before it."""

from __future__ import annotations

from edgefleet_agent.serving.grpc import frames as h2


class ResponseHeaders:
    """Blocks of successful responses. Each block has to be sent at once, in the order of the calls."""

    def __init__(self) -> None:
        self._table = True
        self._type_indexed = self._status_indexed = False

    def without_table(self) -> None:
        """Use plain blocks: the peer has no table, or a too small one."""
        self._table = False

    def head(self) -> bytes:
        """The headers of a response."""
        if not self._table:
            return h2.PLAIN_HEAD
        if not self._type_indexed:
            self._type_indexed = True
            return h2.FIRST_HEAD
        return h2.OLD_HEAD if self._status_indexed else h2.NEW_HEAD

    def end(self) -> bytes:
        """The trailers of a response."""
        if not self._table:
            return h2.PLAIN_END
        if not self._status_indexed:
            self._status_indexed = True
            return h2.FIRST_END
        return h2.NEXT_END
