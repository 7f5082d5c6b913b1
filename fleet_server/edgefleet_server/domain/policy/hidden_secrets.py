"""Hides secrets in what is stored for ever or shown to others: fields by name, credentials of addresses, paths of webhooks,
`password = "..."` in texts. It may hide too much, never too little. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from edgefleet_server.core.errors import InputError

SECRET_FIELDS: Final = frozenset({"password", "current", "code", "token", "secret", "smtp_url"})
"""Names of fields of the REST API with secrets."""
HIDDEN: Final = "(hidden)"
WEBHOOK_FIELD: Final = "url"
"""Name of fields of the REST API with addresses of webhooks: who knows one can send to it."""
_MASKED: Final = re.compile(r"/\(hidden-[0-9a-f]{8}\)$")

_NAME: Final = r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|private|secret)[_-]?key|authorization|signature|sig)"
_NAMED: Final = re.compile(rf"(?:^|[_-]){_NAME}$", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"(?<=://)(?:\S{0,8192}|[^\s/@:]{1,8192}:[^\n]{0,8192})@")
"""Up to the last @, because a password may contain @, : and /. The limit is that of a body in the audit log."""
_QUERY: Final = re.compile(rf"([?&;](?:[\w-]*[_-])?(?:{_NAME}|auth|key|user(?:name)?|usr|login)=)[^&#;\s'\"]+", re.IGNORECASE)
_VALUE: Final = r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|[^\s,;}\]&]+"
_ASSIGNED: Final = re.compile(rf"((?<![A-Za-z0-9?&;]){_NAME}[\"']?\s*[=:]\s*)(?:{_VALUE})", re.IGNORECASE | re.DOTALL)


def without_secrets(value: Any) -> Any:
    """A JSON value without secrets: those of fields by name, and those in texts."""
    if isinstance(value, dict):
        return {
            _in_text(key): HIDDEN if key.lower() in SECRET_FIELDS or (_NAMED.search(key) and item) else _of_field(key, item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    return _in_text(value) if isinstance(value, str) else value


def text_without_secrets(text: str) -> str:
    """A text without secrets; of a JSON object, its fields."""
    if text.startswith("{"):
        try:
            return json.dumps(without_secrets(json.loads(text)), ensure_ascii=True)
        except ValueError:
            pass
    return _in_text(text)


def masked_url(url: str) -> str:
    """The address of a webhook as it is shown: its scheme, host and port, and in place of the rest a mark, by which the addresses
    of one host differ. One without a rest, and what is no URL, is shown as it is."""
    if _MASKED.search(url):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return _in_text(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return _in_text(url)
    place = parts.netloc.rpartition("@")[2]
    if url.rstrip("/") == f"{parts.scheme}://{place}":
        return url
    return f"{parts.scheme}://{place}/(hidden-{hashlib.sha256(url.encode()).hexdigest()[:8]})"


def unmasked_url(url: str, known: Iterable[str]) -> str:
    """The address that a request means: one that was shown masked is that of `known`; another stays.

    Raises:
        InputError: it is masked, and none of `known`.
    """
    if not _MASKED.search(url):
        return url
    found = next((one for one in known if masked_url(one) == url), None)
    if found is None:
        raise InputError(f"{url}: is a hidden address of another webhook; enter the whole address")
    return found


def _of_field(key: str, item: Any) -> Any:
    return masked_url(item) if key.lower() == WEBHOOK_FIELD and isinstance(item, str) else without_secrets(item)


def _in_text(text: str) -> str:
    text = _QUERY.sub(rf"\g<1>{HIDDEN}", _ADDRESS.sub(f"{HIDDEN}@", text))
    return _ASSIGNED.sub(rf'\g<1>"{HIDDEN}"', text)
