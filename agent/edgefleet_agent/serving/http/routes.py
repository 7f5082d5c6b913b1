"""The paths of the protocol and their actions."""

from __future__ import annotations

import concurrent.futures
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.api_keys import Level
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener_context import ENDING
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.bodies import (
    JSON,
    Action,
    answer_error,
    answer_fault,
    answer_json,
    body_object,
    encode,
    infer_head,
)
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.extensions import find_extension, find_model
from edgefleet_agent.serving.http.inference_calls import InferenceCalls
from edgefleet_agent.serving.http.metrics_listener import answer_metrics
from edgefleet_agent.serving.http.pages import find_page
from edgefleet_agent.serving.http.permissions import level_of
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.http.tfserving_rest import signature_to_json, split_verb, status_to_json
from edgefleet_agent.serving.models.uploaded_models import read_files
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.core.malloc import malloc_trim

log = logging.getLogger(__name__)

ROUTES_MAX = 1024
TRIM_BYTES_MIN = 8 * 1024 * 1024
"""Memory is returned to the operating system after a body of this size was read."""
ABOUT = {
    "see": "/docs",
    "api": ["KServe V2: /v2", "TensorFlow Serving: /v1/models", "OpenAPI: /openapi.json", "Prometheus: /metrics"],
}
"""The answer at `/`."""
REPOSITORY_NAMES = "'repository_name' specification is not supported"


class Routes:
    """Answers requests of a listener. `handle` runs on its loop; long work runs on a thread pool."""

    def __init__(
        self,
        catalogue: ModelRegistry,
        repository: Repository,
        server: Server,
        body_bytes_max: int,
        guard: Authentication,
    ) -> None:
        self._guard = guard
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._body_bytes_max = body_bytes_max
        self._calls = InferenceCalls(catalogue, server, body_bytes_max, self._read_aside)
        self._infer_targets: dict[bytes, tuple[str, str]] = {}
        self._pool = concurrent.futures.ThreadPoolExecutor(2, "http-aside")
        self._readers = concurrent.futures.ThreadPoolExecutor(2, "http-reading")

    def close(self) -> None:
        """Finish work that was started on the thread pool."""
        for pool in (self._pool, self._readers):
            pool.shutdown(wait=False, cancel_futures=True)

    def handle(self, request: RequestHead, exchange: Exchange) -> None:
        """Answer a request."""
        try:
            if request.infer is not None or self._infers(request):
                self._calls.infer(request, exchange)
            else:
                self._route(request, exchange)
        except EdgefleetError as error:
            answer_error(exchange, error)
        except Exception:
            log.exception("internal error in a request")
            answer_error(exchange, internal_fault())

    def _infers(self, request: RequestHead) -> bool:
        """Whether a head that was not seen before is one of an inference whose path was seen before."""
        target = self._infer_targets.get(request.target)
        if target is None or request.method != b"POST":
            return False
        request.infer = infer_head(request, *target)
        return True

    def _route(self, request: RequestHead, exchange: Exchange) -> None:
        path = request.target.partition(b"?")[0]
        if not path.startswith(b"/"):  # OPTIONS *
            raise CallError(Code.NOT_FOUND, "Not Found")
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
        level = level_of(method, words)
        if level is not Level.INFER:
            self._guard.check_level(level, request.headers, exchange.connection.peer)
        action(request, exchange)

    def _find(self, words: list[str]) -> tuple[str, Action | None]:
        match words:
            case [""]:
                return "GET", self._json_action(lambda: ABOUT)
            case ["v2"]:
                return "GET", self._json_action(self._server.metadata)
            case ["v2", "health", "live"]:
                return "GET", self._json_action(lambda: {"live": True})
            case ["v2", "health", "ready"]:
                return "GET", self._json_action(self._ready)
            case ["v2", "repository", "index"]:
                return "POST", self._index
            case ["v2", "repository", "models", model, "load"]:
                return "POST", lambda request, exchange: self._load(request, exchange, model)
            case ["v2", "repository", "models", model, "unload"]:
                return "POST", lambda request, exchange: self._unload(request, exchange, model)
            case ["v2", "repository", _, "index"]:
                return "POST", self._index  # as Triton: the name selects nothing
            case ["v2", "repository", _, "models", _, "load" | "unload"]:
                return "POST", _no_repository_names
            case ["v2", "models", "stats"]:
                return "GET", self._json_action(lambda: self._statistics("", ""))
            case ["v2", "models", model, "versions", version, *rest]:
                return self._find_model(model, version, rest)
            case ["v2", "models", model, *rest]:
                return self._find_model(model, "", rest)
            case ["metrics"]:
                return "GET", self._metrics
            case ["v1", "models", model]:
                return self._find_tfs(model, "")
            case ["v1", "models", model, "metadata"]:
                return "GET", self._json_action(lambda: signature_to_json(self._catalogue, model, ""))
            case ["v1", "models", model, "versions", version]:
                return self._find_tfs(model, version)
            case ["v1", "models", model, "versions", version, "metadata"]:
                return "GET", self._json_action(lambda: signature_to_json(self._catalogue, model, version))
        page = find_page(words)
        return find_extension(words, self._catalogue, self._server) if page is None else ("GET", page)

    def _find_model(self, model: str, version: str, rest: list[str]) -> tuple[str, Action | None]:
        match rest:
            case []:
                return "GET", self._json_action(lambda: self._catalogue.metadata_to_json(model, version))
            case ["ready"]:
                return "GET", self._json_action(lambda: self._model_ready(model, version))
            case ["config"]:
                return "GET", self._json_action(lambda: self._catalogue.find(model, version).config_to_json())
            case ["stats"]:
                return "GET", self._json_action(lambda: self._statistics(model, version))
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
            return "GET", self._json_action(lambda: status_to_json(self._catalogue, model, version))

        def answer(request: RequestHead, exchange: Exchange) -> None:
            self._read_aside(request, exchange, lambda: self._calls.tfs(request, exchange, model, version, verb))

        return "POST", answer

    def _json_action(self, read: Callable[[], dict[str, Any]]) -> Action:
        def action(_request: RequestHead, exchange: Exchange) -> None:
            answer_json(exchange, read())

        return action

    def _ready(self) -> dict[str, Any]:
        if self._server.draining:
            raise ENDING
        return {"ready": True}

    def _model_ready(self, model: str, version: str) -> dict[str, Any]:
        served = find_model(self._catalogue, model, version)
        if reason := served.unavailable:
            raise CallError(Code.UNAVAILABLE, f"model '{model}' is {reason}")
        return {"name": model, "ready": True}

    def _statistics(self, model: str, version: str) -> dict[str, Any]:
        return {"model_stats": statistics_to_json(self._catalogue, model, version)}

    def _metrics(self, request: RequestHead, exchange: Exchange) -> None:
        answer_metrics(self._catalogue, request, exchange)

    def _first_infer(self, request: RequestHead, exchange: Exchange, model: str, version: str) -> None:
        self._catalogue.find(model, version)
        if len(self._infer_targets) < ROUTES_MAX:
            self._infer_targets[request.target] = (model, version)
        request.infer = infer_head(request, model, version)
        self._calls.infer(request, exchange)

    def _index(self, _request: RequestHead, exchange: Exchange) -> None:
        ready = body_object(exchange.body).get("ready", False)
        if not isinstance(ready, bool):
            raise invalid("'ready' must be true or false")
        repository = self._repository
        self._run_on_pool(exchange, lambda: answer_json(exchange, index_to_json(repository, ready=ready)))

    def _load(self, request: RequestHead, exchange: Exchange, model: str) -> None:
        def load() -> None:
            parameters = body_object(exchange.body, self._body_bytes_max).get("parameters", {})
            if not isinstance(parameters, dict):
                raise invalid("'parameters' must be an object")
            config, files = read_load_parameters(parameters)
            if files:
                self._guard.check_level(Level.ADMIN, request.headers, exchange.connection.peer)
            self._repository.load(model, config, files)
            exchange.answer(200, JSON, [b"{}"])

        self._run_on_pool(exchange, load)

    def _split(self, request: RequestHead, exchange: Exchange, model: str) -> None:
        if request.method != b"POST":
            answer_json(exchange, self._catalogue.split_weights(model))
            return
        weights = body_object(exchange.body)

        def change() -> None:
            self._catalogue.set_split(model, weights)
            answer_json(exchange, self._catalogue.split_weights(model))

        self._run_on_pool(exchange, change)  # it may write to the disk

    def _unload(self, _request: RequestHead, exchange: Exchange, model: str) -> None:
        parameters = body_object(exchange.body).get("parameters", {})
        if not isinstance(parameters, dict):
            raise invalid("'parameters' must be an object")
        dependents = read_unload_parameters(parameters)
        repository = self._repository

        def unload() -> None:
            repository.unload(model, dependents=dependents)
            exchange.answer(200, JSON, [b"{}"])

        self._run_on_pool(exchange, unload)

    def _read_aside(self, request: RequestHead, exchange: Exchange, work: Callable[[], None]) -> None:
        """Read the body of a request on another thread than the loop, and than those of loads, which take long."""
        large = len(exchange.body) > TRIM_BYTES_MIN or b"content-encoding" in request.headers
        self._run_on_pool(exchange, work, self._readers, trim=large)

    def _run_on_pool(
        self,
        exchange: Exchange,
        work: Callable[[], None],
        pool: concurrent.futures.Executor | None = None,
        *,
        trim: bool = False,
    ) -> None:
        def run() -> None:
            try:
                work()
            except EdgefleetError as error:
                answer_error(exchange, error)
            finally:
                if trim:
                    malloc_trim()

        # The executor swallows unexpected exceptions; the callback answers, so that the caller does not wait forever.
        (pool or self._pool).submit(run).add_done_callback(lambda future: answer_fault(future, exchange))


def _no_repository_names(_request: RequestHead, _exchange: Exchange) -> None:
    raise CallError(Code.UNSUPPORTED, REPOSITORY_NAMES)


def index_to_json(repository: Repository, *, ready: bool) -> list[dict[str, str]]:
    """The rows of the repository index, without empty reasons."""
    return [{name: value for name, value in row.items() if value} for row in repository.index(ready=ready)]


def statistics_to_json(catalogue: ModelRegistry, model: str, version: str) -> list[dict[str, Any]]:
    """The entries of the statistics extension; of all models if `model` is empty.

    Raises:
        CallError: there is no such model or version; INVALID, as in Triton.
    """
    if not model:
        chosen = catalogue.all()
    elif version:
        chosen = [find_model(catalogue, model, version)]
    else:
        find_model(catalogue, model)
        chosen = [catalogue.find(model, each) for each in catalogue.versions(model)]
    return [served.statistics.to_json(served.signature.model, served.signature.version) for served in chosen]


def read_unload_parameters(parameters: dict[str, Any]) -> bool:
    """Whether an `unload` request unloads the steps of an ensemble, too.

    Raises:
        CallError: the parameter is not a boolean.
    """
    dependents = parameters.get("unload_dependents", False)
    if not isinstance(dependents, bool):
        raise invalid("parameter 'unload_dependents' must be true or false")
    return dependents


def read_load_parameters(parameters: dict[str, Any]) -> tuple[str | None, dict[str, bytes]]:
    """The `config` and the files of a `load` request.

    Raises:
        CallError: `config` is not text, or a file is not valid.
    """
    config = parameters.get("config")
    if config is not None and not isinstance(config, str):
        raise invalid("parameter 'config' must be JSON as text")
    return config, read_files(parameters)
