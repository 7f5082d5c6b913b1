"""Server-sent events: one event for each answer of `generate_stream`, sent at once."""

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
    """The answers to one request of a decoupled model. echoed: fields of the request that are in each answer."""

    def __init__(self, exchange: Exchange, call: InferenceRequest, echoed: dict[str, Any]) -> None:
        self._exchange = exchange
        self._call = call
        self._echoed = echoed
        self._started = False

    def send_part(self, answer: Mapping[str, Array], signature: TensorSignature) -> bool:
        """Send an answer; see `InferenceRequest.send_part`."""
        self._begin()
        return self._exchange.send(write_generate(self._call, self._echoed, signature, answer, stream=True))

    def end(self, answer: Answer) -> None:
        """End the stream. An error before the first answer is an HTTP error, afterwards it is an event."""
        if isinstance(answer, CallError):
            if not self._started:
                answer_error(self._exchange, answer)
                return
            self._exchange.send(b"data: " + msgspec.json.encode({"error": str(answer)}) + b"\n\n")
        self._begin()
        self._exchange.end()

    def _begin(self) -> None:
        if not self._started:
            self._started = True
            self._exchange.begin(200, EVENTS)
