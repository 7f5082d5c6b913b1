"""Leader election among several processes by one advisory lock of PostgreSQL.

The lock belongs to a connection. It is released when its holder dies, and within `SILENT_S` if holder or connection hang.
A holder that was frozen and resumes does not know yet that it lost the lock. Therefore each term has a number in the database (a
fencing token), and every transaction of the leader first compares it (`check`), under the lock that all writers take.
"""

from __future__ import annotations

from typing import Final

import psycopg
from sqlalchemy import Connection

from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.backend.postgresql import LEADER_LOCK, plain_url

SILENT_S: Final = 8
CHECKPOINT: Final = "leader"
_TERM: Final = """\
INSERT INTO checkpoint (name, value) VALUES (%s, 1)
ON CONFLICT (name) DO UPDATE SET value = checkpoint.value + 1 RETURNING value"""


class LeaderTerm:
    """One term of a leader: from `begin` until the connection or the process ends."""

    def __init__(self, connection: psycopg.Connection[tuple[int]], number: int) -> None:
        self._connection = connection
        self.number = number

    def holds(self) -> bool:
        """Whether the lock is still held. The caller has to call it every second: a connection idle for `SILENT_S` loses the
        lock.
        """
        try:
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def end(self) -> None:
        """Release the lock."""
        self._connection.close()

    def check(self, connection: Connection) -> None:
        """Fence a transaction of the leader.

        Raises:
            StoreError: another process is the leader by now; this transaction must be rolled back.
        """
        found = raw(connection).execute("SELECT value FROM checkpoint WHERE name = ?", (CHECKPOINT,)).fetchone()
        if found is None or found[0] != self.number:
            raise StoreError("another process leads by now; this one waits for its turn")


def begin(url: str) -> LeaderTerm | None:
    """Become the leader; None if another process is, or if the database does not answer."""
    try:
        connection = psycopg.connect(
            plain_url(url),
            autocommit=True,
            connect_timeout=10,
            options=f"-c idle_session_timeout={SILENT_S * 1000} -c statement_timeout={SILENT_S * 1000}",
            keepalives_idle=3, keepalives_interval=1, keepalives_count=3, tcp_user_timeout=SILENT_S * 1000,
        )  # fmt: skip
    except psycopg.Error:
        return None
    try:
        locked = connection.execute("SELECT pg_try_advisory_lock(%s)", (LEADER_LOCK,)).fetchone()
        if locked is not None and locked[0]:
            term = connection.execute(_TERM, (CHECKPOINT,)).fetchone()
            assert term is not None
            return LeaderTerm(connection, int(term[0]))
    except psycopg.Error:
        pass
    connection.close()
    return None
