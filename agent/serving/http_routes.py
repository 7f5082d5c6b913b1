"""The paths of the protocol, and what each of them answers."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gzip
import logging
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec

from agent.errors import EdgefleetError
from agent.serving.call import Call, Signature
from agent.serving.catalogue import Catalogue, Repository
from agent.serving.errors import CallError, Code, invalid
from agent.serving.http1 import Exchange, Request
from agent.serving.json_codec import read_infer, write_infer
from agent.serving.metrics import CONTENT_TYPE as METRICS_TYPE
from agent.serving.metrics import tell_metrics
from agent.serving.queueing import Answer

log = logging.getLogger(__name__)

EXTENSIONS = (
    "binary_tensor_data",
    "classification",
    "model_configuration",
    "model_repository",
    "parameters",
    "schedule_policy",
    "statistics",
)
ASIDE_BYTES_MIN = 256 * 1024
"""A JSON body from this size on, and every compressed one, is read beside the loop, which has others to serve."""
ROUTES_MAX = 1024
_JSON = b"Content-Type: application/json\r\n"
_BINARY = b"Content-Type: application/octet-stream\r\n"
_encode = msgspec.json.encode

Action = Callable[[Request, Exchange], None]


class Routes:
    """Answers requests. `handle` runs on the loop of the HTTP door; what takes long is done on threads beside it."""

    def __init__(self, catalogue: Catalogue, repository: Repository, server: dict[str, str], body_bytes_max: int) -> None:
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._body_bytes_max = body_bytes_max
        self._infer_targets: dict[bytes, tuple[str, str]] = {}
        self._aside = concurrent.futures.ThreadPoolExecutor(2, "http-aside")

    def close(self) -> None:
        """Finish what was begun beside the loop."""
        self._aside.shutdown(wait=False, cancel_futures=True)

    def handle(self, request: Request, exchange: Exchange) -> None:
        """Answer a request."""
        try:
            target = self._infer_targets.get(request.target)
            if target is not None and request.method == b"POST":
                self._take_infer(request, exchange, *target)
            else:
                self._route(request, exchange)
        except EdgefleetError as error:
            answer_error(exchange, error)

    def _route(self, request: Request, exchange: Exchange) -> None:
        path = request.target.partition(b"?")[0]
        try:
            words = [unquote_to_bytes(word).decode() for word in path.strip(b"/").split(b"/")]
        except UnicodeDecodeError as cause:
            raise CallError(Code.NOT_FOUND, "the path is not UTF-8") from cause
        method = "POST" if request.method == b"POST" else "GET"
        allowed, action = self._find(words)
        if action is None:
            raise CallError(Code.NOT_FOUND, "Not Found")
        if request.method not in (b"GET", b"HEAD", b"POST") or method != allowed:
            exchange.answer(405, _JSON + f"Allow: {allowed}\r\n".encode(), [_encode({"error": "Method Not Allowed"})])
            return
        action(request, exchange)

    def _find(self, words: list[str]) -> tuple[str, Action | None]:
        match words:
            case ["v2"]:
                return "GET", self._told(lambda: self._server | {"extensions": EXTENSIONS})
            case ["v2", "health", "live"]:
                return "GET", self._told(lambda: {"live": True})
            case ["v2", "health", "ready"]:
                return "GET", self._told(lambda: {"ready": True})
            case ["v2", "repository", "index"]:
                return "POST", self._index
            case ["v2", "repository", "models", model, "load"]:
                return "POST", lambda request, exchange: self._load(request, exchange, model)
            case ["v2", "repository", "models", model, "unload"]:
                return "POST", lambda request, exchange: self._unload(request, exchange, model)
            case ["v2", "models", "stats"]:
                return "GET", self._told(lambda: self._statistics("", ""))
            case ["v2", "models", model, "versions", version, *rest]:
                return self._find_model(model, version, rest)
            case ["v2", "models", model, *rest]:
                return self._find_model(model, "", rest)
            case ["metrics"]:
                return "GET", self._metrics
        return "GET", None

    def _find_model(self, model: str, version: str, rest: list[str]) -> tuple[str, Action | None]:
        match rest:
            case []:
                return "GET", self._told(lambda: self._catalogue.tell_metadata(model, version))
            case ["ready"]:
                return "GET", self._told(lambda: self._model_ready(model, version))
            case ["config"]:
                return "GET", self._told(lambda: self._catalogue.find(model, version).tell_config())
            case ["stats"]:
                return "GET", self._told(lambda: self._statistics(model, version))
            case ["infer"]:
                return "POST", lambda request, exchange: self._first_infer(request, exchange, model, version)
        return "GET", None

    def _told(self, tell: Callable[[], dict[str, Any]]) -> Action:
        def action(request: Request, exchange: Exchange) -> None:
            answer_json(request, exchange, tell())

        return action

    def _model_ready(self, model: str, version: str) -> dict[str, Any]:
        try:
            self._catalogue.find(model, version)
        except CallError as error:
            raise invalid(str(error)) from error  # as Triton does
        return {"name": model, "ready": True}

    def _statistics(self, model: str, version: str) -> dict[str, Any]:
        return {"model_stats": tell_statistics(self._catalogue, model, version)}

    def _metrics(self, _request: Request, exchange: Exchange) -> None:
        exchange.answer(200, METRICS_TYPE, [tell_metrics(self._catalogue)])

    def _first_infer(self, request: Request, exchange: Exchange, model: str, version: str) -> None:
        self._catalogue.find(model, version)
        if len(self._infer_targets) < ROUTES_MAX:
            self._infer_targets[request.target] = (model, version)
        self._take_infer(request, exchange, model, version)

    def _take_infer(self, request: Request, exchange: Exchange, model: str, version: str) -> None:
        headers = request.headers
        compressed = b"content-encoding" in headers or (b"accept-encoding" in headers and _answer_coding(request))
        large = len(request.body) > ASIDE_BYTES_MIN and b"inference-header-content-length" not in headers
        if compressed or large:
            self._do_aside(exchange, lambda: self._infer(request, exchange, model, version))
        else:
            self._infer(request, exchange, model, version)

    def _infer(self, request: Request, exchange: Exchange, model: str, version: str) -> None:
        served = self._catalogue.find(model, version)
        body = _plain_body(request, self._body_bytes_max)
        call = read_infer(body, _header_length(request), served.signature)
        coding = _answer_coding(request)

        def done(answer: Answer, signature: Signature) -> None:
            if isinstance(answer, CallError):
                answer_error(exchange, answer)
                return
            try:
                answer_infer(exchange, call, signature, answer, coding)
            except CallError as error:
                answer_error(exchange, error)

        self._catalogue.submit(served, version, call, done)

    def _index(self, request: Request, exchange: Exchange) -> None:
        ready = _body_object(request).get("ready", False)
        if not isinstance(ready, bool):
            raise invalid("'ready' must be true or false")
        repository = self._repository
        self._do_aside(exchange, lambda: answer_json(request, exchange, repository.index(ready=ready)))

    def _load(self, request: Request, exchange: Exchange, model: str) -> None:
        parameters = _body_object(request).get("parameters", {})
        if not isinstance(parameters, dict):
            raise invalid("'parameters' must be an object")
        config, files = read_load_parameters(parameters)
        repository = self._repository

        def load() -> None:
            repository.load(model, config, files)
            exchange.answer(200, _JSON, [b"{}"])

        self._do_aside(exchange, load)

    def _unload(self, request: Request, exchange: Exchange, model: str) -> None:
        _body_object(request)
        repository = self._repository

        def unload() -> None:
            repository.unload(model)
            exchange.answer(200, _JSON, [b"{}"])

        self._do_aside(exchange, unload)

    def _do_aside(self, exchange: Exchange, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except EdgefleetError as error:
                answer_error(exchange, error)

        # The executor swallows what it does not expect; a caller shall not wait for ever for that.
        self._aside.submit(run).add_done_callback(lambda future: _tell_fault(future, exchange))


def tell_statistics(catalogue: Catalogue, model: str, version: str) -> list[dict[str, Any]]:
    """The entries of the statistics extension; every model where none is named.

    Raises:
        CallError: there is no such model or version.
    """
    if not model:
        chosen = catalogue.all()
    elif version:
        chosen = [catalogue.find(model, version)]
    else:
        catalogue.find(model)
        chosen = [catalogue.find(model, each) for each in catalogue.versions(model)]
    return [served.statistics.tell(served.signature.model, served.signature.version) for served in chosen]


def read_load_parameters(parameters: dict[str, Any]) -> tuple[str | None, bool]:
    """The `config` of a `load` request, and whether files came with it.

    Raises:
        CallError: `config` is not text.
    """
    config = parameters.get("config")
    if config is not None and not isinstance(config, str):
        raise invalid("parameter 'config' must be JSON as text")
    return config, any(name.startswith("file:") for name in parameters)


def answer_json(request: Request, exchange: Exchange, value: Any) -> None:
    """Send a value; nothing but its length for HEAD."""
    body = _encode(value)
    if request.method == b"HEAD":
        exchange.keep = False  # the length told is not the length sent
        body = b""
    exchange.answer(200, _JSON, [body])


def answer_error(exchange: Exchange, error: EdgefleetError) -> None:
    """Send an error in the protocol's shape."""
    code, retry_s = (error.code, error.retry_s) if isinstance(error, CallError) else (Code.INVALID, 0)
    headers = _JSON + (b"Retry-After: %d\r\n" % retry_s if retry_s else b"")
    exchange.answer(code.value, headers, [_encode({"error": str(error)})])


def answer_infer(exchange: Exchange, call: Call, signature: Signature, answer: Any, coding: bytes) -> None:
    """Send the outputs of an inference.

    Raises:
        CallError: they cannot be told in the way that was wished.
    """
    parts, json_bytes = write_infer(call, signature, answer)
    headers = _JSON if json_bytes is None else b"%bInference-Header-Content-Length: %d\r\n" % (_BINARY, json_bytes)
    if coding:
        body = b"".join(parts)
        parts = [gzip.compress(body, 1) if coding == b"gzip" else zlib.compress(body, 1)]
        headers += b"Content-Encoding: %b\r\n" % coding
    exchange.answer(200, headers, parts)


def _tell_fault(future: concurrent.futures.Future[None], exchange: Exchange) -> None:
    with contextlib.suppress(concurrent.futures.CancelledError):
        fault = future.exception()
        if fault is not None:
            log.error("a request could not be answered", exc_info=fault)
            answer_error(exchange, CallError(Code.INTERNAL, "internal fault; the log of the agent says more"))


def _header_length(request: Request) -> int | None:
    text = request.headers.get(b"inference-header-content-length")
    if text is None:
        return None
    if not text.isdigit() or len(text) > 18:
        raise invalid("Inference-Header-Content-Length is not a number")
    return int(text)


def _plain_body(request: Request, bytes_max: int) -> memoryview:
    """The body, unpacked.

    Raises:
        CallError: an unknown coding, damaged, or larger than `bytes_max` when unpacked.
    """
    coding = request.headers.get(b"content-encoding", b"identity").lower()
    if coding == b"identity":
        return request.body
    if coding not in (b"gzip", b"deflate"):
        raise CallError(Code.MEDIA, "Content-Encoding must be gzip, deflate or identity")
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | (16 if coding == b"gzip" else 0))
    try:
        body = unpacker.decompress(request.body, bytes_max + 1)
    except zlib.error as cause:
        raise invalid(f"the body is not {coding.decode()}: {cause}") from cause
    if len(body) > bytes_max:
        raise CallError(Code.TOO_LARGE, f"the unpacked body is larger than {bytes_max} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise invalid(f"the body is not one whole {coding.decode()} stream")
    return memoryview(body)


def _answer_coding(request: Request) -> bytes:
    if b"accept-encoding" not in request.headers:
        return b""
    accepted = request.headers[b"accept-encoding"].lower()
    codings = [coding.partition(b";")[0].strip() for coding in accepted.split(b",") if b"q=0" not in coding.replace(b"q=0.", b"")]
    # Only who asks for nothing else gets it: libraries say "gzip, deflate, br" without anyone having chosen that.
    return codings[0] if len(codings) == 1 and codings[0] in (b"gzip", b"deflate") else b""


def _body_object(request: Request) -> dict[str, Any]:
    if not request.body:
        return {}
    try:
        value = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"failed to parse the request JSON: {cause}") from cause
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    return value
