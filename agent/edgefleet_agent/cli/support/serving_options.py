"""Options of the inference API's listeners and their authentication, shared by `serve` and the service's worker."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from edgefleet_agent.service.version import agent_version
from edgefleet_agent.serving.frontend.api_keys import read_keys
from edgefleet_agent.serving.frontend.authentication import Authentication, Tls
from edgefleet_agent.settings import ServingSettings
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.command_line import finite, fraction, seconds
from edgefleet_contract.core.errors import InputError

if TYPE_CHECKING:
    from edgefleet_agent.serving.engine.model_registry import ModelRegistry
    from edgefleet_agent.serving.frontend.server_state import Server
    from edgefleet_agent.serving.models.repository import FolderRepository
    from edgefleet_agent.serving.models.repository_poller import RepositoryPoller
    from edgefleet_agent.serving.open_listeners import OpenListener

SERVER_NAME = "edgefleet"
PASSWORD_BYTES_MAX = 4096
POLL_S = 15.0

RATE_MAX = 1e9
"""Largest limit of requests a second."""


def add_split_option(parser: argparse._ActionsContainer) -> None:
    """Add the option that splits requests over the versions of a model."""
    parser.add_argument(
        "--split",
        action="append",
        default=[],
        type=split,
        metavar="M=V:N,V:N",
        help="Traffic split of requests that name no version, e.g. gate=1.0.0:95,1.1.0:5; repeatable",
    )


def add_control_options(parser: argparse._ActionsContainer) -> None:
    """Add the options for which models are loaded, and when, with Triton's names."""
    parser.add_argument(
        "--model-control-mode",
        choices=("none", "explicit", "poll"),
        default="",
        help="none: load all at the start; explicit: load those of --load-model, more by `load`; poll: follow the files "
        "(default: load all at the start, more by `load`)",
    )
    parser.add_argument(
        "--load-model",
        action="append",
        default=[],
        metavar="NAME",
        help="Load this model at the start, * for all; repeatable; with --model-control-mode explicit",
    )
    parser.add_argument(
        "--repository-poll-secs",
        type=seconds(0.1, 86_400),
        metavar="S",
        help="Seconds between two looks at the files; with --model-control-mode poll (default: 15)",
    )
    parser.add_argument(
        "--exit-on-error",
        choices=("true", "false"),
        default="false",
        help="End if a model cannot be loaded at the start (default: %(default)s; Triton's is true)",
    )


def check_model_names(arguments: argparse.Namespace, repository: FolderRepository) -> None:
    """Check the models and versions that options name against those on disk. Where models may come later, print a line instead.

    Raises:
        InputError: there is no such model or version.
    """
    found = repository.found()
    given: list[tuple[str, str, tuple[str, ...]]] = [(f"--isolation {name}=process", name, ()) for name in arguments.isolation]
    given += [(f"--max-batch-size {name}={rows}", name, ()) for name, rows in arguments.max_batch_size]
    for name, shares in arguments.split:
        text = ",".join(f"{version}:{share}" for version, share in shares.items())
        given.append((f"--split {name}={text}", name, tuple(shares)))
    for option, name, versions in given:
        fault = ""
        if name not in found:
            fault = f"{option}: no such model; there are {', '.join(sorted(found)) or 'none'}"
        elif missing := [version for version in versions if version not in found[name].versions]:
            fault = f"{option}: model '{name}' has no version {missing[0]}; there are {', '.join(found[name].versions) or 'none'}"
        if fault and arguments.model_control_mode != "poll" and not arguments.sent_models_mb:
            raise InputError(fault)
        if fault:
            print(f"edgefleet-agent: {fault}", file=sys.stderr)


def load_models(arguments: argparse.Namespace, repository: FolderRepository) -> RepositoryPoller | None:
    """Load the models of the start. Faults go to stderr. Returns what follows the files, running; None if nothing does.

    Raises:
        InputError: the options contradict each other, there is no model, or one cannot be loaded with --exit-on-error true.
    """
    mode, chosen = arguments.model_control_mode, arguments.load_model
    if chosen and mode != "explicit":
        raise InputError("--load-model requires --model-control-mode explicit")
    if arguments.repository_poll_secs is not None and mode != "poll":
        raise InputError("--repository-poll-secs requires --model-control-mode poll")
    if "*" in chosen and len(chosen) > 1:
        raise InputError("--load-model '*' cannot be combined with other names")
    faults = repository.load_all(list(repository.found()) if "*" in chosen else chosen if mode == "explicit" else None)
    for fault in faults:
        print(f"edgefleet-agent: {fault}", file=sys.stderr)
    if arguments.exit_on_error == "true" and any(fault.startswith("failed to load") for fault in faults):
        raise InputError("a model cannot be loaded, and --exit-on-error is true; repair it, or remove the option")
    if mode != "poll":
        return None
    from edgefleet_agent.serving.models.repository_poller import RepositoryPoller

    poller = RepositoryPoller(repository, arguments.repository_poll_secs or POLL_S)
    poller.start()
    return poller


def print_examples(arguments: argparse.Namespace, catalogue: ModelRegistry, address: str) -> None:
    """Print lines that call the first models, and where the page of the API is."""
    from edgefleet_agent.serving.engine.media_calls import FRONTS
    from edgefleet_agent.serving.models.example_calls import EXAMPLES_MAX, ExampleServer, client_line, curl_line

    server = ExampleServer(address, str(arguments.tls_cert or ""), keys=arguments.api_keys is not None)
    served = [catalogue.find(name) for name in catalogue.names() if not name.endswith(FRONTS)]
    for model in [each for each in served if not each.decoupled][:EXAMPLES_MAX]:
        sequences = model.config.sequence_batching is not None
        lines = [form(model.signature, server, sequences=sequences) for form in (curl_line, client_line)]
        print("\n".join(("", f"# {model.signature.model}", *filter(None, lines))))
    if not address.startswith("unix:"):
        print(f"\nAll calls: {'https' if arguments.tls_cert else 'http'}://{server.host}/docs", flush=True)


def add_listener_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for TLS, keys, rates, shared memory, traces, the access log, and inference over a broker."""
    tls = parser.add_argument_group("TLS")
    tls.add_argument("--tls-cert", type=Path, metavar="FILE", help="Server certificate (PEM); enables TLS on all listeners")
    tls.add_argument("--tls-key", type=Path, metavar="FILE", help="Private key of the server certificate (PEM)")
    tls.add_argument(
        "--tls-client-ca", type=Path, metavar="FILE", help="CA certificate (PEM); require client certificates signed by it"
    )
    access = parser.add_argument_group("access")
    access.add_argument(
        "--api-keys",
        type=Path,
        metavar="FILE",
        help="Require an API key listed in FILE, one 'NAME KEY [LEVEL]' per line; LEVEL is infer, manage (default) or admin",
    )
    access.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="Host name by which callers may reach this server, besides addresses, localhost and the machine's name; repeatable",
    )
    access.add_argument(
        "--rate",
        type=finite,
        default=0.0,
        metavar="N",
        help="Requests per second for each API key or address (default: unlimited)",
    )
    access.add_argument(
        "--allow-unauthenticated",
        action="store_true",
        help="Allow a listen address that other machines can reach, without authentication",
    )
    access.add_argument(
        "--allow-client-shm", action="store_true", help="Allow clients to register shared memory (default: refused)"
    )
    tracing = parser.add_argument_group("logs and tracing")
    tracing.add_argument("--access-log", default="", metavar="FILE", help="Access log, one JSON object per request; - for stderr")
    tracing.add_argument("--trace-file", type=Path, metavar="FILE", help="Trace file (default: traces go to the log)")
    tracing.add_argument(
        "--otlp", default="", metavar="URL", help="OpenTelemetry collector for spans of sampled requests, e.g. http://host:4318"
    )
    tracing.add_argument(
        "--otlp-share",
        type=fraction,
        default=0.0,
        metavar="P",
        help="Sampling ratio of requests without a trace context, 0 to 1 (default: 0)",
    )
    mqtt = parser.add_argument_group("MQTT")
    mqtt.add_argument(
        "--mqtt", default="", metavar="URL", help="Also serve inference over this broker, mqtt://HOST:PORT or mqtts://HOST:PORT"
    )
    mqtt.add_argument(
        "--mqtt-root",
        default="edgefleet/infer",
        metavar="TOPIC",
        help="Topic prefix; requests go to TOPIC/MODEL/infer (default: %(default)s)",
    )
    mqtt.add_argument("--mqtt-user", default="", metavar="NAME", help="User name for the broker")
    mqtt.add_argument("--mqtt-password-file", type=Path, metavar="FILE", help="File with the password of --mqtt-user")
    mqtt.add_argument("--mqtt-ca", type=Path, metavar="FILE", help="CA certificate of the broker (PEM), for mqtts://")


def split(text: str) -> tuple[str, dict[str, int]]:
    """Parse `MODEL=VERSION:SHARE,VERSION:SHARE`."""
    model, equals, rest = text.partition("=")
    shares = dict(each.rpartition(":")[::2] for each in rest.split(",")) if equals and model else {}
    if not shares or not all(version and share.isascii() and share.isdecimal() for version, share in shares.items()):
        raise argparse.ArgumentTypeError(f"{text}: must be MODEL=VERSION:SHARE,VERSION:SHARE with whole numbers")
    if not any(int(share) for share in shares.values()):
        raise argparse.ArgumentTypeError(f"{text}: one share must be greater than 0")
    return model, {version: int(share) for version, share in shares.items()}


def max_batch_size(text: str) -> tuple[str, int]:
    """Parse `MODEL=N`."""
    from edgefleet_agent.serving.config.model_config import BATCH_MAX

    model, _, rows = text.rpartition("=")
    if not model or not rows.isascii() or not rows.isdecimal() or int(rows) > BATCH_MAX:
        raise argparse.ArgumentTypeError(f"{text}: must be MODEL=N with N from 0 (no batches) to {BATCH_MAX}")
    return model, int(rows)


def isolated_model(text: str) -> str:
    """Parse `MODEL=process`."""
    model, _, kind = text.rpartition("=")
    if not model or kind != "process":
        raise argparse.ArgumentTypeError(f"{text}: must be MODEL=process")
    return model


def make_server(arguments: argparse.Namespace) -> Server:
    """Create the state that all listeners share, from the options. Imported only by processes that open a listener.

    Raises:
        InputError: the access log cannot be written, or the collector is no URL.
        MissingError: OpenTelemetry is asked for and not installed.
    """
    from edgefleet_agent.serving.frontend.access_log import AccessLog
    from edgefleet_agent.serving.frontend.server_state import Server
    from edgefleet_agent.serving.protocol.request_spans import RequestSpans
    from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
    from edgefleet_agent.serving.protocol.tracing import Traces

    server = Server(
        SERVER_NAME, agent_version(), SharedMemoryRegions(allowed=arguments.allow_client_shm), Traces(arguments.trace_file)
    )
    if arguments.otlp:
        server.spans = RequestSpans(arguments.otlp, SERVER_NAME, server.version, arguments.otlp_share)
    if arguments.access_log:
        server.access = AccessLog(arguments.access_log)
    return server


def open_topics(arguments: argparse.Namespace, catalogue: ModelRegistry, server: Server) -> OpenListener:
    """Serve inference over a broker.

    Raises:
        InputError: its address or a file is invalid.
    """
    from edgefleet_agent.serving.mqtt.service import MqttService
    from edgefleet_contract.mqtt.address import BrokerAddress, Login
    from edgefleet_contract.mqtt.tls import TlsFiles

    password = ""
    if arguments.mqtt_password_file is not None:
        data = read_if_there(arguments.mqtt_password_file, PASSWORD_BYTES_MAX)
        if data is None:
            raise InputError(f"{arguments.mqtt_password_file}: no such file; create it with the password of --mqtt-user")
        password = data.decode(errors="replace").strip()
    tls_files = TlsFiles(arguments.mqtt_ca) if arguments.mqtt_ca is not None else None
    login = Login(arguments.mqtt_user, password)
    return MqttService(BrokerAddress.parse(arguments.mqtt), arguments.mqtt_root, catalogue, server, login, tls_files)


def read_guard(arguments: argparse.Namespace) -> Authentication:
    """The authentication configured by the options.

    Raises:
        InputError: the options contradict each other, or a file is invalid.
    """
    if (arguments.tls_cert is None) != (arguments.tls_key is None):
        raise InputError("--tls-cert and --tls-key must be given together")
    if arguments.tls_client_ca is not None and arguments.tls_cert is None:
        raise InputError("--tls-client-ca requires --tls-cert and --tls-key")
    if not 0 <= arguments.rate <= RATE_MAX:
        raise InputError(f"--rate {arguments.rate:g}: must be 0 (unlimited) or more, at most {RATE_MAX:g}")
    tls = None
    if arguments.tls_cert is not None:
        tls = Tls(arguments.tls_cert, arguments.tls_key, arguments.tls_client_ca)
        tls.context("h2")  # a wrong file is reported before models are loaded
    keys = read_keys(arguments.api_keys) if arguments.api_keys is not None else {}
    return Authentication(keys, tls, arguments.rate, arguments.allow_unauthenticated, tuple(arguments.allowed_host))


def as_options(settings: ServingSettings) -> list[str]:
    """The settings as command line options."""
    given = {
        "--http": settings.http,
        "--grpc": settings.grpc,
        "--tls-cert": settings.tls_cert,
        "--tls-key": settings.tls_key,
        "--tls-client-ca": settings.tls_client_ca,
        "--api-keys": settings.api_keys,
        "--trace-file": settings.trace_file,
        "--access-log": settings.access_log,
        "--otlp": settings.otlp,
        "--otlp-share": str(settings.otlp_share) if settings.otlp_share else "",
        "--mqtt": settings.mqtt,
        "--mqtt-root": settings.mqtt_root,
        "--mqtt-user": settings.mqtt_user,
        "--mqtt-password-file": settings.mqtt_password_file,
        "--mqtt-ca": settings.mqtt_ca,
        "--rate": str(settings.rate_per_s) if settings.rate_per_s else "",
    }
    options = [word for name, value in given.items() if value for word in (name, value)]
    for model, shares in settings.split.items():
        options += ["--split", f"{model}={','.join(f'{version}:{share}' for version, share in shares.items())}"]
    options += [word for name in settings.allowed_hosts for word in ("--allowed-host", name)]
    options += ["--allow-unauthenticated"] if settings.allow_unauthenticated else []
    return [*options, "--allow-client-shm"] if settings.shared_memory else options
