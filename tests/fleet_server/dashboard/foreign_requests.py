"""A proxy that notes requests of a browser, and answers none."""

from __future__ import annotations

import socketserver
import threading
from types import TracebackType
from typing import Final

LINE_BYTES: Final = 64 * 1024


class ForeignRequests(socketserver.ThreadingTCPServer):
    """The proxy of pages for every address but their own server's. `seen`: first lines of requests, as "GET http://..." or
    "CONNECT host:443". Requests to the own server do not pass here: interception in the tests costs a message for each, and the
    browser's cache."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Noting)
        self.seen: list[str] = []
        self._thread = threading.Thread(target=self.serve_forever, name="foreign requests", daemon=True)

    def __enter__(self) -> ForeignRequests:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def options_for(self, own: str) -> dict[str, str]:
        """The option `proxy` of a browser context whose server is at the URL `own`."""
        return {"server": f"http://127.0.0.1:{self.server_address[1]}", "bypass": own.partition("://")[2].partition("/")[0]}


class _Noting(socketserver.StreamRequestHandler):
    server: ForeignRequests

    def handle(self) -> None:
        line = self.rfile.readline(LINE_BYTES).decode("latin-1").rpartition(" ")[0]
        if line:
            self.server.seen.append(line)
