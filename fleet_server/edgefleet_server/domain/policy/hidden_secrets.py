"""Hides secrets in what is stored for ever or shown to others: fields by name, credentials of addresses, `password = "..."` in
texts. It may hide too much, never too little. Pure."""

from __future__ import annotations

import json
import re
from typing import Any, Final

SECRET_FIELDS: Final = frozenset({"password", "current", "code", "token", "secret", "smtp_url"})
"""Names of fields of the REST API with secrets."""
HIDDEN: Final = "(hidden)"

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
            _in_text(key): HIDDEN if key.lower() in SECRET_FIELDS or (_NAMED.search(key) and item) else without_secrets(item)
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


def _in_text(text: str) -> str:
    text = _QUERY.sub(rf"\g<1>{HIDDEN}", _ADDRESS.sub(f"{HIDDEN}@", text))
    return _ASSIGNED.sub(rf'\g<1>"{HIDDEN}"', text)
