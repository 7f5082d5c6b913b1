"""Lists that come page by page: every row once, also while rows are added and removed."""

from __future__ import annotations

from typing import Any

import pytest

from edgefleet_client import FleetClient
from edgefleet_client.pages import followed
from edgefleet_server.api.paging import PAGE_MAX, Paging, number_key
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess


def test_pages_have_every_row_once_in_the_order_of_the_keys() -> None:
    rows = [3, 1, 20, 100, 2]
    first, after = Paging("", 2).cut(rows, number_key)
    assert first == [1, 2]
    assert after is not None
    rows.remove(2)  # the row that the cursor names
    rows.append(0)
    second, after = Paging(after, 2).cut(rows, number_key)
    assert (second, after) == ([3, 20], number_key(20))
    assert Paging(after or "", 2).cut(rows, number_key) == ([100], None)


def test_the_newest_come_first() -> None:
    first, after = Paging("", 2).cut([1, 2, 3], number_key, newest_first=True)
    assert (first, after) == ([3, 2], number_key(2))
    assert Paging(after or "", 2).cut([1, 2, 3, 4], number_key, newest_first=True) == ([1], None)


def test_a_whole_list_has_no_next_page() -> None:
    assert Paging("", PAGE_MAX).cut(["b", "a"], str) == (["a", "b"], None)
    assert Paging("", 2).cut(["b", "a"], str) == (["a", "b"], None)


def test_a_client_follows_pages_and_takes_the_answer_of_an_older_server() -> None:
    pages: dict[str | None, Any] = {None: {"items": [1], "next_after": "x"}, "x": {"items": [2], "next_after": None}}
    assert list(followed(pages.__getitem__)) == [1, 2]
    assert list(followed(lambda _after: {"items": [1, 2]})) == [1, 2]


@pytest.mark.system
def test_lists_of_a_server(server: ServerProcess) -> None:
    for name in ("c", "a", "b"):
        server.http.put(f"/groups/{name}", json={"selector": {"labels": {"site": name}}}).raise_for_status()
        recipient = {"name": name, "kind": "ntfy", "topic": name}
        server.http.post("/alert-recipients", json=recipient).raise_for_status()
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        server.push(tar(files(version=version))).raise_for_status()
        server.http.put("/channels/spotter/stable", json={"version": version}).raise_for_status()
    server.http.put("/channels/spotter/beta", json={"version": "1.0.0"}).raise_for_status()
    names = {"groups": ["a", "b", "c"], "alert-recipients": ["a", "b", "c"]}
    for path, expected in names.items():
        whole = server.get(f"/{path}")
        assert ([one["name"] for one in whole["items"]], whole["next_after"]) == (expected, None)
        first = server.get(f"/{path}", limit=2)
        assert ([one["name"] for one in first["items"]], first["next_after"]) == (expected[:2], "b")
        assert [one["name"] for one in server.get(f"/{path}", limit=2, after="b")["items"]] == ["c"]
        assert server.http.get(f"/{path}", params={"limit": PAGE_MAX + 1}).status_code == 422
    first = server.get("/channels", limit=1)
    assert [one["channel"] for one in server.get("/channels", after=first["next_after"])["items"]] == ["stable"]
    history = server.get("/channels/spotter/stable/history", limit=2)
    assert [one["version"] for one in history["items"]] == ["1.2.0", "1.1.0"]
    older = server.get("/channels/spotter/stable/history", before_id=history["next_before_id"])
    assert ([one["version"] for one in older["items"]], older["next_before_id"]) == (["1.0.0"], None)
    with FleetClient(server.state()["url"]) as client:
        assert [move["version"] for move in client.models.iterate_channel_history("spotter", "stable")] == [
            "1.2.0",
            "1.1.0",
            "1.0.0",
        ]
        assert [group["name"] for group in client.devices.iterate_groups()] == ["a", "b", "c"]
