"""The OpenAPI document and the interactive page. Both are files of this package: a browser needs no other server."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.serving.http.bodies import Action
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import RequestHead

FOLDER = Path(__file__).with_name("page")
# The page runs its own script, and speaks with this server alone.
_POLICY = (
    b"Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n"
)
_PAGES = {
    "docs": ("docs.html", b"Content-Type: text/html; charset=utf-8\r\n" + _POLICY),
    "openapi.json": ("openapi.json", b"Content-Type: application/json\r\n"),
}


def find_page(words: list[str]) -> Action | None:
    """The action of a path; None if it is no page."""
    if len(words) != 1 or words[0] not in _PAGES:
        return None
    name, headers = _PAGES[words[0]]

    def answer(_request: RequestHead, exchange: Exchange) -> None:
        exchange.answer(200, headers, [(FOLDER / name).read_bytes()])

    return answer
