"""A viewer of live video, as the dashboard is one."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import av
import msgspec
import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from edgefleet_contract.wire.live_video import HEAD_BYTES, PartKind, unpack_part


class VideoViewer:
    """The messages that one viewer has received. texts: as dictionaries; parts: binary ones; lags_s: their age at receipt."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.texts: list[dict[str, Any]] = []
        self.parts: list[bytes] = []
        self.lags_s: list[float] = []
        self.code = 0

    def read(self, seconds: float, parts: int = 1_000_000) -> VideoViewer:
        """Receive for that long, or until there are so many parts."""
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s and len(self.parts) < parts:
            try:
                message = self.socket.recv(timeout=max(0.01, ends_s - time.monotonic()))
            except TimeoutError:
                break
            except ConnectionClosed as error:
                self.code = error.rcvd.code if error.rcvd else 1006
                break
            if isinstance(message, str):
                self.texts.append(msgspec.json.decode(message))
            else:
                self.parts.append(message)
                self.lags_s.append(time.time() - unpack_part(message).at)
        return self

    @property
    def kinds(self) -> list[PartKind]:
        return [unpack_part(part).kind for part in self.parts]

    @property
    def end(self) -> dict[str, Any] | None:
        """The last message, if it has come."""
        return next((text for text in self.texts if text["type"] == "end"), None)

    def pictures(self) -> tuple[list[np.ndarray[Any, Any]], list[float]]:
        """The decoded pictures and their times, as a player gets them."""
        pictures, times = [], []
        with av.open(io.BytesIO(b"".join(part[HEAD_BYTES:] for part in self.parts))) as stream:
            for picture in stream.decode(video=0):
                pictures.append(picture.to_ndarray(format="bgr24"))
                times.append(float(picture.pts * picture.time_base))
        return pictures, times


@contextmanager
def watch(url: str, device: str, pipeline: str, **headers: str) -> Iterator[VideoViewer]:
    """A viewer of one camera, which takes in little before it is read. url: of the server."""
    address = f"{url.replace('http', 'ws', 1)}/api/v1/devices/{device}/live/{pipeline}/video"
    with connect(address, additional_headers=headers, compression=None, max_size=None, max_queue=1) as socket:
        yield VideoViewer(socket)
