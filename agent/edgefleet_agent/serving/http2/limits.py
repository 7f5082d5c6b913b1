"""Limits of one HTTP/2 connection: open streams and receive windows."""

from __future__ import annotations

STREAMS_MAX = 256
"""Open streams."""
STREAM_WINDOW = 1024 * 1024
"""Bytes that a peer may send ahead on one stream."""
CONNECTION_WINDOW = 8 * 1024 * 1024
"""Bytes that a peer may send ahead on all streams."""
