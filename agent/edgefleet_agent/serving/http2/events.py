"""Events of a connection, in their order."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.serving.http2.frames import Fault
from edgefleet_agent.serving.http2.header_reader import Head
from edgefleet_agent.serving.http2.stream import Stream


@dataclass(slots=True)
class RequestReceived:
    """A stream was opened by the peer. ended: nothing follows the headers."""

    stream: Stream
    head: Head
    ended: bool


@dataclass(slots=True)
class DataReceived:
    """Data arrived. data: a view into the received bytes, which it keeps alive. ended: nothing follows."""

    stream: Stream
    data: memoryview
    ended: bool


@dataclass(slots=True)
class StreamReset:
    """The stream is closed without an end of its response: the peer reset it, or did not take the response in time."""

    stream: Stream


@dataclass(slots=True)
class StreamDrained:
    """All queued data of the response was sent; more may follow."""

    stream: Stream


@dataclass(slots=True)
class StreamEnded:
    """The queued data and the trailers of the response were sent; the stream is closed."""

    stream: Stream


@dataclass(slots=True)
class ConnectionFailed:
    """The peer broke the protocol or a limit; GOAWAY with this reason is in the output, and the connection has to be closed."""

    fault: Fault
    text: str


@dataclass(slots=True)
class PeerStalled:
    """The peer neither sends what it began nor reads: the connection has to be aborted."""


Event = RequestReceived | DataReceived | StreamReset | StreamDrained | StreamEnded | ConnectionFailed | PeerStalled
