"""Server-sent events: the answers of `generate_stream`, one event each, sent as they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.http.bodies import answer_error
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.generate import EVENTS, write_generate
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.tensors import Array


class EventStream:
    """The way back of one request to a model that gives several answers. told: what of the request comes back with each."""

    def __init__(self, exchange: Exchange, call: InferenceRequest, told: dict[str, Any]) -> None:
        self._exchange = exchange
        self._call = call
        self._told = told
        self._begun = False

    def more(self, answer: Mapping[str, Array], signature: TensorSignature) -> bool:
        """See `Call.more`."""
        self._begin()
        return self._exchange.send(write_generate(self._call, self._told, signature, answer, stream=True))

    def end(self, answer: Answer) -> None:
        """There are no more. An error that comes before any answer is one of HTTP, and an event after that."""
        if isinstance(answer, CallError):
            if not self._begun:
                answer_error(self._exchange, answer)
                return
            self._exchange.send(b"data: " + msgspec.json.encode({"error": str(answer)}) + b"\n\n")
        self._begin()
        self._exchange.end()

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._exchange.begin(200, EVENTS)
