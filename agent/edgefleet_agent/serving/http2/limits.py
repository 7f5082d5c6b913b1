"""Limits of one HTTP/2 connection: open streams, receive windows, and frames that are handled at once."""

from __future__ import annotations

STREAMS_MAX = 256
"""Open streams."""
STREAM_WINDOW = 1024 * 1024
"""Bytes that a peer may send ahead on one stream."""
CONNECTION_WINDOW = 8 * 1024 * 1024
"""Bytes that a peer may send ahead on all streams."""
DATA_BYTES_MAX = STREAM_WINDOW
"""Bytes of one DATA frame, as SETTINGS announce: a frame costs some 5 us, and the default of 16 KiB makes ten of a picture. Its
parts are passed on as they arrive, so that a large one takes no more memory."""
TURN_COST = 1024
"""Cost of the frames that are handled in one go, before other connections have their turn: some 2 ms."""
REQUEST_COST = 16
"""Cost of a HEADERS frame, whose call may be answered at once; any other frame costs 1."""
COST_BYTES = 16
"""Bytes of a frame that cost 1 more, but for DATA: decoding compressed headers takes some 0.2 us a byte."""
