"""The OpenAPI document that is served is the one in docs/."""

from __future__ import annotations

from edgefleet_agent.serving.http import pages
from tools.write_inference_openapi import document


def test_the_document_is_up_to_date() -> None:
    text = (pages.FOLDER / "openapi.json").read_text(encoding="utf-8")
    assert text == document(), "run: python tools/write_inference_openapi.py"
