"""gRPC over an HTTP/2 implementation of our own: frames, connection, abuse limits, service."""
