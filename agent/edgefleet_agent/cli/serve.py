"""`edgefleet-agent serve`: serves models of a folder over the local inference API, without pipelines and without a fleet."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
import time
from pathlib import Path

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.cli.support.argument_types import count, megabytes, profile_or_none, thread_count, whole_number
from edgefleet_agent.cli.support.serving_options import (
    add_control_options,
    add_listener_options,
    add_split_option,
    check_model_names,
    isolated_model,
    load_models,
    make_server,
    max_batch_size,
    open_topics,
    print_examples,
    read_guard,
)
from edgefleet_agent.service.profile_choice import own_profile
from edgefleet_agent.service.thread_faults import end_process_on_thread_fault
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.rate_limiter import RateLimiter
from edgefleet_agent.serving.engine.response_cache import ResponseCache
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.listener import HttpServerListener
from edgefleet_agent.serving.http.metrics_listener import MetricsListener
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import OpenListener, open_grpc
from edgefleet_agent.serving.protocol.json_limits import VALUES_MAX
from edgefleet_contract.core.errors import EdgefleetError, InputError

log = logging.getLogger(__name__)

MB = 1024 * 1024
RESOURCE_COPIES_MAX = 10_000
IDLE_POLL_S = 0.05
VALUES_MIN, VALUES_LIMIT = 1000, 10**9
CLOSE_S_MAX = 1.0
SWITCH_S = 0.001
"""Switch interval of Python's threads, short so that a loop busy with requests does not delay a runtime that has an answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `serve`."""
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="MODEL",
        help="Model file (.onnx, .tflite, .xml; NAME=FILE names it), package, or folder with NAME/VERSION subfolders",
    )
    network = parser.add_argument_group("listeners")
    network.add_argument(
        "--http",
        default="127.0.0.1:8000",
        metavar="ADDRESS",
        help="HTTP listen address, HOST:PORT or unix:PATH (default: %(default)s)",
    )
    network.add_argument("--grpc", default="", metavar="ADDRESS", help="gRPC listen address, HOST:PORT (default: disabled)")
    network.add_argument(
        "--metrics", default="", metavar="ADDRESS", help="Listen address for metrics alone, HOST:PORT (default: with --http only)"
    )
    models = parser.add_argument_group("models")
    add_control_options(models)
    models.add_argument("--threads", type=thread_count, default=0, metavar="N", help="Threads per session (default: 1 on CPUs)")
    models.add_argument(
        "--profile",
        type=profile_or_none,
        metavar="P",
        help="Device profile that selects variants and device; none: the CPU (default: the detected one)",
    )
    models.add_argument(
        "--isolation",
        action="append",
        default=[],
        type=isolated_model,
        metavar="MODEL=process",
        help="Run the sessions of a model in processes of their own, so that a crash of its runtime is an error of one request; "
        "repeatable",
    )
    models.add_argument(
        "--max-batch-size",
        action="append",
        default=[],
        type=max_batch_size,
        metavar="MODEL=N",
        help="Largest batch of a model whose configuration has no max_batch_size, in rows; 0: its first axis is no batch axis; "
        "repeatable",
    )
    add_split_option(models)
    models.add_argument(
        "--rate-limit-resource",
        action="append",
        default=[],
        metavar="NAME=N",
        help="Copies of a rate limiter resource; repeatable",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--body-mb", type=count, default=64, metavar="MB", help="Maximum request size in MB (default: %(default)s)"
    )
    limits.add_argument(
        "--json-values",
        type=whole_number(VALUES_MIN, VALUES_LIMIT),
        default=VALUES_MAX,
        metavar="N",
        help="Maximum number of values in the JSON of a request; larger tensors are sent as binary data (default: %(default)s)",
    )
    limits.add_argument(
        "--exit-timeout-secs",
        type=count,
        default=30,
        metavar="S",
        help="Seconds for running requests to be answered after SIGTERM; a second signal ends at once (default: %(default)s)",
    )
    limits.add_argument(
        "--memory-mb",
        type=megabytes,
        default=0,
        metavar="MB",
        help="Memory limit of all models in MB; the least recently used are unloaded (default: unlimited)",
    )
    limits.add_argument(
        "--cache-mb", type=megabytes, default=64, metavar="MB", help="Response cache size in MB (default: %(default)s)"
    )
    limits.add_argument(
        "--sent-models-mb",
        type=megabytes,
        default=0,
        metavar="MB",
        help="Size limit in MB of all models uploaded with `load`, from this machine or with an admin key (default: no uploads)",
    )
    add_listener_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    end_process_on_thread_fault()
    sys.setswitchinterval(SWITCH_S)
    if not arguments.body_mb:
        raise InputError("--body-mb must be at least 1")
    guard = read_guard(arguments)
    for address in filter(None, (arguments.http, arguments.grpc, arguments.metrics)):
        guard.check_address(address)
    stop = {signal.SIGTERM, signal.SIGINT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stop)  # before any thread: they inherit it, and `sigwait` gets the signal
    try:
        return _serve(arguments, guard, stop)
    except EdgefleetError:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        raise


def _serve(arguments: argparse.Namespace, guard: Authentication, stop: set[signal.Signals]) -> int:
    """Open the models and listeners, and wait for one of the signals `stop`, which are blocked."""
    catalogue = ModelRegistry()
    profile = own_profile(arguments.profile or "").profile
    device = LoadTarget(
        tuple(installed_runtimes()),
        profile.name if profile is not None else cpu_profile(),
        arguments.threads,
        RateLimiter(_resources(arguments.rate_limit_resource)),
        ResponseCache(arguments.cache_mb * MB),
        frugal=bool(arguments.memory_mb),
        isolated=frozenset(arguments.isolation),
        batches=dict(arguments.max_batch_size),
        accelerators=tuple(profile.accelerators) if profile is not None else (),
    )
    repository = FolderRepository(
        arguments.folders,
        catalogue,
        device,
        arguments.memory_mb * MB,
        dict(arguments.split),
        arguments.sent_models_mb * MB,
        control=arguments.model_control_mode,
    )
    check_model_names(arguments, repository)
    poller = load_models(arguments, repository)
    server = make_server(arguments)
    server.json_values = arguments.json_values
    limits = ListenerLimits(body_bytes=arguments.body_mb * MB)
    http = HttpServerListener(arguments.http, catalogue, repository, server, limits, guard)
    others: list[OpenListener] = []
    forced = False
    try:
        if arguments.grpc:
            others.append(open_grpc(arguments.grpc, catalogue, repository, server, limits, guard))
            print(f"gRPC on {others[-1].address}", flush=True)
        if arguments.mqtt:
            others.append(open_topics(arguments, catalogue, server))
            print(f"MQTT on {others[-1].address}", flush=True)
        if arguments.metrics:
            others.append(MetricsListener(arguments.metrics, catalogue, guard))
            print(f"Metrics on {others[-1].address}", flush=True)
        print(f"HTTP on {http.address}", flush=True)
        print_examples(arguments, catalogue, http.address)
        signal.sigwait(stop)
        forced = not drain([http, *others], server, arguments.exit_timeout_secs, stop)
    finally:
        if poller is not None:
            poller.close()
        for listener in others:
            listener.close()
        http.close()
        end_models(catalogue, forced=forced)
        repository.close()
        server.close()
    return 0


def drain(listeners: list[OpenListener], server: Server, timeout_s: float, stop: set[signal.Signals]) -> bool:
    """Refuse new requests and wait for those that run; False if some still run after `timeout_s` seconds, or at another signal
    of `stop`."""
    server.draining = True
    for listener in listeners:
        listener.drain()
    again = threading.Event()
    for each in stop:  # delivered to a thread of a library, which does not block them
        signal.signal(each, lambda _number, _frame: again.set())
    ends_s = time.monotonic() + timeout_s
    while not all(listener.wait_idle(0) for listener in listeners):
        if signal.sigtimedwait(stop, IDLE_POLL_S) is not None or again.is_set() or time.monotonic() >= ends_s:
            log.warning("requests that still run are refused")
            return False
    return True


def end_models(catalogue: ModelRegistry, *, forced: bool) -> None:
    """Close the models. forced: calls may run in them, so wait for `CLOSE_S_MAX` seconds at most."""
    closing = threading.Thread(target=catalogue.close, name="close-models", daemon=True)
    closing.start()
    closing.join(CLOSE_S_MAX if forced else None)


def _resources(given: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in given:
        name, equals, number = each.rpartition("=")
        if not equals or not name or not number.isdecimal() or not 0 < int(number) <= RESOURCE_COPIES_MAX:
            raise InputError(f"--rate-limit-resource {each}: must be NAME=N with N between 1 and {RESOURCE_COPIES_MAX}")
        found[name] = int(number)
    return found
