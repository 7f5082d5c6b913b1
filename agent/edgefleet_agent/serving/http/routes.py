"""The paths of the protocol, and what each of them answers."""

from __future__ import annotations

import concurrent.futures
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.metrics import CONTENT_TYPE as METRICS_TYPE
from edgefleet_agent.serving.frontend.metrics import OPENMETRICS_TYPE, tell_metrics
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.bodies import JSON, Action, answer_error, answer_json, body_object, encode, tell_fault
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.extensions import find_extension, known
from edgefleet_agent.serving.http.inference_calls import InferenceCalls
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.http.tfserving_rest import split_verb, tell_signature, tell_status
from edgefleet_agent.serving.models.uploaded_models import read_files
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

ROUTES_MAX = 1024


class Routes:
    """Answers requests that came in at `address`. `handle` runs on the loop of the HTTP door; what takes long is done on threads
    beside it."""

    def __init__(
        self,
        catalogue: ModelRegistry,
        repository: Repository,
        server: Server,
        body_bytes_max: int,
        guard: Authentication,
        address: str,
    ) -> None:
        self._guard = guard
        self._address = address
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._calls = InferenceCalls(catalogue, server, body_bytes_max, self._do_aside)
        self._infer_targets: dict[bytes, tuple[str, str]] = {}
        self._aside = concurrent.futures.ThreadPoolExecutor(2, "http-aside")

    def close(self) -> None:
        """Finish what was begun beside the loop."""
        self._aside.shutdown(wait=False, cancel_futures=True)

    def handle(self, request: RequestHead, exchange: Exchange) -> None:
        """Answer a request."""
        try:
            target = self._infer_targets.get(request.target)
            if target is not None and request.method == b"POST":
                self._calls.infer(request, exchange, *target)
            else:
                self._route(request, exchange)
        except EdgefleetError as error:
            answer_error(exchange, error)
        except Exception:
            log.exception("a request could not be answered")
            answer_error(exchange, internal_fault())

    def _route(self, request: RequestHead, exchange: Exchange) -> None:
        path = request.target.partition(b"?")[0]
        try:
            words = [unquote_to_bytes(word).decode() for word in path[1:].split(b"/")]
        except UnicodeDecodeError as cause:
            raise CallError(Code.NOT_FOUND, "the path is not UTF-8") from cause
        method = "GET" if request.method == b"HEAD" else request.method.decode(errors="replace")
        allowed, action = self._find(words)
        if action is None:
            raise CallError(Code.NOT_FOUND, "Not Found")
        if method not in allowed.split(", "):
            exchange.answer(405, JSON + f"Allow: {allowed}\r\n".encode(), [encode({"error": "Method Not Allowed"})])
            return
        action(request, exchange)

    def _find(self, words: list[str]) -> tuple[str, Action | None]:
        match words:
            case ["v2"]:
                return "GET", self._told(self._server.tell)
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
            case ["v1", "models", model]:
                return self._find_tfs(model, "")
            case ["v1", "models", model, "metadata"]:
                return "GET", self._told(lambda: tell_signature(self._catalogue, model, ""))
            case ["v1", "models", model, "versions", version]:
                return self._find_tfs(model, version)
            case ["v1", "models", model, "versions", version, "metadata"]:
                return "GET", self._told(lambda: tell_signature(self._catalogue, model, version))
        return find_extension(words, self._catalogue, self._server)

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
            case ["generate" | "generate_stream" as form]:
                return "POST", lambda request, exchange: self._calls.generate(request, exchange, model, version, form)
            case ["split"] if not version:
                return "GET, POST", lambda request, exchange: self._split(request, exchange, model)
            case ["trace", "setting"] if not version:
                return find_extension(["v2", *rest, model], self._catalogue, self._server)
        return "GET", None

    def _find_tfs(self, model: str, version: str) -> tuple[str, Action | None]:
        name, verb = split_verb(version or model)
        model, version = (model, name) if version else (name, "")
        if not verb:
            return "GET", self._told(lambda: tell_status(self._catalogue, model, version))

        def answer(request: RequestHead, exchange: Exchange) -> None:
            self._do_aside(exchange, lambda: self._calls.tfs(request, exchange, model, version, verb))

        return "POST", answer

    def _told(self, tell: Callable[[], dict[str, Any]]) -> Action:
        def action(request: RequestHead, exchange: Exchange) -> None:
            answer_json(request, exchange, tell())

        return action

    def _model_ready(self, model: str, version: str) -> dict[str, Any]:
        known(self._catalogue, model, version)
        return {"name": model, "ready": True}

    def _statistics(self, model: str, version: str) -> dict[str, Any]:
        return {"model_stats": tell_statistics(self._catalogue, model, version)}

    def _metrics(self, request: RequestHead, exchange: Exchange) -> None:
        triton = b"names=triton" in request.target.partition(b"?")[2].split(b"&")
        open_form = not triton and b"application/openmetrics-text" in request.headers.get(b"accept", b"")
        page = tell_metrics(self._catalogue, triton=triton, openmetrics=open_form)
        exchange.answer(200, OPENMETRICS_TYPE if open_form else METRICS_TYPE, [page])

    def _first_infer(self, request: RequestHead, exchange: Exchange, model: str, version: str) -> None:
        self._catalogue.find(model, version)
        if len(self._infer_targets) < ROUTES_MAX:
            self._infer_targets[request.target] = (model, version)
        self._calls.infer(request, exchange, model, version)

    def _index(self, request: RequestHead, exchange: Exchange) -> None:
        ready = body_object(request).get("ready", False)
        if not isinstance(ready, bool):
            raise invalid("'ready' must be true or false")
        repository = self._repository
        self._do_aside(exchange, lambda: answer_json(request, exchange, tell_index(repository, ready=ready)))

    def _load(self, request: RequestHead, exchange: Exchange, model: str) -> None:
        def load() -> None:
            parameters = body_object(request).get("parameters", {})
            if not isinstance(parameters, dict):
                raise invalid("'parameters' must be an object")
            config, files = read_load_parameters(parameters)
            if files:
                self._guard.check_sender(request.headers, self._address)
            self._repository.load(model, config, files)
            exchange.answer(200, JSON, [b"{}"])

        self._do_aside(exchange, load)

    def _split(self, request: RequestHead, exchange: Exchange, model: str) -> None:
        if request.method != b"POST":
            answer_json(request, exchange, self._catalogue.tell_split(model))
            return
        weights = body_object(request)

        def change() -> None:
            self._catalogue.set_split(model, weights)
            answer_json(request, exchange, self._catalogue.tell_split(model))

        self._do_aside(exchange, change)  # it may be written to the disk

    def _unload(self, request: RequestHead, exchange: Exchange, model: str) -> None:
        parameters = body_object(request).get("parameters", {})
        if not isinstance(parameters, dict):
            raise invalid("'parameters' must be an object")
        dependents = read_unload_parameters(parameters)
        repository = self._repository

        def unload() -> None:
            repository.unload(model, dependents=dependents)
            exchange.answer(200, JSON, [b"{}"])

        self._do_aside(exchange, unload)

    def _do_aside(self, exchange: Exchange, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except EdgefleetError as error:
                answer_error(exchange, error)

        # The executor swallows what it does not expect; a caller shall not wait for ever for that.
        self._aside.submit(run).add_done_callback(lambda future: tell_fault(future, exchange))


def tell_index(repository: Repository, *, ready: bool) -> list[dict[str, str]]:
    """The answer of the repository index; a reason only where there is one."""
    return [{name: value for name, value in row.items() if value} for row in repository.index(ready=ready)]


def tell_statistics(catalogue: ModelRegistry, model: str, version: str) -> list[dict[str, Any]]:
    """The entries of the statistics extension; every model where none is named.

    Raises:
        CallError: there is no such model or version; INVALID, as Triton has it.
    """
    if not model:
        chosen = catalogue.all()
    elif version:
        chosen = [known(catalogue, model, version)]
    else:
        known(catalogue, model)
        chosen = [catalogue.find(model, each) for each in catalogue.versions(model)]
    return [served.statistics.tell(served.signature.model, served.signature.version) for served in chosen]


def read_unload_parameters(parameters: dict[str, Any]) -> bool:
    """Whether an `unload` request takes the steps of an ensemble with it.

    Raises:
        CallError: it says neither yes nor no.
    """
    dependents = parameters.get("unload_dependents", False)
    if not isinstance(dependents, bool):
        raise invalid("parameter 'unload_dependents' must be true or false")
    return dependents


def read_load_parameters(parameters: dict[str, Any]) -> tuple[str | None, dict[str, bytes]]:
    """The `config` of a `load` request, and the files that came with it.

    Raises:
        CallError: `config` is not text, or a file is not what it should be.
    """
    config = parameters.get("config")
    if config is not None and not isinstance(config, str):
        raise invalid("parameter 'config' must be JSON as text")
    return config, read_files(parameters)
