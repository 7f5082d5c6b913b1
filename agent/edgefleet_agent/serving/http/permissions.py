"""Levels of permission that requests over HTTP need."""

from __future__ import annotations

from edgefleet_agent.serving.frontend.api_keys import Level


def level_of(method: str, words: list[str]) -> Level:
    """The level for a path, given as its decoded words. What is not known to be a call of a model is managing."""
    if method == "GET":
        return Level.INFER
    match words:
        case ["v2", "models", _, "infer" | "generate" | "generate_stream"]:
            return Level.INFER
        case ["v2", "models", _, "versions", _, "infer" | "generate" | "generate_stream"]:
            return Level.INFER
        case ["v2", "repository", "index"] | ["v2", "repository", _, "index"] | ["v1", "models", *_]:
            return Level.INFER
    return Level.MANAGE
