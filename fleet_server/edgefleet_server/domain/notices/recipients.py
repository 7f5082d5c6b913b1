"""Recipients of notices: their kinds, which settings each has, and which alerts each takes."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, masked_url, unmasked_url

Kind = Literal["webhook", "email", "slack", "teams", "pagerduty", "ntfy", "push"]
KINDS: Final[tuple[Kind, ...]] = ("webhook", "email", "slack", "teams", "pagerduty", "ntfy", "push")
TITLES: Final[Mapping[Kind, str]] = {
    "webhook": "webhook", "email": "mail", "slack": "Slack", "teams": "Microsoft Teams", "pagerduty": "PagerDuty", "ntfy": "ntfy",
    "push": "browser",
}  # fmt: skip
PAGERDUTY_URL: Final = "https://events.pagerduty.com/v2/enqueue"
NTFY_URL: Final = "https://ntfy.sh"
EMAILS_MAX: Final = 20
_ADDRESS: Final = re.compile(r"^[^@\s<>,;]{1,64}@[^@\s<>,;]{1,190}$")
_TOPIC: Final = re.compile(r"^[-_A-Za-z0-9]{1,64}$")
_ROUTING_KEY: Final = re.compile(r"^[A-Za-z0-9]{32}$")


@dataclass(frozen=True, slots=True)
class Recipient:
    """An address for notices. `url`: of a webhook, of the push service of a browser, of PagerDuty's or ntfy's server.
    `secret`: signs webhooks, or is the address of Slack's or Teams' webhook, PagerDuty's integration key, ntfy's access token,
    the secret of a browser's subscription. `key`: public key of a browser's subscription. `groups`, `severities`: only alerts
    about devices of these groups and of these severities; empty = all. `since_at`: alerts that began earlier are not for it."""

    id: int
    name: str
    kind: Kind
    url: str = ""
    secret: str = ""
    emails: tuple[str, ...] = ()
    topic: str = ""
    key: str = ""
    groups: frozenset[str] = field(default_factory=frozenset)
    severities: frozenset[str] = field(default_factory=frozenset)
    enabled: bool = True
    since_at: float = 0.0

    @property
    def target(self) -> str:
        """Its name in lists of notices, without a secret."""
        return f"{self.kind} {self.name}"

    def takes(self, severity: str, groups: Collection[str], began_at: float) -> bool:
        """Whether an alert is for it. groups: of its device, or of the devices of its rollout."""
        return (
            self.enabled
            and began_at >= self.since_at
            and (not self.severities or severity in self.severities)
            and (not self.groups or not self.groups.isdisjoint(groups))
        )


_FIELDS: Final[Mapping[Kind, tuple[frozenset[str], frozenset[str]]]] = {
    "webhook": (frozenset({"url"}), frozenset({"secret"})),
    "email": (frozenset({"emails"}), frozenset()),
    "slack": (frozenset({"secret"}), frozenset()),
    "teams": (frozenset({"secret"}), frozenset()),
    "pagerduty": (frozenset({"secret"}), frozenset({"url"})),
    "ntfy": (frozenset({"topic"}), frozenset({"url", "secret"})),
    "push": (frozenset({"url", "key", "secret"}), frozenset()),
}
"""The settings that a kind needs, and those that it may have."""
SECRET_ADDRESS: Final = ("webhook", "push")
"""Kinds whose `url` lets everybody who knows it send."""


def checked(kind: Kind, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a recipient, complete.

    Raises:
        InputError: one is missing, wrong, or not of this kind.
    """
    needed, possible = _FIELDS[kind]
    given = {name for name, value in settings.items() if value}
    if missing := sorted(needed - given):
        raise InputError(f"a recipient of kind {kind} requires {', '.join(missing)}")
    if extra := sorted(given - needed - possible):
        raise InputError(f"a recipient of kind {kind} takes no {', '.join(extra)}")
    found = {"url": "", "secret": "", "emails": [], "topic": "", "key": "", **settings}
    if kind in ("pagerduty", "ntfy") and not found["url"]:
        found["url"] = PAGERDUTY_URL if kind == "pagerduty" else NTFY_URL
    _CHECKS[kind](found)
    return found


def shown(kind: Kind, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as they are shown: without the secret, and without the rest of an address that is one."""
    url = masked_url(settings["url"]) if kind in SECRET_ADDRESS else settings["url"]
    return {**settings, "url": url, "secret": HIDDEN if settings["secret"] else ""}


def with_secret(settings: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings of a request; what was shown as hidden is what it was before, if it goes to the same address.

    Raises:
        InputError: the address has changed: the secret of another one must not be sent there.
    """
    settings = {**settings, "url": unmasked_url(settings["url"], [before["url"]] if before else ())}
    if settings["secret"] != HIDDEN:
        return dict(settings)
    if before is None or (before["kind"], before["url"]) != (settings["kind"], settings["url"] or before["url"]):
        raise InputError("secret: enter it again; it is not kept for another kind or address")
    return {**settings, "secret": before["secret"]}


def _webhook(settings: Mapping[str, Any]) -> None:
    check_url(settings["url"], "url")


def _email(settings: Mapping[str, Any]) -> None:
    wrong = next((address for address in settings["emails"] if not _ADDRESS.match(address)), None)
    if wrong is not None:
        raise InputError(f"emails: {wrong!r} is not a mail address, e.g. ops@example.org")
    if len(settings["emails"]) > EMAILS_MAX:
        raise InputError(f"emails: at most {EMAILS_MAX}; create a second recipient, or a list at the mail server")


def _secret_url(settings: Mapping[str, Any]) -> None:
    check_url(settings["secret"], "secret, the address of the webhook,")


def _pagerduty(settings: Mapping[str, Any]) -> None:
    check_url(settings["url"], "url")
    if not _ROUTING_KEY.match(settings["secret"]):
        raise InputError("secret: must be the integration key of PagerDuty's Events API v2, 32 letters and digits")


def _ntfy(settings: Mapping[str, Any]) -> None:
    check_url(settings["url"], "url")
    if not _TOPIC.match(settings["topic"]):
        raise InputError(f"topic {settings['topic']!r}: must be 1 to 64 letters, digits, - or _")
    if not settings["secret"].isascii() or any(character.isspace() for character in settings["secret"]):
        raise InputError("secret: must be an access token of ntfy, such as tk_…")


def _push(settings: Mapping[str, Any]) -> None:
    check_url(settings["url"], "url")
    for name, length in (("key", 65), ("secret", 16)):
        try:
            found = len(unpadded(settings[name]))
        except (binascii.Error, ValueError):
            found = -1
        if found != length:
            raise InputError(f"{name}: must be {length} bytes in base64url, as the browser gives them")


_CHECKS: Final = {
    "webhook": _webhook, "email": _email, "slack": _secret_url, "teams": _secret_url, "pagerduty": _pagerduty, "ntfy": _ntfy,
    "push": _push,
}  # fmt: skip


def unpadded(text: str) -> bytes:
    """The bytes of base64url without padding.

    Raises:
        ValueError: it is not that.
    """
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def check_url(url: str, name: str) -> None:
    """Check the address of a receiver. The text of the error has no address: it may be a secret.

    Raises:
        InputError: it is no http or https URL with a host.
    """
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and url.isprintable()
    except ValueError:
        is_valid = False
    if not is_valid or " " in url:
        raise InputError(f"{name} is not a URL; specify https://HOST[:PORT]/PATH")
