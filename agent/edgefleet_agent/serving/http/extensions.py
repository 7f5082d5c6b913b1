"""The paths of the server extensions: shared memory, traces, logging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.bodies import JSON, Action, answer_json, body_object
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid


def find_extension(words: list[str], catalogue: ModelRegistry, server: Server) -> tuple[str, Action | None]:
    """The methods and the action of a path; no action for an unknown path."""
    match words:
        case ["v2", "logging"]:
            return "GET, POST", _settings(server.logs.to_json, server.logs.update)
        case ["v2", "trace", "setting"]:
            return "GET, POST", _settings(server.traces.settings, lambda changes: server.traces.update("", changes))
        case ["v2", "trace", "setting", model]:
            return "GET, POST", _settings(
                lambda: server.traces.settings(find_model(catalogue, model).signature.model),
                lambda changes: server.traces.update(find_model(catalogue, model).signature.model, changes),
            )
        case ["v2", "systemsharedmemory", *rest]:
            return _system_memory(rest, server)
        case ["v2", "cudasharedmemory", *rest]:
            return _cuda_memory(rest)
    return "GET", None


def find_model(catalogue: ModelRegistry, model: str, version: str = "") -> ServedModel:
    """Find a model for the extensions that answer INVALID for an unknown one, as Triton does, not NOT_FOUND.

    Raises:
        CallError: there is no such model or version.
    """
    try:
        return catalogue.find(model, version)
    except CallError as error:
        raise invalid(str(error)) from error


def _settings(read: Callable[[], dict[str, Any]], update: Callable[[dict[str, Any]], dict[str, Any]]) -> Action:
    def action(request: RequestHead, exchange: Exchange) -> None:
        answer_json(exchange, update(body_object(exchange.body)) if request.method == b"POST" else read())

    return action


def _done(work: Callable[[dict[str, Any]], None]) -> Action:
    def action(_request: RequestHead, exchange: Exchange) -> None:
        work(body_object(exchange.body))
        exchange.answer(200, JSON, [b"{}"])

    return action


def _system_memory(rest: list[str], server: Server) -> tuple[str, Action | None]:
    regions = server.regions
    match rest:
        case ["status"]:
            return "GET", lambda _request, exchange: answer_json(exchange, regions.to_json(""))
        case ["region", name, "status"]:
            return "GET", lambda _request, exchange: answer_json(exchange, regions.to_json(name))
        case ["region", name, "register"]:
            return "POST", _done(
                lambda fields: regions.register(name, fields.get("key"), fields.get("offset", 0), fields.get("byte_size"))
            )
        case ["region", name, "unregister"]:
            return "POST", _done(lambda _: regions.unregister(name))
        case ["unregister"]:
            return "POST", _done(lambda _: regions.unregister(""))
    return "GET", None


def _cuda_memory(rest: list[str]) -> tuple[str, Action | None]:
    """CUDA shared memory is not supported: unregistering succeeds, since example clients do that first."""
    match rest:
        case ["status"]:
            return "GET", lambda _request, exchange: answer_json(exchange, [])
        case ["unregister"] | ["region", _, "unregister"]:
            return "POST", _done(lambda _: None)
        case ["region", name, "register"]:
            return "POST", _done(lambda _: _no_cuda(name))
        case ["region", name, "status"]:
            return "GET", _done(lambda _: _no_cuda(name))
    return "GET", None


def _no_cuda(name: str) -> None:
    raise CallError(Code.UNSUPPORTED, f"failed to register CUDA shared memory region: '{name[:64]}', not offered")
