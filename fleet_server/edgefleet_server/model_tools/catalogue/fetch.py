"""Downloads files, and accepts them only with the expected digest.

A file is stored under its SHA-256 in the cache, and during the download as `SHA256.part`: an interrupted download is resumed
with a Range request, also by a later run. If the server answers with the whole file instead, the download restarts; if it sends
more than the known length, the download is aborted.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from edgefleet_contract.core.atomic_files import as_store_error, make_folder, sync_folder
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import InputError, UnavailableError
from edgefleet_server.model_tools.catalogue.entries import Download

ATTEMPTS = 5
"""Limit of consecutive attempts without a new byte. An attempt with new bytes resets the count."""
PAUSE_S = 0.5
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
CHUNK_BYTES = 64 * 1024
REDIRECTS_MAX = 5


class _WrongStartError(Exception):
    """The partial file is not the start of the file: restart the download."""


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/edgefleet/models`, usually `~/.cache/edgefleet/models`."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(home) if home.startswith("/") else Path.home() / ".cache"
    return base / "edgefleet" / "models"


def fetch(download: Download, cache: Path, on_progress: Callable[[int], None], pause_s: float = PAUSE_S) -> Path:
    """The file in the cache, downloaded if it is missing. on_progress: called with the bytes so far.

    Raises:
        InputError: the URL does not have the file, or has other bytes. UnavailableError: no answer in all attempts.
        StoreError: the disk refuses.
    """
    make_folder(cache)
    whole, part = cache / download.sha256, cache / f"{download.sha256}.part"
    if whole.is_file() and whole.stat().st_size == download.length:
        on_progress(download.length)
        return whole
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True, max_redirects=REDIRECTS_MAX) as client:
        _arrive(client, download, part, on_progress, pause_s)
    with as_store_error(part):
        if _digest(part) != download.sha256:
            part.unlink()
            raise InputError(
                f"{download.url}: other bytes than the catalogue knows (SHA-256 differs); nothing was kept: the file was changed"
                " there, or the connection is intercepted"
            )
        part.replace(whole)
        sync_folder(cache)
    return whole


def _arrive(client: httpx.Client, download: Download, part: Path, on_progress: Callable[[int], None], pause_s: float) -> None:
    """Download until the partial file has its full length."""
    failures, restarts, before = 0, 0, -1
    while (have := _size(part)) < download.length:
        on_progress(have)
        if have > before:
            failures = 0
        before = have
        try:
            _continue(client, download, part, have, on_progress)
        except _WrongStartError:
            restarts += 1
            with as_store_error(part):
                part.unlink(missing_ok=True)
            before = -1
            if restarts > 1:
                raise InputError(
                    f"{download.url}: longer than the {download.length} bytes that the catalogue knows; refused"
                ) from None
        except (httpx.TransportError, httpx.TooManyRedirects) as cause:
            failures += 1
            if failures >= ATTEMPTS:
                raise UnavailableError(
                    f"{download.url}: no answer ({fault_text(cause)}); what arrived is kept, try again later"
                ) from cause
            time.sleep(pause_s * 2**failures)
    on_progress(download.length)


def _continue(client: httpx.Client, download: Download, part: Path, have: int, on_progress: Callable[[int], None]) -> None:
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with client.stream("GET", download.url, headers=headers) as answer:
        if download.url.startswith("https:") and answer.url.scheme != "https":
            raise InputError(f"{download.url}: leads to {answer.url}, which is not encrypted; refused")
        if answer.status_code == 416:
            raise _WrongStartError
        if answer.status_code >= 500 or answer.status_code == 429:
            raise httpx.ReadError(f"the server answered {answer.status_code}")
        if answer.status_code not in (200, 206):
            raise InputError(f"{download.url}: the server answered {answer.status_code}; the file is not there any more")
        there = _length(answer)
        if there is not None and there < download.length:
            raise InputError(
                f"{download.url}: {there} bytes are there, the catalogue knows {download.length}; the file was changed there"
            )
        resumes = answer.status_code == 206 and _start(answer) == have
        if answer.status_code == 206 and not resumes:
            raise _WrongStartError
        with as_store_error(part), part.open("ab" if resumes else "wb") as file:
            arrived = have if resumes else 0
            for chunk in answer.iter_raw():  # without a chunk size, which would buffer bytes that a lost connection then loses
                arrived += len(chunk)
                if arrived > download.length:
                    raise _WrongStartError
                file.write(chunk)
                on_progress(arrived)
            file.flush()
            os.fsync(file.fileno())
        if arrived < download.length:
            raise httpx.ReadError("the connection ended early")


def _length(answer: httpx.Response) -> int | None:
    """Bytes of the whole file; None if the server does not state them."""
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        return None
    header = answer.headers.get("Content-Length", "")
    if answer.status_code == 206:
        header = answer.headers.get("Content-Range", "").rpartition("/")[2]
    return int(header) if header.isascii() and header.isdigit() else None


def _start(answer: httpx.Response) -> int:
    found = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", ""))
    return int(found.group(1)) if found else -1


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _digest(path: Path) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(CHUNK_BYTES):
            whole.update(block)
    return whole.hexdigest()
