"""The gRPC methods of the extensions that act on the server itself: shared memory, traces, logging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.codec import read_parameter
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.http.extensions import known
from edgefleet_agent.serving.protocol.errors import CallError, Code


def extension_methods(server: Server, catalogue: ModelRegistry) -> dict[str, Callable[[Any], Any]]:
    """Name -> request message to response message. None of them takes long."""

    def trace_setting(request: Any) -> Any:
        if request.model_name:
            known(catalogue, request.model_name)
        changes = {name: list(each.value) or None for name, each in request.settings.items()}
        traces = server.traces
        told = traces.update(request.model_name, changes) if changes else traces.tell(request.model_name)
        response = MESSAGES["TraceSettingResponse"]()
        for name, value in told.items():
            response.settings[name].value.extend(value if isinstance(value, list) else [value])
        return response

    def log_settings(request: Any) -> Any:
        changes = {name: read_parameter(each) for name, each in request.settings.items()}
        told = server.logs.update(changes) if changes else server.logs.tell()
        response = MESSAGES["LogSettingsResponse"]()
        for name, value in told.items():
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
        for region in regions.tell(request.name):
            told = response.regions[region["name"]]
            told.name, told.key, told.offset, told.byte_size = (region[key] for key in ("name", "key", "offset", "byte_size"))
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
