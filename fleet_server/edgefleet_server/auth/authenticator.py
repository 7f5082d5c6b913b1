"""Authenticator: identifies callers and signs users in.

As long as there is no user, the server listens on loopback only, and is open to the account that runs it, which can read its data
folder anyway, and to callers with the set-up code, which is in a file of that folder. The first user is created with this code,
or on the data folder with `edgefleet user add`; from then on sign-in is required.

A person gets a session: a secret in a cookie that scripts cannot read. A program gets an API token, sent as a bearer token. The
database stores only the SHA-256 of both, and is queried at every request, so that a revocation takes effect at once.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from edgefleet_server.auth.setup_code import FILE as SETUP_FILE
from edgefleet_server.auth.setup_code import forget_setup_code, setup_code
from edgefleet_server.core.errors import ConflictError, DeniedError, SignInError, StoreError, UnavailableError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import credentials, people
from edgefleet_server.domain.policy import passwords
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.rate_limit import RateLimit
from edgefleet_server.domain.policy.roles import PROPOSE, Role
from edgefleet_server.domain.policy.sign_in_limits import WINDOW_S, SignInLimits

SECRET_CHARS_MAX: Final = 200
TRIES_OPENID: Final = 60
TRIES_CODE: Final = 10
"""Limits of tries within `WINDOW_S`: with OpenID from one address, and for the set-up code."""
HASHING_MAX: Final = 2
HASHING_WAIT_S: Final = 5.0
"""Limit of the wait for hashing: a password hash needs 32 MiB and most of a core, so concurrent sign-ins are limited to protect
the server."""
WAITING_MAX: Final = 8
WAITING_OF_SOURCE: Final = 2
"""Limits of requests that wait for hashing, each on a thread of the API: of all addresses, and of one."""
UNSTORED_S: Final = 3600.0
UNSTORED_MAX: Final = 50
"""Life and number of the sessions that are kept in memory while the database cannot be written."""
UNKNOWN_USER_HASH: Final = "scrypt$15$8$3$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
"""Hash for unknown users, so that a sign-in takes as long as for a known one."""

log = logging.getLogger(__name__)

ADMIN: Final = Grants(Role.ADMIN)
BUSY: Final = "too many sign-ins at the moment; try again in a few seconds"

Via = Literal["open", "session", "token"]


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller. `grants`: what it has roles for. `proof`: hash of the presented secret; `key`: id of the session
    or token; `scopes`: scopes of a token, none = not limited."""

    name: str
    grants: Grants
    via: Via
    source: str
    key: str = ""
    proof: str = ""
    expires_at: float | None = None
    scopes: frozenset[str] = frozenset()
    token_name: str = ""

    @property
    def role(self) -> Role:
        """The highest role that the caller has for any device."""
        return self.grants.highest

    @property
    def proposes(self) -> bool:
        """Whether the changes of this caller wait for the approval of a person."""
        return PROPOSE in self.scopes


@dataclass(frozen=True, slots=True)
class _UnstoredSession:
    """A session that began while the database could not be written. `password`: the user's hash then."""

    name: str
    password: str
    expires_at: float


class Authenticator:
    """Identifies callers by their secrets, and signs users in. Thread-safe."""

    def __init__(self, database: Database, secure: bool, data: Path) -> None:
        """`secure`: clients use HTTPS, so the cookie is never sent without it. `data`: folder of the set-up code."""
        self._database = database
        self._throttle = RateLimit(WINDOW_S)
        self._lock = threading.Lock()
        self._sign_ins = SignInLimits()
        self._hashing = threading.BoundedSemaphore(HASHING_MAX)
        self._waiting: Counter[str] = Counter()
        self._has_users = False
        self._sessions: dict[str, _UnstoredSession] = {}
        self._give_up_until = 0.0
        self.secure = secure
        self.cookie = "__Host-edgefleet" if secure else "edgefleet"
        self._data = data
        self.setup_code = ""
        if self.is_open():
            self.setup_code = setup_code(data)
        else:
            forget_setup_code(data)

    def is_open(self) -> bool:
        """Whether there is no user yet."""
        if not self._has_users:
            with self._database.read() as connection:
                self._has_users = people.any_exists(connection)
        return not self._has_users

    def who(self, cookie: str, bearer: str, source: str, now: float, is_own: Callable[[], bool] = lambda: False) -> Caller | None:
        """The caller with a secret, or None. A bearer token has precedence over the cookie. `is_own`: whether the request comes
        from the account that runs this server; asked only while there is no user."""
        if self.is_open():
            known = self._is_setup_code(bearer) if bearer else is_own()
            return Caller("", ADMIN, "open", source) if known else None
        via: Via = "token" if bearer else "session"
        secret = bearer or cookie
        if not 0 < len(secret) <= SECRET_CHARS_MAX:
            return None
        return self.known(via, passwords.hash_secret(secret), source, now)

    def known(self, via: Via, proof: str, source: str, now: float) -> Caller | None:
        """The caller with the hash of a secret, or None."""
        if via == "open":
            return Caller("", ADMIN, "open", source) if self.is_open() else None
        lookup = credentials.by_token if via == "token" else credentials.by_session
        with self._database.read() as connection:
            holder = lookup(connection, proof, now)
        if holder is None:
            return self._unstored(proof, source, now) if via == "session" else None
        if holder.stale:
            self._note_use(holder.key, now)
        return Caller(
            holder.user, holder.grants, via, source, holder.key, proof, holder.expires_at, holder.scopes, holder.token_name
        )

    def _note_use(self, key: str, now: float) -> None:
        """Store the last use. It is given up for a minute if the database cannot be written: reading goes on."""
        if now < self._give_up_until:
            return
        try:
            with self._database.write() as connection:
                credentials.seen(connection, key, now)
        except StoreError as error:
            self._give_up_until = now + credentials.SEEN_EVERY_S
            log.warning("the last use of sessions and tokens is not stored: %s", error)

    def _unstored(self, proof: str, source: str, now: float) -> Caller | None:
        """The caller with a session in memory: until it expires, the user is disabled or gone, or has a new password."""
        with self._lock:
            session = self._sessions.get(proof)
        if session is None or now >= session.expires_at:
            return None
        with self._database.read() as connection:
            user = people.find(connection, session.name)
        if user is None or user.disabled or user.password != session.password:
            return None
        return Caller(user.name, user.grants, "session", source, proof, proof, session.expires_at)

    def sign_out(self, caller: Caller) -> None:
        """End the session of a caller.

        Raises:
            StoreError: the database cannot be written, and the session is stored there.
        """
        with self._lock:
            if self._sessions.pop(caller.proof, None) is not None:
                return
        with self._database.write() as connection:
            credentials.end_session(connection, caller.proof)

    def sign_in(self, name: str, password: str, source: str, agent: str, now: float, cookie: str = "") -> tuple[Caller, str]:
        """Start a session; returns the caller and the secret for the cookie. `cookie`: that of the request; a user with a valid
        session is not held up by the wrong tries of others.

        Raises:
            SignInError: name or password is wrong, or the user is disabled; the text does not reveal which.
            TooManyError: too many tries.
            UnavailableError: too many users sign in at this moment.
        """
        before = self.who(cookie, "", source, now) if cookie else None
        with self._lock:
            key = self._sign_ins.begin(name, source, before.key if before and before.name == name else "", now)
        with self._database.read() as connection:
            user = people.find(connection, name)
        with self._slot(source):
            right = passwords.matches(password, user.password if user else UNKNOWN_USER_HASH)
        if user is None or not right or user.disabled:
            raise SignInError("wrong user name or password")
        with self._lock:
            self._sign_ins.forgive(key)
        return self._begin(name, user.grants, source, agent, now)

    def admit(self, name: str, grants: Grants, source: str, agent: str, now: float) -> str:
        """Start a session for an identity that an OpenID provider has verified; returns the secret for the cookie."""
        return self._begin(name, grants, source, agent, now)[1]

    def count_openid(self, source: str, now: float) -> None:
        """Count a sign-in with OpenID from an address.

        Raises:
            TooManyError: too many sign-ins from this address.
        """
        self._count({f"openid from {source}": TRIES_OPENID}, now)

    def set_up(self, code: str, name: str, password: str, source: str, agent: str, now: float) -> tuple[Caller, str]:
        """Create the first administrator and start a session.

        Raises:
            DeniedError: the code is wrong.
            ConflictError: there are users already.
            InputError: the password is too weak.
            TooManyError: too many tries.
        """
        self._count({"code": TRIES_CODE}, now)
        if not self.is_open():
            raise ConflictError("the admin account already exists; sign in")
        if not self._is_setup_code(code):
            raise DeniedError(f"wrong setup code; it is in {self._data / SETUP_FILE}")
        hashed = self.hash_new(name, password)
        with self._database.write() as connection:
            if people.any_exists(connection):
                raise ConflictError("the admin account already exists; sign in")
            people.add(connection, name, ADMIN, hashed, now)
        forget_setup_code(self._data)
        return self._begin(name, ADMIN, source, agent, now)

    def _is_setup_code(self, text: str) -> bool:
        return bool(self.setup_code) and hmac.compare_digest(text.strip().upper().encode(), self.setup_code.encode())

    def confirm(self, caller: Caller, password: str, now: float) -> None:
        """Verify the password of a caller again.

        Raises:
            DeniedError: it is wrong.
            TooManyError: too many tries.
        """
        with self._lock:
            key = self._sign_ins.begin(caller.name, caller.source, caller.key, now)
        with self._database.read() as connection:
            user = people.find(connection, caller.name)
        with self._slot(caller.source):
            right = passwords.matches(password, user.password if user else UNKNOWN_USER_HASH)
        if not right:
            raise DeniedError("wrong current password")
        with self._lock:
            self._sign_ins.forgive(key)

    def hash_new(self, name: str, password: str) -> str:
        """Check and hash a new password.

        Raises:
            InputError: it is too weak; the text gives the reason.
            UnavailableError: too many passwords are hashed at this moment.
        """
        passwords.check_strength(name, password)
        with self._slot():
            return passwords.hash_password(password, secrets.token_bytes(passwords.SALT_BYTES))

    def _begin(self, name: str, grants: Grants, source: str, agent: str, now: float) -> tuple[Caller, str]:
        secret = "efs_" + secrets.token_urlsafe(passwords.SECRET_BYTES)
        proof = passwords.hash_secret(secret)
        try:
            with self._database.write() as connection:
                expires_at = credentials.add_session(connection, name, proof, source, agent, now)
        except StoreError as error:
            log.warning("the session of %s from %s is kept in memory: %s", name, source, error)
            expires_at = self._keep(proof, name, now)
        return Caller(name, grants, "session", source, proof, proof, expires_at), secret

    def _keep(self, proof: str, name: str, now: float) -> float:
        """Keep a session in memory; returns the wall time of its expiry."""
        with self._database.read() as connection:
            user = people.find(connection, name)
        expires_at = now + UNSTORED_S
        with self._lock:
            self._sessions = {key: one for key, one in self._sessions.items() if one.expires_at > now}
            while len(self._sessions) >= UNSTORED_MAX:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[proof] = _UnstoredSession(name, user.password if user else "", expires_at)
        return expires_at

    def _count(self, limits: dict[str, int], now: float) -> None:
        with self._lock:
            self._throttle.take(limits, now)

    @contextmanager
    def _slot(self, source: str = "") -> Iterator[None]:
        with self._lock:
            if self._waiting[source] >= WAITING_OF_SOURCE or self._waiting.total() >= WAITING_MAX:
                raise UnavailableError(BUSY)
            self._waiting[source] += 1
        try:
            admitted = self._hashing.acquire(timeout=HASHING_WAIT_S)
        finally:
            with self._lock:
                self._waiting[source] -= 1
                self._waiting += Counter()  # drops addresses without requests
        if not admitted:
            raise UnavailableError(BUSY)
        try:
            yield
        finally:
            self._hashing.release()
