"""Limits of the gRPC listener: open calls and receive windows."""

from __future__ import annotations

CALLS_MAX = 1024
"""Open calls of all connections."""
STREAMS_MAX = 256
"""Open calls of one connection."""
STREAM_WINDOW = 1024 * 1024
"""Bytes that a peer may send ahead for one call."""
CONNECTION_WINDOW = 8 * 1024 * 1024
"""Bytes that a peer may send ahead for all calls of a connection."""
