"""Fixtures of the device's tests."""

from tests.agent.fakes.bench import broker, make_agent, server

__all__ = ["broker", "make_agent", "server"]
