"""The sink `webhook`: each event is the JSON body of a POST request.

[sinks.plant]
kind = "webhook"
options = { url = "http://plant.example/events", header_file = "plant.header" }
"""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Annotated

import msgspec

from edgefleet_agent.sinks.base import Sink, SinkContext, parse_options
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event


class WebhookOptions(msgspec.Struct):
    """url: of the receiver. timeout_s: of a request. header_file: a file with one header, such as `Authorization: Bearer ...`."""

    url: Annotated[str, msgspec.Meta(pattern="^https?://.+")]
    timeout_s: Annotated[float, msgspec.Meta(gt=0.0, le=20.0)] = 5.0
    header_file: str = ""


class WebhookSink(Sink):
    """Posts events. A receiver that answers 4xx refuses the event, which is skipped; all other faults may pass."""

    def __init__(self, context: SinkContext) -> None:
        super().__init__(context)
        self._options = parse_options(context, WebhookOptions)
        self._headers = {"Content-Type": "application/json"}

    def start(self) -> None:
        if self._options.header_file:
            try:
                text = (self.context.folder / self._options.header_file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as cause:
                raise UnavailableError(f"{self._options.header_file}: cannot be read; correct header_file") from cause
            name, _, value = text.partition(":")
            self._headers[name.strip()] = value.strip()

    def put(self, event: Event) -> None:
        request = urllib.request.Request(self._options.url, encode(event), self._headers)  # noqa: S310 (the pattern of the option)
        try:
            with urllib.request.urlopen(request, timeout=self._options.timeout_s):  # noqa: S310
                pass
        except urllib.error.HTTPError as cause:
            if 400 <= cause.code < 500 and cause.code not in (408, 429):
                raise InputError(f"the receiver answers {cause.code} {cause.reason}") from cause
            raise UnavailableError(f"the receiver answers {cause.code} {cause.reason}") from cause
        except OSError as cause:
            raise UnavailableError(f"the receiver does not answer: {cause}") from cause


def example(_folder: Path) -> dict[str, str]:
    """Options for the contract tests, and the receiver that they name."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return {"url": f"http://127.0.0.1:{server.server_port}/events"}
