"""`edgefleet-agent worker`: internal; the supervisor starts it (see `edgefleet_agent.pipeline.scheduling.worker_server`)."""

from __future__ import annotations

import argparse
import contextlib
import logging
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgefleet_agent.backends.hosted.host_process import holds_device
from edgefleet_agent.cli.support.serving_options import (
    add_listener_options,
    add_split_option,
    make_server,
    open_topics,
    read_guard,
)
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.machine.vitals import attached
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundWork
from edgefleet_agent.pipeline.scheduling.device_failback import DeviceFailback
from edgefleet_agent.pipeline.scheduling.worker_log import WorkerLog
from edgefleet_agent.pipeline.scheduling.worker_server import WorkerServer
from edgefleet_agent.recording.event_journal import EventJournal
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.service.journald import log_handler
from edgefleet_agent.service.local_api import make_hub, open_local_api
from edgefleet_agent.service.status_socket import ask
from edgefleet_agent.service.thread_faults import end_process_on_thread_fault
from edgefleet_contract.core.command_line import finite
from edgefleet_contract.core.errors import EdgefleetError, InputError, UnavailableError

if TYPE_CHECKING:
    from edgefleet_agent.serving.frontend.server_state import Server
    from edgefleet_agent.serving.open_listeners import OpenListener

ANSWER_S_MAX = 2.5
"""Time for running calls at the end; the supervisor kills a worker that takes 5 s."""

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `worker`."""
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="Folder for clips and snapshots (default: none are kept)")
    parser.add_argument(
        "--evidence-bytes", type=int, default=2_000_000_000, metavar="N", help="Quota of clips and snapshots, in bytes"
    )
    parser.add_argument(
        "--evidence-days", type=finite, default=14.0, metavar="N", help="Retention of clips and snapshots, in days"
    )
    parser.add_argument("--events-bytes", type=int, default=64_000_000, metavar="N", help="Quota of stored events, in bytes")
    parser.add_argument("--device", default="", metavar="ID", help="Device id (default: no local API)")
    parser.add_argument("--local-api", default="{}", metavar="JSON", help="Table [local_api] of the settings")
    parser.add_argument("--stationary", type=Path, metavar="DIR", help="Folder for stationary objects, kept across restarts")
    parser.add_argument("--fd", type=int, required=True, metavar="N", help="Inherited socket to the supervisor")
    parser.add_argument(
        "--http", default="", metavar="ADDRESS", help="HTTP address of the local inference API (default: disabled)"
    )
    parser.add_argument(
        "--grpc", default="", metavar="ADDRESS", help="gRPC address of the local inference API (default: disabled)"
    )
    parser.add_argument("--splits", type=Path, metavar="FILE", help="File for traffic splits set over the API")
    add_split_option(parser)
    add_listener_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the supervisor closes the connection."""
    logging.basicConfig(level=logging.WARNING, handlers=[log_handler(arguments.device)], force=True)
    end_process_on_thread_fault()
    try:
        line = socket.socket(fileno=arguments.fd)
    except OSError as cause:
        raise InputError(f"--fd {arguments.fd} is not a socket: {cause.strerror}; `run` starts this command") from cause
    evidence, journal, faults = None, None, DiskFaults(logged=False)  # the supervisor logs them
    if arguments.evidence is not None:
        journal = EventJournal(arguments.evidence)
        evidence = EvidenceFolder(arguments.evidence, arguments.evidence_bytes, arguments.evidence_days * 86400, faults)
    with line, contextlib.ExitStack() as resources:
        host = ApiHost(arguments, faults) if arguments.http or arguments.grpc or arguments.mqtt else None
        hub = make_hub(arguments) if arguments.device else None
        memory = SceneMemory(arguments.stationary, faults) if arguments.stationary is not None else None
        failback = DeviceFailback(answers, attached)
        worker = WorkerServer(
            line,
            host=host,
            evidence=evidence,
            observers=hub,
            failback=failback,
            memory=memory,
            snapshot_maker=hub,
            faults=faults,
            journal=journal,
        )
        logging.getLogger().addHandler(WorkerLog(worker.on_log))
        if hub is not None:
            resources.callback(hub.close)
            hub.switches_of = worker.switches
            hub.state.connection_fault = lambda: str(_status(arguments.evidence).get("connection_fault", ""))
            hub.state.disk_faults = lambda: _disk_faults(arguments.evidence, faults)
            open_local_api(hub, arguments, worker.on_fault, worker.on_event, faults)
        if host is not None:
            resources.enter_context(host.opened(arguments, worker.on_fault))
        return worker.serve()


def _disk_faults(evidence: Path | None, own: DiskFaults) -> dict[str, str]:
    """Faults of the device's stores on disk, as the supervisor has them; those of this process where it does not answer."""
    return {str(store): str(text) for store, text in _status(evidence).get("stores", {}).items()} or own.texts()


def _status(evidence: Path | None) -> dict[str, Any]:
    """The status of the service; empty where it does not answer."""
    try:
        return ask(evidence.parent) if evidence is not None else {}
    except UnavailableError:
        return {}


def answers(runtime: str, device: str) -> bool:
    """Whether the device works now. Tested in a child process, because the library may kill its process."""
    from edgefleet_agent.machine.accelerator_check import ask

    if holds_device(runtime, device):
        return True
    return not ask(f"{runtime}@{device}").error


class ApiHost:
    """Serves the models of the slots over the local inference API. Imported only if the API is configured."""

    def __init__(self, arguments: argparse.Namespace, faults: DiskFaults) -> None:
        from edgefleet_agent.serving.engine.model_registry import ModelRegistry
        from edgefleet_agent.serving.models.slot_models import SlotModels
        from edgefleet_agent.serving.models.traffic_split_store import TrafficSplitStore

        self._catalogue = ModelRegistry()
        self._server: Server | None = None
        self._listeners: list[OpenListener] = []
        planned = dict(arguments.split)
        if arguments.splits is not None:
            book = TrafficSplitStore(planned, arguments.splits, faults)
            planned = book.standing()
            self._catalogue.keep_split = book.keep
        self._catalogue.plan_splits(planned)
        self._slot_models = SlotModels(self._catalogue)

    def switched(self, slot: str, model: LoadedModel, wake: Callable[[], None]) -> BackgroundWork | None:
        """See `BackgroundHost`. A model that the protocol does not support is not served; its pipelines continue."""
        try:
            return self._slot_models.switched(slot, (model.manifest, model.variant), model.session, model.labels, wake)
        except EdgefleetError as error:
            log.warning("%s is not served: %s", model.manifest.name, error)
            return None

    def ending(self) -> None:
        """Answer the requests that run, for `ANSWER_S_MAX` seconds, and refuse others: the models are closed after this."""
        if self._server is not None:
            self._server.draining = True
        for listener in self._listeners:
            listener.drain()
        ends_s = time.monotonic() + ANSWER_S_MAX
        for listener in self._listeners:
            listener.wait_idle(max(0.0, ends_s - time.monotonic()))
        while self._listeners:
            self._listeners.pop().close()

    @contextlib.contextmanager
    def opened(self, arguments: argparse.Namespace, on_fault: Callable[[str, str, bool], None]) -> Iterator[None]:
        """Keep the listeners open for the block. One that cannot be opened is reported as a fault: cameras continue."""
        from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
        from edgefleet_agent.serving.models.slot_models import ReadOnlyRepository
        from edgefleet_agent.serving.open_listeners import open_grpc, open_http

        limits, repository = ListenerLimits(), ReadOnlyRepository(self._catalogue)
        server: Server | None = None
        with contextlib.ExitStack() as resources:
            with _as_fault(on_fault):
                server = self._server = make_server(arguments)
                resources.callback(server.close)
            resources.callback(self._catalogue.close)
            resources.callback(self.ending)
            for address, opening in ((arguments.http, open_http), (arguments.grpc, open_grpc)):
                if address and server is not None:
                    with _as_fault(on_fault):
                        guard = read_guard(arguments)
                        self._listeners.append(opening(address, self._catalogue, repository, server, limits, guard))
            if arguments.mqtt and server is not None:
                with _as_fault(on_fault):
                    self._listeners.append(open_topics(arguments, self._catalogue, server))
            yield


@contextlib.contextmanager
def _as_fault(on_fault: Callable[[str, str, bool], None]) -> Iterator[None]:
    try:
        yield
    except EdgefleetError as error:
        on_fault("", f"local inference API: {error}", False)
