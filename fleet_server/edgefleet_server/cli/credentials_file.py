"""Stored sessions of a user: one small file, readable by its owner only."""

from __future__ import annotations

import json
import os
from pathlib import Path

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import StoreError


def credentials_path() -> Path:
    """`$XDG_CONFIG_HOME/edgefleet/sessions.json`, or the same under `~/.config`."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "edgefleet" / "sessions.json"


class CredentialsFile:
    """Session cookies by server."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or credentials_path()

    def cookies(self, server: str) -> dict[str, str]:
        """Secret of the session at that server; empty if there is no session, or no readable file."""
        found = self._read().get(server.rstrip("/"), {})
        return {str(name): str(value) for name, value in found.items()}

    def keep(self, server: str, cookies: dict[str, str]) -> None:
        """Store a session.

        Raises:
            StoreError: the file cannot be written.
        """
        self._write({**self._read(), server.rstrip("/"): cookies})

    def forget(self, server: str) -> None:
        """Delete a session.

        Raises:
            StoreError: the file cannot be written.
        """
        held = self._read()
        if held.pop(server.rstrip("/"), None) is not None:
            self._write(held)

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            held = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {name: value for name, value in held.items() if isinstance(value, dict)} if isinstance(held, dict) else {}

    def _write(self, held: dict[str, dict[str, str]]) -> None:
        try:
            make_folder(self._file.parent, 0o700)
            write_atomic(self._file, json.dumps(held).encode(), 0o600)
        except StoreError as error:
            raise StoreError(f"{fault_text(error)}; or set XDG_CONFIG_HOME to a writable folder") from error
