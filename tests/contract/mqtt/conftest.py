"""A real broker, and a client that plays the server."""

from tests.agent.fakes.bench import broker, server

__all__ = ["broker", "server"]
