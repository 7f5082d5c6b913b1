"""Streamable HTTP: an address, checks of Host and Origin, and an access token where others could connect."""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import socket
import sys
from pathlib import Path
from typing import Any, Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import InputError, UnavailableError

PATH: Final = "/mcp"
TOKEN_CHARS_MIN: Final = 16
SESSIONS_MAX: Final = 100
IDLE_S: Final = 1800.0
BODY_BYTES_MAX: Final = 1024 * 1024
BACKLOG: Final = 128
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


class AccessTokenCheck:
    """ASGI middleware: requests need `Authorization: Bearer TOKEN`."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").encode()
            if not hmac.compare_digest(given, self._expected):
                refusal = {"detail": "send the access token of the MCP server as a bearer token"}
                await JSONResponse(refusal, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
                return
        await self._app(scope, receive, send)


def run_http(server: MCPServer[Any], address: str, token_file: Path | None) -> None:
    """Serve until the process is stopped.

    Raises:
        InputError: the address is not HOST:PORT, or is not loopback and there is no access token.
        UnavailableError: the port is in use.
    """
    host, port = _parsed(address)
    token = _token(token_file) if token_file else ""
    if not token and not ipaddress.ip_address(host).is_loopback:
        raise InputError(f"--http {address}: others could connect; require an access token with --access-token-file FILE")
    with contextlib.closing(_listener(host, port)) as listener:
        port = int(listener.getsockname()[1])
        app: ASGIApp = server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=BODY_BYTES_MAX,
            session_idle_timeout=IDLE_S,
            max_sessions=SESSIONS_MAX,
            transport_security=_security(host, port),
            host=host,
        )
        shown = f"[{host}]" if ":" in host else host
        print(f"MCP server at http://{shown}:{port}{PATH}", file=sys.stderr, flush=True)
        config = uvicorn.Config(
            AccessTokenCheck(app, token) if token else app, log_level="warning", lifespan="on", timeout_graceful_shutdown=2
        )
        uvicorn.Server(config).run(sockets=[listener])


def _parsed(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        ipaddress.ip_address(host)
        return host, int(port)
    except ValueError as error:
        raise InputError(f"--http {address!r}: must be ADDRESS:PORT, for example 127.0.0.1:8765") from error


def _token(file: Path) -> str:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--access-token-file {file}: {fault_text(error)}") from error
    if len(token) < TOKEN_CHARS_MIN or not (token.isascii() and token.isprintable()):
        raise InputError(f"--access-token-file {file}: must have one line of {TOKEN_CHARS_MIN} or more ASCII characters")
    return token


def _listener(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(BACKLOG)  # before the address is printed: who reads it connects at once
    except (OSError, OverflowError) as error:
        made.close()
        raise UnavailableError(f"--http {host}:{port}: {fault_text(error)}; choose another port") from error
    return made


def _security(host: str, port: int) -> TransportSecuritySettings:
    """Accepted values of Host and Origin: a page of another site, or one that rebinds its name to this address, is refused."""
    own = f"[{host}]" if ":" in host else host
    names = {own, *LOOPBACK_NAMES} if ipaddress.ip_address(host).is_loopback else {own}
    hosts = sorted(f"{name}:{port}" for name in names)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=[f"http://{one}" for one in hosts]
    )
