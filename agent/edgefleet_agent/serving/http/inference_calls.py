"""Inference requests over HTTP in all their forms: infer, generate, TensorFlow Serving, images and videos."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from typing import Any

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.engine.media_calls import RESULT, clip_call, picture_call
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.bodies import JSON, answer_error, answer_infer, plain_body
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.generate import EVENTS, read_generate, write_generate
from edgefleet_agent.serving.http.request_head import InferHead, RequestHead
from edgefleet_agent.serving.http.sse import EventStream
from edgefleet_agent.serving.http.tfserving_rest import TfServingRequest
from edgefleet_agent.serving.http.tfserving_rest import find_signature as find_tfs
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.inference_request import AtTurnEnd, InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.json_codec import read_infer
from edgefleet_agent.serving.protocol.tensors import Array

ASIDE_BYTES_MIN = 256 * 1024
"""Bodies from this size on, and compressed ones, are read on another thread, unless only their tensors are new."""

ONE_ANSWER = (
    "generate expects model to produce exactly 1 response, "
    "use generate stream for model that generates various number of responses"
)

Send = Callable[[Mapping[str, Array], TensorSignature], None]
"""Answers with the outputs. Raises CallError if they cannot be encoded in the requested form."""


class InferenceCalls:
    """Runs inference requests of the HTTP listener. read_aside: runs work on another thread than the loop."""

    def __init__(
        self,
        catalogue: ModelRegistry,
        server: Server,
        body_bytes_max: int,
        read_aside: Callable[[RequestHead, Exchange, Callable[[], None]], None],
    ) -> None:
        self._catalogue = catalogue
        self._server = server
        self._body_bytes_max = body_bytes_max
        self._read_aside = read_aside

    def infer(self, request: RequestHead, exchange: Exchange) -> None:
        """Run a request whose head is known as an `infer` one. Raises CallError, as all methods do, for errors found at once;
        later ones are answered."""
        head = request.infer
        assert head is not None
        if head.compressed or (len(exchange.body) > ASIDE_BYTES_MIN and not self._repeats(head, exchange.body)):
            self._read_aside(request, exchange, lambda: self._infer(request, head, exchange, None))
        else:
            self._infer(request, head, exchange, exchange.connection.context.at_turn_end)

    def _repeats(self, head: InferHead, body: memoryview) -> bool:
        """Whether a request has no JSON to read: its header is that of an earlier one."""
        size = head.json_bytes
        return bool(size) and bytes(body[:size]) in self._catalogue.find(head.model, head.version).signature.templates

    def generate(self, request: RequestHead, exchange: Exchange, model: str, version: str, form: str) -> None:
        """Run a `generate` or `generate_stream` request."""
        kind = request.headers.get(b"content-type", b"")
        if form == "generate" and kind.startswith(b"image/"):
            work = self._picture
        else:
            work = self._stream if form == "generate_stream" else self._generate
        if b"content-encoding" in request.headers or len(exchange.body) > ASIDE_BYTES_MIN:
            self._read_aside(request, exchange, lambda: work(request, exchange, model, version))
        else:
            work(request, exchange, model, version)

    def tfs(self, request: RequestHead, exchange: Exchange, model: str, version: str, verb: str) -> None:
        """Run a request in a form of TensorFlow Serving."""
        began_ns = time.monotonic_ns()
        find_tfs(self._catalogue, model, version)
        served = self._catalogue.route(model, version)
        body = plain_body(request, exchange.body, self._body_bytes_max)
        read = TfServingRequest(verb, body, served.signature, self._server.json_values)

        def send(answer: Mapping[str, Array], signature: TensorSignature) -> None:
            exchange.answer(200, JSON, [read.answer(answer, signature)])

        self._submit(request, exchange, (served, version), read.call, began_ns, send)

    def _infer(self, request: RequestHead, head: InferHead, exchange: Exchange, at_turn_end: AtTurnEnd | None) -> None:
        began_ns = time.monotonic_ns()
        served = self._catalogue.route(head.model, head.version)
        if served.decoupled:
            raise CallError(Code.UNSUPPORTED, "HTTP end point doesn't support models with decoupled transaction policy")
        body = plain_body(request, exchange.body, self._body_bytes_max) if head.compressed else exchange.body
        call = read_infer(body, head.json_bytes, served.engine.signature, self._server.regions, self._server.json_values)
        call.is_cancelled, call.at_turn_end = exchange.is_cancelled, at_turn_end
        send = functools.partial(answer_infer, exchange, call, head.answer_coding)
        self._submit(request, exchange, (served, head.version), call, began_ns, send)

    def _generate(self, request: RequestHead, exchange: Exchange, model: str, version: str, *, stream: bool = False) -> None:
        began_ns = time.monotonic_ns()
        served = self._catalogue.route(model, version)
        if served.decoupled:
            if not stream:
                raise invalid(ONE_ANSWER)
            self._several(request, exchange, (served, version), began_ns)
            return
        body = plain_body(request, exchange.body, self._body_bytes_max)
        call, echoed = read_generate(body, served.signature, self._server.json_values)

        def send(answer: Mapping[str, Array], signature: TensorSignature) -> None:
            text = write_generate(call, echoed, signature, answer, stream=stream)
            exchange.answer(200, EVENTS if stream else JSON, [text])

        self._submit(request, exchange, (served, version), call, began_ns, send)

    def _stream(self, request: RequestHead, exchange: Exchange, model: str, version: str) -> None:
        self._generate(request, exchange, model, version, stream=True)

    def _several(self, request: RequestHead, exchange: Exchange, target: tuple[ServedModel, str], began_ns: int) -> None:
        """Answer with a stream of any number of events. The body may be a bare video, as `curl --data-binary` sends it."""
        served, version = target
        body = plain_body(request, exchange.body, self._body_bytes_max)
        if request.headers.get(b"content-type", b"").startswith((b"video/", b"image/gif")):
            call, echoed = clip_call(body, request.target, served.signature), dict[str, Any]()
        else:
            call, echoed = read_generate(body, served.signature, self._server.json_values)
        stream = EventStream(exchange, call, echoed)
        call.send_part, call.is_cancelled = stream.send_part, exchange.is_cancelled
        server = self._server
        if server.tracing:
            server.trace(call, served.signature, "HTTP", began_ns, request.headers.get(b"traceparent", b""))

        def done(answer: Answer, _signature: TensorSignature) -> None:
            stream.end(answer)
            if call.trace is not None:
                server.finish_trace(call.trace, answer)

        self._catalogue.submit(served, version, call, done)

    def _picture(self, request: RequestHead, exchange: Exchange, model: str, version: str) -> None:
        """Run a bare image, as `curl --data-binary` sends it. The answer is the result as plain JSON."""
        began_ns = time.monotonic_ns()
        served = self._catalogue.route(model, version)
        call = picture_call(plain_body(request, exchange.body, self._body_bytes_max), request.target, served.signature)

        def send(answer: Mapping[str, Array], _signature: TensorSignature) -> None:
            exchange.answer(200, JSON, [answer[RESULT].item(0)])

        self._submit(request, exchange, (served, version), call, began_ns, send)

    def _submit(
        self,
        request: RequestHead,
        exchange: Exchange,
        target: tuple[ServedModel, str],
        call: InferenceRequest,
        began_ns: int,
        send: Send,
    ) -> None:
        server = self._server
        if server.traces.on or server.spans is not None:
            server.trace(call, target[0].signature, "HTTP", began_ns, request.headers.get(b"traceparent", b""))
        self._catalogue.submit(*target, call, functools.partial(self._answered, exchange, call, send))

    def _answered(
        self, exchange: Exchange, call: InferenceRequest, send: Send, answer: Answer, signature: TensorSignature
    ) -> None:
        try:
            if isinstance(answer, CallError):
                answer_error(exchange, answer)
            else:
                send(answer, signature)
        except CallError as error:
            answer_error(exchange, error)
        if call.trace is not None:
            self._server.finish_trace(call.trace, answer)
