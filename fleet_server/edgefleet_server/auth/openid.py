"""Sign-in with an OpenID provider: authorization code with PKCE (OpenID Connect Core 1.0, RFC 7636, RFC 9700).

The identity comes from the ID token alone: signed by a key that the provider publishes, by an algorithm that has a public
key (never `none`, never a shared secret), issued by exactly this issuer for exactly this client, not expired, and with the nonce
of this sign-in. The roles come from the groups in it.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import re
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpx

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import DeniedError, InputError, MissingError, UnavailableError
from edgefleet_server.core.settings import LOOPBACK_HOSTS
from edgefleet_server.domain.policy.grants import Grants, joined
from edgefleet_server.domain.policy.roles import USER_PATTERN

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "Ed25519", "EdDSA")
CLOCK_S: Final = 60
"""Largest accepted difference between the clocks of provider and server."""
KNOWN_S: Final = 3_600.0
"""Time for which the provider's metadata is cached."""
KEYS_S: Final = 60.0
"""Shortest interval of key requests for unknown key ids: forged tokens must not cause a flood of requests."""
ANSWER_BYTES_MAX: Final = 1024 * 1024
TIMEOUT_S: Final = 10.0
NAMES: Final = ("preferred_username", "email", "upn", "sub")
"""Claims that may hold the user name, in this order."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenIdTerms:
    """The configuration of the provider. `roles`: group → roles; of a user's groups, the highest counts for all devices and for
    each group of devices. `claim`: path of
    the groups in the token; a dot separates nested objects. `label`: text of the button."""

    issuer: str
    client_id: str
    client_secret: str = ""
    roles: Mapping[str, Grants] = field(default_factory=dict)
    claim: str = "groups"
    label: str = "OpenID"

    def __post_init__(self) -> None:
        """Validate the configuration.

        Raises:
            InputError: a value is invalid.
        """
        parts = urlsplit(self.issuer)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS):
            raise InputError(f"--oidc-issuer {self.issuer!r}: must be an https:// URL, as the provider documents it")
        if not self.client_id:
            raise InputError("--oidc-client is missing; specify the client ID of this server at the provider")
        if not self.roles:
            raise InputError("--oidc-role GROUP=admin|operator|viewer is missing; no user could sign in")


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A sign-in in progress; the last three fields are stored until the browser returns."""

    url: str
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class OpenIdIdentity:
    """Identity from the provider. `subject` never changes; `name` is the user name."""

    subject: str
    name: str
    grants: Grants


class OpenIdProvider:
    """Client of an OpenID provider. Thread-safe."""

    def __init__(self, terms: OpenIdTerms) -> None:
        """Create the client.

        Raises:
            MissingError: the library that verifies signatures is not installed.
        """
        try:
            import joserfc  # noqa: F401 (asked for at the start, not at the first sign-in)
        except ModuleNotFoundError as error:
            raise MissingError("joserfc is missing: pip install 'edgefleet-server[oidc]'") from error
        self.terms = terms
        self._http = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False)
        self._lock = threading.Lock()
        self._about: dict[str, str] = {}
        self._about_s = -KNOWN_S
        self._keys: Any = None
        self._keys_s = -KNOWN_S

    def begin(self, redirect: str) -> PendingSignIn:
        """URL of the provider to redirect a browser to.

        Raises:
            UnavailableError: the provider does not answer, or its metadata names another issuer.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        parameters = {
            "response_type": "code",
            "client_id": self.terms.client_id,
            "redirect_uri": redirect,
            "scope": "openid profile email",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        where = self._endpoint("authorization_endpoint")
        return PendingSignIn(f"{where}{'&' if '?' in where else '?'}{urlencode(parameters)}", state, nonce, verifier)

    def finish(self, code: str, redirect: str, nonce: str, verifier: str, now: float) -> OpenIdIdentity:
        """Exchange `code` for the identity of the user.

        Raises:
            DeniedError: the token is not valid for this client, or none of the groups gives a role.
            UnavailableError: the provider does not answer.
        """
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier}
        form["client_id"] = self.terms.client_id
        secret = (self.terms.client_id, self.terms.client_secret) if self.terms.client_secret else None
        answer = self._ask("POST", self._endpoint("token_endpoint"), data=form, auth=secret)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise DeniedError(
                f"the OpenID provider refused the sign-in: {str(answer.get('error', 'no ID token'))[:200]}; start again"
            )
        return self._identity(self._claims(token, nonce, now))

    def _claims(self, token: str, nonce: str, now: float) -> Mapping[str, Any]:
        """Claims of a verified token.

        Raises:
            DeniedError: the verification failed; the text gives the reason.
        """
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError, JoseError

        try:
            try:
                decoded = jwt.decode(token, self._key_set(), algorithms=list(ALGORITHMS))
            except InvalidKeyIdError:
                decoded = jwt.decode(token, self._key_set(again=True), algorithms=list(ALGORITHMS))
            claims: dict[str, Any] = decoded.claims
            jwt.JWTClaimsRegistry(
                now=int(now),
                leeway=CLOCK_S,
                iss={"essential": True, "value": self.terms.issuer},
                aud={"essential": True, "value": self.terms.client_id},
                exp={"essential": True},
                iat={"essential": True},
                sub={"essential": True},
                nonce={"essential": True, "value": nonce},
            ).validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            log.warning("an ID token was refused: %s", error)
            raise DeniedError(f"the ID token of the provider is invalid ({str(error)[:200]}); start again") from error
        others = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
        if claims.get("azp", self.terms.client_id) != self.terms.client_id or (len(others) > 1 and "azp" not in claims):
            raise DeniedError("the ID token of the provider is for another client; start again")
        return claims

    def _identity(self, claims: Mapping[str, Any]) -> OpenIdIdentity:
        value: Any = claims
        for part in self.terms.claim.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        groups = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        roles = [self.terms.roles[group] for group in groups if isinstance(group, str) and group in self.terms.roles]
        if self.terms.claim == "email" and claims.get("email_verified") is not True:
            roles = []  # an unverified address proves nothing
        if not roles:
            raise DeniedError("none of your groups has a role; ask an administrator")
        subject = f"{self.terms.issuer}#{claims['sub']}"
        return OpenIdIdentity(subject, _name(claims), joined(roles))

    def _endpoint(self, name: str) -> str:
        with self._lock:
            if time.monotonic() - self._about_s > KNOWN_S:
                self._about, self._about_s = self._discovered(), time.monotonic()
            return self._about[name]

    def _discovered(self) -> dict[str, str]:
        about = self._ask("GET", f"{self.terms.issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != self.terms.issuer:
            raise UnavailableError(
                f"{self.terms.issuer} reports the issuer {str(about.get('issuer'))[:200]}; correct --oidc-issuer"
            )
        names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        found = {name: str(about.get(name, "")) for name in names}
        own = urlsplit(self.terms.issuer).scheme
        if wrong := next((name for name, url in found.items() if urlsplit(url).scheme not in {"https", own}), None):
            raise UnavailableError(f"{self.terms.issuer} has no valid {wrong}")
        return found

    def _key_set(self, *, again: bool = False) -> Any:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        where = self._endpoint("jwks_uri")
        with self._lock:
            age_s = time.monotonic() - self._keys_s
            if age_s > KNOWN_S or (again and age_s > KEYS_S):
                try:
                    self._keys = KeySet.import_key_set(_public(self._ask("GET", where)))
                except (JoseError, ValueError, TypeError, KeyError) as error:
                    raise UnavailableError(f"{self.terms.issuer} publishes no valid keys: {error}") from error
                self._keys_s = time.monotonic()
            return self._keys

    def _ask(self, method: str, url: str, **more: Any) -> dict[str, Any]:
        try:
            with self._http.stream(method, url, **more) as answer:
                data = b""
                for piece in answer.iter_bytes():
                    data += piece
                    if len(data) > ANSWER_BYTES_MAX:
                        raise UnavailableError(f"{self.terms.issuer} sent a response of more than {ANSWER_BYTES_MAX} bytes")
            document = httpx.Response(200, content=data).json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise UnavailableError(f"{self.terms.issuer} does not respond ({fault_text(error)}); try again") from error
        if not isinstance(document, dict):
            raise UnavailableError(f"{self.terms.issuer} sent an invalid response")
        return document


def _public(published: dict[str, Any]) -> Any:
    """The published keys that verify signatures, without shared secrets, with which anyone could sign."""
    keys = [key for key in published["keys"] if isinstance(key, dict) and key.get("kty") in ("RSA", "EC", "OKP")]
    return {"keys": [key for key in keys if key.get("use", "sig") == "sig"]}


def _name(claims: Mapping[str, Any]) -> str:
    """A valid user name from the claims.

    Raises:
        DeniedError: no claim contains a valid user name.
    """
    for claim in NAMES:
        value = claims.get(claim)
        if isinstance(value, str):
            name = re.sub(r"[^a-z0-9._-]+", "-", value.lower()).strip("-._")[:64]
            if re.match(USER_PATTERN, name):
                return name
    raise DeniedError(f"the ID token has no user name; it must contain one of {', '.join(NAMES)}")
