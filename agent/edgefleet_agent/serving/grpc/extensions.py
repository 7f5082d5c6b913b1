"""The gRPC methods of the server extensions: shared memory, traces, logging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.codec import read_parameter
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.http.extensions import find_model
from edgefleet_agent.serving.protocol.errors import CallError, Code


def extension_methods(server: Server, catalogue: ModelRegistry) -> dict[str, Callable[[Any], Any]]:
    """Name -> function from request message to response message. All return quickly."""

    def trace_setting(request: Any) -> Any:
        if request.model_name:
            find_model(catalogue, request.model_name)
        changes = {name: list(each.value) or None for name, each in request.settings.items()}
        traces = server.traces
        settings = traces.update(request.model_name, changes) if changes else traces.settings(request.model_name)
        response = MESSAGES["TraceSettingResponse"]()
        for name, value in settings.items():
            response.settings[name].value.extend(value if isinstance(value, list) else [value])
        return response

    def log_settings(request: Any) -> Any:
        changes = {name: read_parameter(each) for name, each in request.settings.items()}
        settings = server.logs.update(changes) if changes else server.logs.to_json()
        response = MESSAGES["LogSettingsResponse"]()
        for name, value in settings.items():
            kind = "bool_param" if isinstance(value, bool) else "uint32_param" if isinstance(value, int) else "string_param"
            setattr(response.settings[name], kind, value)
        return response

    return {
        "TraceSetting": trace_setting,
        "LogSettings": log_settings,
        **_system_memory(server),
        "CudaSharedMemoryStatus": lambda _: MESSAGES["CudaSharedMemoryStatusResponse"](),
        "CudaSharedMemoryRegister": _no_cuda,
        "CudaSharedMemoryUnregister": lambda _: MESSAGES["CudaSharedMemoryUnregisterResponse"](),
    }


def _system_memory(server: Server) -> dict[str, Callable[[Any], Any]]:
    regions = server.regions

    def status(request: Any) -> Any:
        response = MESSAGES["SystemSharedMemoryStatusResponse"]()
        for region in regions.to_json(request.name):
            fields = response.regions[region["name"]]
            fields.name, fields.key, fields.offset, fields.byte_size = (
                region[key] for key in ("name", "key", "offset", "byte_size")
            )
        return response

    def register(request: Any) -> Any:
        regions.register(request.name, request.key, request.offset, request.byte_size)
        return MESSAGES["SystemSharedMemoryRegisterResponse"]()

    def unregister(request: Any) -> Any:
        regions.unregister(request.name)
        return MESSAGES["SystemSharedMemoryUnregisterResponse"]()

    return {
        "SystemSharedMemoryStatus": status,
        "SystemSharedMemoryRegister": register,
        "SystemSharedMemoryUnregister": unregister,
    }


def _no_cuda(request: Any) -> Any:
    raise CallError(Code.UNSUPPORTED, f"failed to register CUDA shared memory region: '{request.name[:64]}', not offered")
