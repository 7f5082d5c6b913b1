"""The bill of a device: what is installed beside the agent, in one canonical form whose SHA-256 names it.

A device sends the digest with its presence; the server asks one device of many with the same digest for the bill itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import Wire, from_plain, to_plain
from edgefleet_contract.wire.messages import Count

BILL_OP: Final = "bill"
"""The command that asks a device for its bill; its argument `digest` is the one that is meant."""
PACKAGES_MAX: Final = 2_000
BILL_BYTES_MAX: Final = 100 * 1024
"""Longest bill: it has to fit into the reply to a command."""
PACKAGE_PATTERN: Final = r"^[a-z0-9]([a-z0-9-]{0,126}[a-z0-9])?$"
"""Canonical names of Python distributions."""

PackageName = Annotated[str, Meta(pattern=PACKAGE_PATTERN)]
PackageVersion = Annotated[str, Meta(pattern=r"^[0-9A-Za-z!+._-]{1,64}$")]
Short = Annotated[str, Meta(max_length=100, pattern=r"^[ -~]*$")]


class EnvironmentBill(Wire):
    """The installed components. `packages`: name and version of each Python distribution, in order. `left_out`: number of those
    for which there was no room."""

    agent: Short
    python: Short
    system: Short = ""
    system_version: Short = ""
    kernel: Short = ""
    packages: Annotated[list[tuple[PackageName, PackageVersion]], Meta(max_length=PACKAGES_MAX)] = msgspec.field(
        default_factory=list
    )
    left_out: Count = 0


def bill_bytes(bill: EnvironmentBill) -> bytes:
    """The canonical bytes: JSON with sorted keys, unknown fields included."""
    return msgspec.json.encode(to_plain(bill), order="sorted")


def bill_digest(data: bytes) -> str:
    """The name of a bill."""
    return hashlib.sha256(data).hexdigest()


def bounded_packages(found: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], int]:
    """Distributions (canonical name, version) in order, each once, and the number of those that a bill cannot hold: beyond its
    length, or without a proper name or version."""
    ordered = sorted(set(found))
    listed: list[tuple[str, str]] = []
    room = BILL_BYTES_MAX - 2_000  # of the other fields
    for name, version in ordered:
        try:
            msgspec.convert((name, version), tuple[PackageName, PackageVersion])
        except msgspec.ValidationError:
            continue
        room -= len(name) + len(version) + 8
        if room < 0 or len(listed) == PACKAGES_MAX:
            break
        listed.append((name, version))
    return listed, len(ordered) - len(listed)


def check_bill(plain: Any, digest: str) -> EnvironmentBill:
    """The bill in a reply of a device.

    Raises:
        MessageError: it is malformed, too long, unsorted, or not the one that `digest` names.
    """
    bill = from_plain(plain, EnvironmentBill)
    data = bill_bytes(bill)
    if len(data) > BILL_BYTES_MAX:
        raise MessageError(f"bill: {len(data)} bytes is over the limit of {BILL_BYTES_MAX}")
    if bill_digest(data) != digest:
        raise MessageError(f"bill: its SHA-256 is {bill_digest(data)[:12]}, not {digest[:12]}")
    if bill.packages != sorted(set(bill.packages)):
        raise MessageError("bill: its packages are not in order, or one is in it twice")
    return bill
