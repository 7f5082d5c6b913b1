"""The account of the process at the other end of a connection on this machine, as the kernel knows it.

It is asked for one connection by its four numbers (`sock_diag`), so that the answer takes microseconds with any number of them.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import Final

_PROTOCOL: Final = 4  # NETLINK_SOCK_DIAG
_TYPE: Final = 20  # SOCK_DIAG_BY_FAMILY
_REQUEST: Final = 1  # NLM_F_REQUEST
_ANY: Final = 0xFFFFFFFF
_HEAD: Final = struct.Struct("=IHHII")
_OWNER: Final = struct.Struct("=II")
_OWNER_AT: Final = 4 + 48 + 12
"""Offset of user and inode in `struct inet_diag_msg`: after its head, the addresses, and three other numbers."""
_ANSWER_BYTES_MAX: Final = 8192
_TIMEOUT_S: Final = 1.0

Address = tuple[str, int]


def is_own_account(client: Address | None, server: Address | None) -> bool:
    """Whether the process that made a connection from `client` to `server` has the account of this process. False if the kernel
    does not say, as of a connection from another machine, or one that its process has closed."""
    if client is None or server is None:
        return False
    try:
        return owner_of(client, server) == os.geteuid()
    except (OSError, ValueError, struct.error):
        return False


def owner_of(near: Address, far: Address) -> int | None:
    """The user id of the process that has the socket from `near` to `far`; None if no process of this machine has it.

    Raises:
        OSError: the kernel refuses, or an address is not valid. struct.error: a port is not valid, or the answer is too short.
    """
    family = socket.AF_INET6 if ":" in near[0] else socket.AF_INET
    ends = b"".join(socket.inet_pton(family, host).ljust(16, b"\0") for host, _ in (near, far))
    body = struct.pack("=BBBxI", family, socket.IPPROTO_TCP, 0, _ANY) + struct.pack("!HH", near[1], far[1]) + ends
    body += struct.pack("=III", 0, _ANY, _ANY)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _PROTOCOL) as kernel:
        kernel.settimeout(_TIMEOUT_S)
        kernel.send(_HEAD.pack(_HEAD.size + len(body), _TYPE, _REQUEST, 1, 0) + body)
        answer = kernel.recv(_ANSWER_BYTES_MAX)
    if _HEAD.unpack_from(answer)[1] != _TYPE:
        return None
    user, inode = _OWNER.unpack_from(answer, _HEAD.size + _OWNER_AT)
    return user if inode else None  # a closed one is shown as of user 0
