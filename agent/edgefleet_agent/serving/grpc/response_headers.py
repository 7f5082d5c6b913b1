"""The header blocks of the responses of one connection: the meaning of a block depends on the blocks before it."""

from __future__ import annotations

import base64

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


def retry_info(status: int, text: str, retry_s: int) -> tuple[bytes, bytes]:
    """The standard retry hint: a `google.rpc.Status` with a `RetryInfo`, encoded by hand."""

    def field(number: int, data: bytes) -> bytes:
        assert len(data) < 128 * 128
        size = bytes((len(data),)) if len(data) < 128 else bytes((len(data) & 127 | 128, len(data) >> 7))
        return bytes((number << 3 | 2,)) + size + data

    delay = field(1, bytes((1 << 3, min(retry_s, 127))))
    detail = field(1, b"type.googleapis.com/google.rpc.RetryInfo") + field(2, delay)
    details = bytes((1 << 3, status)) + field(2, text.encode()[:500]) + field(3, detail)
    return b"grpc-status-details-bin", base64.b64encode(details).rstrip(b"=")
