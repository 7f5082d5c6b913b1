"""User names and passwords of cameras and brokers, stored outside of pipeline files.

A pipeline names them (`credentials = "front"`); the values are on this device only, in the first of these that has the name:

    $CREDENTIALS_DIRECTORY/front       systemd (`LoadCredential=front:/path`, or encrypted): `user:password` in one line
    the file $EDGEFLEET_SECRETS        TOML, readable by its owner only:  front = "user:password"
    $EDGEFLEET_SECRET_FRONT            the environment: `user:password`; `-` of the name is `_` here

They are read for each connection, inserted into its address, and replaced by `***` wherever an address is shown.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from msgspec.structs import replace

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.pipeline.spec import SourceSpec

FILE_BYTES_MAX = 64 * 1024
FILE_VARIABLE = "EDGEFLEET_SECRETS"
DIRECTORY_VARIABLE = "CREDENTIALS_DIRECTORY"
VARIABLE_PREFIX = "EDGEFLEET_SECRET_"


def with_credentials(spec: SourceSpec, environment: Mapping[str, str] | None = None) -> SourceSpec:
    """The specification with user name and password in its addresses; unchanged if it names none.

    Raises:
        PipelineError: this device has no such credentials, or others can read them.
    """
    if not spec.credentials:
        return spec
    pair = _find(spec.credentials, os.environ if environment is None else environment)
    user, colon, password = pair.partition(":")
    if not user or not colon:
        raise PipelineError(f"credentials {spec.credentials!r} must be of the form user:password")
    login = f"{quote(user, safe='')}:{quote(password, safe='')}"
    options = {name: _entered(value, login) if name in ("substream", "onvif") else value for name, value in spec.options.items()}
    return replace(spec, uri=_entered(spec.uri, login), options=options)


def _entered(address: object, login: str) -> object:
    """An address with the login inserted, unless it has one of its own."""
    if not isinstance(address, str) or "://" not in address or "@" in urlsplit(address).netloc:
        return address
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{login}@{rest}"


def _find(name: str, environment: Mapping[str, str]) -> str:
    folder, file = environment.get(DIRECTORY_VARIABLE, ""), environment.get(FILE_VARIABLE, "")
    if folder and (Path(folder) / name).is_file():
        return _text(Path(folder) / name).strip()
    if file:
        found = toml.parse(_guarded(Path(file)), file, PipelineError).get(name)
        if isinstance(found, str):
            return found
    variable = environment.get(VARIABLE_PREFIX + name.upper().replace("-", "_"), "")
    if variable:
        return variable
    where = file or "the file that the setting `secrets` names"
    raise PipelineError(f'no credentials {name!r}; write {name} = "user:password" into {where}')


def _guarded(path: Path) -> str:
    """A file of secrets that only its owner can read.

    Raises:
        PipelineError: it does not exist, or others can read it.
    """
    text = _text(path)
    if path.stat().st_mode & 0o077:
        raise PipelineError(f"{path} is readable by other users; run chmod 600 {path}")
    return text


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(FILE_BYTES_MAX).decode()
    except (OSError, UnicodeDecodeError) as cause:
        reason = cause.strerror if isinstance(cause, OSError) else "not UTF-8"
        raise PipelineError(f"{path}: cannot be read: {reason}; check the path and its owner") from cause
