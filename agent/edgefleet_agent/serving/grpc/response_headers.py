"""The header blocks of the answers of one connection: what a block means depends on those that were written before it."""

from __future__ import annotations

from edgefleet_agent.serving.grpc import frames as h2


class ResponseHeaders:
    """Blocks of answers that go well. What is taken here has to be written at once, in that order."""

    def __init__(self) -> None:
        self._table = True
        self._told_type = self._told_ok = False

    def without_table(self) -> None:
        """The peer keeps no table, or a smaller one than the blocks need."""
        self._table = False

    def head(self) -> bytes:
        """The headers of an answer."""
        if not self._table:
            return h2.PLAIN_HEAD
        if not self._told_type:
            self._told_type = True
            return h2.FIRST_HEAD
        return h2.OLD_HEAD if self._told_ok else h2.NEW_HEAD

    def end(self) -> bytes:
        """The trailers of an answer, after its headers."""
        if not self._table:
            return h2.PLAIN_END
        if not self._told_ok:
            self._told_ok = True
            return h2.FIRST_END
        return h2.NEXT_END
