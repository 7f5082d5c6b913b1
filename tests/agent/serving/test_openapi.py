"""The OpenAPI document matches the HTTP listener: the listener answers every path and method in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.agent.serving.conftest import Api
from tests.agent.serving.grpc.test_hostile import ask

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/inference-api.openapi.yaml"


def operations() -> list[tuple[str, str]]:
    """(method, path) in the order of the document."""
    found: list[tuple[str, str]] = []
    path = ""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r'  "(/.*)":', line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|post):", line):
            found.append((match[1].upper(), path))
    return found


@pytest.mark.parametrize(("method", "path"), operations())
def test_what_is_documented_is_there(api: Api, method: str, path: str) -> None:
    if path.endswith(("/unload", "/load")):
        path = path.replace("{model}", "nothing")
    path = path.replace("{model}", "add").replace("{version}", "1").replace("{region}", "none")
    status, answer, _ = ask(api, method, path, b"{}" if method == "POST" else b"")
    assert status != 405
    assert not (status == 404 and isinstance(answer, dict) and answer["error"] == "Not Found")
    assert ask(api, "DELETE", path)[0] == 405


def test_every_operation_has_a_name_of_its_own() -> None:
    names = re.findall(r"operationId: (\w+)", DOCUMENT.read_text(encoding="utf-8"))
    assert len(names) == len(set(names)) == len(operations()) > 40
