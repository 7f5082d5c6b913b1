"""What the demo asks of its server, over the same REST API as everybody else."""

from __future__ import annotations

import time
from typing import Any

import httpx

from agent.errors import EdgefleetError, UnavailableError

TIMEOUT_S = 15.0


class Server:
    """A running fleet server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._client = httpx.Client(base_url=f"{url}/api/v1", timeout=TIMEOUT_S, trust_env=False)

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, **query: Any) -> Any:
        return self._answer("GET", path, params=query)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._answer("POST", path, json=body)

    def upload(self, path: str, archive: bytes) -> Any:
        return self._answer("POST", path, files={"package": ("package.tar", archive, "application/x-tar")})

    def wait_ready(self, timeout_s: float) -> dict[str, Any]:
        """The server's health once it and its broker are up.

        Raises:
            UnavailableError: not within `timeout_s`.
        """
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            try:
                health: dict[str, Any] = self.get("/health")
            except UnavailableError:
                health = {}
            if health.get("broker", {}).get("state") == "up":
                return health
            time.sleep(0.1)
        raise UnavailableError(f"the server at {self.url} did not come up within {timeout_s:.0f} s")

    def _answer(self, method: str, path: str, **request: Any) -> Any:
        try:
            answer = self._client.request(method, path, **request)
        except httpx.TransportError as error:
            raise UnavailableError(f"the server at {self.url} does not answer: {error}") from error
        if answer.is_error:
            raise EdgefleetError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()
