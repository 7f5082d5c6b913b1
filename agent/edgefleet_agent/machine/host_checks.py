"""Checks of the machine around the agent: its network up to the fleet server, and its disk."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from pathlib import Path

from edgefleet_agent.machine.accelerator_check import Check
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_contract.mqtt.address import BrokerAddress

CONNECT_S_MAX = 5.0
FREE_SHARE_MIN = 0.05
FREE_BYTES_MIN = 100_000_000
SLOW_FLUSH_MS = 1000.0
RESOLVER = Path("/etc/resolv.conf")
ROUTES = Path("/proc/net/route")
FOLDERS_MAX = 64


def network_checks(broker: str, routes: Path = ROUTES, resolver: Path = RESOLVER) -> list[Check]:
    """Interfaces, route, name servers, and a connection to the broker at `broker` (a URL; empty: this device has none)."""
    checks = [_interfaces(), _route(routes), _name_servers(resolver)]
    if not broker:
        return [
            *checks,
            Check("fleet server", ok=False, detail="this device is not enrolled", fix="enroll it: edgefleet-agent enroll"),
        ]
    try:
        address = BrokerAddress.parse(broker)
    except InputError as error:
        return [*checks, Check("fleet server", ok=False, detail=str(error))]
    try:
        found = sorted({str(each[4][0]) for each in socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)})
    except OSError as error:
        fix = "check the name servers of this network, or the address in the settings"
        return [*checks, Check(f"name {address.host}", ok=False, detail=str(error), fix=fix)]
    return [*checks, Check(f"name {address.host}", ok=True, detail=", ".join(found[:4])), _connection(address)]


def _connection(address: BrokerAddress) -> Check:
    began = time.monotonic()
    try:
        with socket.create_connection((address.host, address.port), CONNECT_S_MAX):
            took_ms = 1000 * (time.monotonic() - began)
    except OSError as error:
        text = f"{error.strerror or error} (within {CONNECT_S_MAX:.0f} s)"
        return Check(f"connection to {address.url}", ok=False, detail=text, fix="check firewalls on the way, and the server")
    return Check(f"connection to {address.url}", ok=True, detail=f"opened in {took_ms:.0f} ms")


def _interfaces() -> Check:
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    up = [name for name in names if _text(Path("/sys/class/net") / name / "operstate") in ("up", "unknown")]
    detail = ", ".join(f"{name} {'up' if name in up else 'down'}" for name in names)
    return Check(
        "network interfaces", ok=bool(up), detail=detail or "none besides loopback", fix="check cable or wireless network"
    )


def _route(routes: Path) -> Check:
    rows = [line.split() for line in _text(routes).splitlines()[1:]]
    found = [row[0] for row in rows if len(row) > 7 and row[1] == "00000000" and row[7] == "00000000"]
    detail = f"by {', '.join(found)}" if found else "none"
    return Check("default route", ok=bool(found), detail=detail, fix="check the address of this device (DHCP)", needed=False)


def _name_servers(resolver: Path) -> Check:
    found = [line.split()[1] for line in _text(resolver).splitlines() if line.startswith("nameserver ") and len(line.split()) > 1]
    return Check(
        "name servers", ok=bool(found), detail=", ".join(found[:4]) or "none", fix=f"add one to {resolver}", needed=False
    )


def disk_checks(state: Path) -> list[Check]:
    """Space, kind and speed of the disk with the state folder, and the space that each of its folders takes."""
    try:
        usage = shutil.disk_usage(state)
    except OSError as error:
        return [
            Check(f"state folder {state}", ok=False, detail=error.strerror or str(error), fix="check `state` in the settings")
        ]
    enough = usage.free >= min(FREE_BYTES_MIN, usage.total // 4) and usage.free >= usage.total * FREE_SHARE_MIN
    detail = f"{usage.free / 1e9:.2f} of {usage.total / 1e9:.2f} GB free"
    checks = [Check("free space", ok=enough, detail=detail, fix="reduce [evidence] keep_bytes, or delete other files")]
    entries = os.statvfs(state)
    if entries.f_files:
        share = entries.f_favail / entries.f_files
        checks.append(
            Check("free file entries", ok=share >= FREE_SHARE_MIN, detail=f"{100 * share:.0f} %", fix="delete small files")
        )
    warning = volatile_warning("state folder", state)
    checks.append(Check("kind of disk", ok=not warning, detail=warning or "survives a power cut", needed=False))
    return [*checks, _write_check(state), *_sizes(state)]


def _write_check(state: Path) -> Check:
    began = time.monotonic()
    try:
        with tempfile.TemporaryFile(dir=state) as file:
            file.write(b"\0" * 65536)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return Check(
            "writing", ok=False, detail=error.strerror or str(error), fix="check the disk; a failing SD card turns read-only"
        )
    took_ms = 1000 * (time.monotonic() - began)
    return Check(
        "writing", ok=took_ms < SLOW_FLUSH_MS, detail=f"64 KiB flushed in {took_ms:.0f} ms", fix="the disk is slow or failing"
    )


def _sizes(state: Path) -> list[Check]:
    rows = []
    for folder in sorted(path for path in state.iterdir() if path.is_dir() and not path.is_symlink())[:FOLDERS_MAX]:
        total = sum(_length(Path(root) / name) for root, _, files in os.walk(folder) for name in files)
        rows.append(Check(f"folder {folder.name}", ok=True, detail=f"{total / 1e6:.1f} MB", needed=False))
    return rows


def _length(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0  # deleted meanwhile


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
