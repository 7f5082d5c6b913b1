"""Uploads are written to disk while they arrive: the server's memory does not grow with them, and few go at once."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fleet_server.auth.conftest import setup_code
from tests.fleet_server.fakes.server_process import ServerProcess, eventually

pytestmark = pytest.mark.system

MIB = 1024 * 1024
LENGTH = 160 * MIB
GROWTH_MAX = 48 * MIB
"""Of the greatest memory; a server that reads an upload whole grows by all of it."""


def memory(server: ServerProcess, name: str = "VmRSS") -> int:
    status = Path(f"/proc/{server.state()['pid']}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(name))


def body(boundary: str) -> Iterator[bytes]:
    yield f'--{boundary}\r\nContent-Disposition: form-data; name="package"; filename="p.tar"\r\n\r\n'.encode()
    for _ in range(LENGTH // MIB):
        yield b"x" * MIB
    yield f"\r\n--{boundary}--\r\n".encode()


def test_memory_stays_flat_and_others_are_served(server: ServerProcess) -> None:
    """For one large form, for pieces of several uploads at once, beside a slow one."""
    url = f"{server.state()['url']}/api/v1"
    before = memory(server)
    Path(f"/proc/{server.state()['pid']}/clear_refs").write_text("5")  # the greatest memory begins anew
    length = LENGTH + sum(map(len, (next(body("b")), b"\r\n--b--\r\n")))
    headers = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(length)}
    assert httpx.post(f"{url}/models", content=body("b"), headers=headers, timeout=180.0).status_code == 422
    piece = bytes(8 * MIB)
    whole = hashlib.sha256()
    for _ in range(4):
        whole.update(piece)
    ids = [
        server.post("/uploads", {"length_bytes": 4 * len(piece) + number, "sha256": whole.hexdigest()})["id"]
        for number in range(4)
    ]

    def send(upload: str) -> None:
        with httpx.Client(base_url=url, timeout=60.0) as client:
            for number in range(4):
                answer = client.patch(f"/uploads/{upload}", params={"offset_bytes": number * len(piece)}, content=piece)
                assert answer.status_code == 200, answer.text

    threads = [threading.Thread(target=send, args=(upload,)) for upload in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [server.get(f"/uploads/{upload}")["offset_bytes"] for upload in ids] == [4 * len(piece)] * 4
    assert memory(server, "VmHWM") - before < GROWTH_MAX
    assert not [path for path in (server.data / "uploads").iterdir() if path.suffix not in (".json", ".part")]


def test_piece_that_breaks_off_continues_where_it_was(server: ServerProcess) -> None:
    """The bytes before the break are kept, and the log has no traceback."""
    upload = server.post("/uploads", {"length_bytes": 3 * MIB, "sha256": "0" * 64})["id"]

    def half() -> Iterator[bytes]:
        for _ in range(2):
            yield bytes(MIB)
        raise ZeroDivisionError

    code = {"Authorization": f"Bearer {setup_code(server)}"}  # the account at a closed connection is not known
    with pytest.raises(ZeroDivisionError):
        server.http.patch(f"/uploads/{upload}", params={"offset_bytes": 0}, content=half(), headers=code)
    eventually("2 MiB are kept", lambda: server.get(f"/uploads/{upload}")["offset_bytes"] == 2 * MIB)
    answer = server.http.patch(f"/uploads/{upload}", params={"offset_bytes": 2 * MIB}, content=bytes(MIB))
    assert answer.json()["offset_bytes"] == 3 * MIB
    assert "Traceback" not in server.log.read_text()


def test_forms_at_once_are_limited(server: ServerProcess) -> None:
    """Of one caller two; the third is refused, and other requests are answered."""
    started = threading.Semaphore(0)
    end = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield b"--b\r\n"
        started.release()
        end.wait(120.0)

    def post() -> None:
        """Hold a place; one that the third form of below had for a moment is tried for again."""
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        while not end.is_set():
            with contextlib.suppress(httpx.RemoteProtocolError, httpx.WriteError):  # refused, and closed, while it still sends
                httpx.post(f"{server.state()['url']}/api/v1/models", content=slowly(), headers=headers, timeout=180.0)

    threads = [threading.Thread(target=post) for _ in range(2)]
    for thread in threads:
        thread.start()
        started.acquire(timeout=120.0)
    seen: list[int] = []
    eventually("the third waits", lambda: seen.append(server.push(b"x").status_code) or 429 in seen)
    assert server.get("/health")["status"] == "ok"
    end.set()
    for thread in threads:
        thread.join()
    eventually("room again", lambda: server.push(b"x").status_code == 422)
