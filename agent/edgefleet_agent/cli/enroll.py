"""`edgefleet-agent enroll URL --token-file F --ca-sha256 HEX`: enrols the device: it generates its key, and the server assigns a
name, a broker and a trust root. The token is sent only to a server with a certificate of a trusted authority. Where a user has
to approve the device first, it asks again until that is done."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import socket
import ssl
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.enrolment_key import forget_key, store_key, stored_key
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity
from edgefleet_agent.machine.server_authority import store_authority, stored_authority
from edgefleet_agent.service.profile_choice import own_profile
from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.errors import InputError, MessageError, StoreError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import AUTHORITY_VARIABLE, certificate_fault, https_context
from edgefleet_contract.core.pinned_authority import parse_fingerprint, pinned_authority, pinned_context
from edgefleet_contract.core.questions import ask, ask_secret, is_terminal
from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.wire.enrolment import EnrolRequest, EnrolResponse, EnrolWaiting

ANSWER_BYTES_MAX = 1024 * 1024
TIMEOUT_S = 30.0
WAITING, TOO_MANY, SERVER_FAULT = 202, 429, 500
RETRY_S_MIN, RETRY_S_MAX = 1.0, 300.0
KEY_CHARS = 16
TOKEN_BYTES_MAX = 4096
TOKEN_CHARS_MAX = 128
ENROLMENT_BYTES = 64 * 1024
"""Room for all files of an enrolment."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
DEFAULT_STATE = "/var/lib/edgefleet"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `enroll`."""
    parser.add_argument("url", help="Fleet server URL, https://HOST[:PORT] or http://127.0.0.1:PORT")
    token = parser.add_mutually_exclusive_group(required=True)
    token.add_argument(
        "--token-file", metavar="FILE", help="File with the enrollment token from `edgefleet token create`; - reads it from stdin"
    )
    token.add_argument(
        "--token", metavar="T", help="The token itself, visible to all users of this machine; - reads it from stdin"
    )
    parser.add_argument("--device", metavar="ID", help="Device id (default: from the settings, otherwise the host name)")
    parser.add_argument(
        "--config",
        type=Path,
        default=configuration.DEFAULT,
        metavar="F",
        help=f"Settings file; created if missing (default: ${configuration.CONFIG_VARIABLE}, or {configuration.SYSTEM_FILE})",
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help=f"State folder in new settings (default: {DEFAULT_STATE})")
    trusted = parser.add_mutually_exclusive_group()
    trusted.add_argument(
        "--ca-sha256",
        metavar="HEX",
        help="SHA-256 fingerprint of the server's CA certificate, as `edgefleet token create` prints it; no other server gets the"
        " token",
    )
    trusted.add_argument(
        "--ca",
        metavar="FILE",
        help=f"CA certificate of the server (PEM; default: ${AUTHORITY_VARIABLE}, otherwise the system's CA store)",
    )
    parser.add_argument("--json", action="store_true", help="Print JSON")
    parser.add_argument("--again", action="store_true", help="Replace the existing identity of this device")


def run(arguments: argparse.Namespace) -> int:
    """Enrol once.

    Raises:
        EdgefleetError: the text gives the remedy; nothing has changed on this device then.
    """
    from edgefleet_agent.model_store.tuf_client import install_root

    settings = configuration.read_settings(arguments.config) if arguments.config.is_file() else None
    device = _device(arguments.device, settings)
    state = Path(settings.state) if settings is not None else (arguments.state or Path(DEFAULT_STATE)).absolute()
    if _is_enrolled(state) and not arguments.again:
        raise InputError(f"device already enrolled ({state / 'identity'}); use --again to replace its identity")
    token = _token(arguments.token_file, arguments.token)
    _check_url(arguments.url)
    with as_owner(state):
        _check_writable(state, "--state")
    if settings is None:
        _check_writable(arguments.config.absolute().parent, "--config")
    trust = _trust(arguments.url, arguments.ca, arguments.ca_sha256, state)
    key, request = new_request(device, stored_key(state))

    def wait(waiting: EnrolWaiting) -> None:
        with as_owner(state):
            store_key(state, key)
        here = f"{device} waits for approval, its key is {waiting.key_sha256[:KEY_CHARS]}"
        print(f"{here}: on the server `edgefleet token approve {device}`", file=sys.stderr, flush=True)

    try:
        answer = _ask_until_approved(arguments.url, EnrolRequest(token=token, device=device, request=request), trust, wait)
    except InputError:
        with as_owner(state):
            forget_key(state)
        raise
    if answer.device != device:
        raise InputError(f"the server responded for device {answer.device!r} instead of {device!r}; nothing was changed")
    credentials = pack_credentials(key, answer.certificate, answer.issued_at, answer.expires_at)
    with as_owner(state):
        make_folder(state)
        install_root(state, answer.trust_root.encode(), replace=True)
        if trust.pinned:
            store_authority(state, arguments.url, trust.pinned)
        # Existing settings are not changed: the token's labels are stored in the identity.
        labels = answer.labels if settings is not None else {}
        install_identity(state, Named(device=device, broker_url=answer.broker_url, labels=labels), answer.authority, credentials)
        forget_key(state)
    if settings is None:
        _write_settings(arguments.config, device, state, answer.labels)
    own = own_profile(settings.profile if settings is not None else "")
    if arguments.json:
        row = {"device": device, "broker": answer.broker_url, "state": str(state), "config": str(arguments.config)}
        print(json_text({**row, "expires_at": answer.expires_at, "profile": own.name, "labels": answer.labels}, indent=1))
        return 0
    print(f'profile {own.name or "none"} ({own.reason}); to change it, set profile = "NAME" in {arguments.config}')
    print(f"{device} enrolled; broker {answer.broker_url}. Start the agent: edgefleet-agent run --config {arguments.config}")
    return 0


def _is_enrolled(state: Path) -> bool:
    """Whether a valid identity exists; a damaged one may be replaced without loss."""
    try:
        return read_identity(state) is not None
    except InputError:
        return False


@contextlib.contextmanager
def as_owner(state: Path) -> Iterator[None]:
    """If run by root, writes files as the owner of the state folder; otherwise the service could not read them."""
    owner = state.stat() if state.is_dir() else None
    if owner is None or os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def _device(requested: str | None, settings: configuration.Settings | None) -> str:
    if settings is not None:
        if requested not in (None, settings.device):
            raise InputError(
                f"--device {requested}: the settings have device = {settings.device!r}; omit --device or change the settings"
            )
        return settings.device
    device = requested or re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().lower())[:64]
    if re.match(DEVICE_PATTERN, device) is None:
        raise InputError(f"invalid device id {device[:80]!r}; specify --device with 1 to 64 characters of a-z, 0-9, _ and -")
    return device


def _token(file: str | None, text: str | None) -> str:
    """The token, in one of its forms.

    Raises:
        InputError: there is none.
    """
    if "-" in (file, text):
        advice = "write the token to stdin, or specify a file with --token-file"
        token = ask_secret("Enrollment token: ", advice) if is_terminal() else ask("", advice)
    elif file is not None:
        try:
            with Path(file).open("rb") as source:
                token = source.read(TOKEN_BYTES_MAX).decode("ascii")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "not a token"
            raise InputError(
                f"--token-file {file}: {why}; specify the file that `edgefleet token create --out FILE` wrote"
            ) from error
    else:
        token = text or ""
    token = token.strip()
    if not 0 < len(token) <= TOKEN_CHARS_MAX:
        raise InputError("the token is empty or too long; create one with `edgefleet token create`")
    return token


def _check_writable(folder: Path, option: str) -> None:
    """Check that the folder can be written or made: a token is used once, and its answer must not be lost.

    Raises:
        InputError: it cannot.
        StoreError: its disk has no room.
    """
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir():
        raise InputError(f"{existing} is not a folder; specify another with {option}; nothing was sent")
    if not os.access(existing, os.W_OK | os.X_OK, effective_ids=True):
        raise InputError(f"{existing} cannot be written; run this as root, or specify another with {option}; nothing was sent")
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(ENROLMENT_BYTES))
    except OSError as error:
        why = f"{existing} has no room for {ENROLMENT_BYTES // 1024} KiB ({fault_text(error)})"
        raise StoreError(f"{why}; free some space, or specify another with {option}; nothing was sent") from error


@dataclass(frozen=True, slots=True)
class _Trust:
    """Trust in a server's certificate. pinned: its authority (PEM), verified by the fingerprint; empty without one. unknown: the
    remedy if the certificate is of another authority."""

    context: ssl.SSLContext
    pinned: str = ""
    unknown: str = ""


def _trust(url: str, authority: str | None, fingerprint: str | None, state: Path) -> _Trust:
    """Trust by fingerprint, authority file, or authorities of the system and the one stored by an earlier enrolment.

    Raises:
        InputError: the server's authority is not that of the fingerprint, or an option is invalid.
        UnavailableError: the server cannot be reached.
    """
    if fingerprint is None:
        context = https_context(authority, "--ca")
        stored = "" if authority or os.environ.get(AUTHORITY_VARIABLE) else stored_authority(state, url)
        if stored:
            context.load_verify_locations(cadata=stored)
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return _Trust(context)
    expected = parse_fingerprint(fingerprint, "--ca-sha256")
    if urlsplit(url).scheme != "https":
        raise InputError(f"{url}: --ca-sha256 requires an https URL; use the line that `edgefleet token create` prints")
    try:
        pinned = pinned_authority(url, expected, TIMEOUT_S)
    except InputError as error:
        raise InputError(f"{error}; nothing was sent; check the URL, or run `edgefleet token create` again") from error
    except (OSError, ValueError) as error:
        raise _no_response(url, error) from error
    unknown = "it is not signed by the authority of --ca-sha256, another server may be in between; nothing was sent"
    return _Trust(pinned_context(pinned), pinned, unknown)


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"invalid server URL {url!r}; must be https://HOST[:PORT]")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise InputError(f"{url}: enrollment requires an encrypted connection; use https, or an SSH tunnel to 127.0.0.1")


def _no_response(url: str, error: Exception) -> UnavailableError:
    return UnavailableError(f"no response from {url} ({fault_text(error)}); check the URL and whether the server is running")


def _ask_until_approved(
    url: str, message: EnrolRequest, trust: _Trust, on_waiting: Callable[[EnrolWaiting], None]
) -> EnrolResponse:
    """Ask until the server has issued a certificate. on_waiting: called once, if the device has to be approved first.

    Raises:
        InputError: the server refuses. UnavailableError: it did not answer the first time.
    """
    retry_s = 0.0
    while True:
        try:
            answer = _ask(url, message, trust)
        except UnavailableError:
            if not retry_s:
                raise
        else:
            if isinstance(answer, EnrolResponse):
                return answer
            if not retry_s:
                on_waiting(answer)
            retry_s = min(max(answer.retry_s, RETRY_S_MIN), RETRY_S_MAX)
        time.sleep(retry_s)


def _ask(url: str, message: EnrolRequest, trust: _Trust) -> EnrolResponse | EnrolWaiting:
    where = f"{url.rstrip('/')}/api/v1/enrol"
    request = urllib.request.Request(  # noqa: S310 (the scheme was checked above)
        where, data=encode(message), headers={"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=trust.context) as answer:  # noqa: S310
            body = answer.read(ANSWER_BYTES_MAX)
            if answer.status == WAITING:
                return decode(body, EnrolWaiting, bytes_max=ANSWER_BYTES_MAX)
            return decode(body, EnrolResponse, bytes_max=ANSWER_BYTES_MAX)
    except urllib.error.HTTPError as error:
        why = _detail(error.read(ANSWER_BYTES_MAX))
        if error.code == TOO_MANY or error.code >= SERVER_FAULT:
            raise UnavailableError(f"{url} cannot answer now: {why}; try again") from error
        raise InputError(f"the server rejected the request: {why}") from error
    except MessageError as error:
        raise InputError(f"{url} is not a fleet server ({error}); check the URL") from error
    except (OSError, ValueError) as error:
        if why := certificate_fault(error, "--ca-sha256 HEX, --ca", trust.unknown, trust.context):
            raise InputError(f"{url}: {why}") from error
        raise _no_response(url, error) from error


def _detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])[:500]
    except (ValueError, KeyError, TypeError):
        return repr(body[:200])


def _write_settings(path: Path, device: str, state: Path, labels: dict[str, str]) -> None:
    """Write minimal settings, with the folder of pipelines if there is one beside the file, as the Debian package has it."""
    lines = [f"device = {json.dumps(device)}", f"state = {json.dumps(str(state))}"]
    if (path.absolute().parent / configuration.PIPELINES).is_dir():
        lines.append(f"pipelines = {json.dumps(configuration.PIPELINES)}")
    lines += ["", "[labels]"]
    lines += [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in labels.items()]
    make_folder(path.absolute().parent)
    write_atomic(path, ("\n".join(lines) + "\n").encode())
