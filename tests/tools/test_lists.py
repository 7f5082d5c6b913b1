"""Every list of the REST API has a bound, and the reference has a table of them."""

from __future__ import annotations

import json
from typing import Any

from tests.corpus.rest_calls import document
from tools.reference.lists import bounds, lists_page

PAGED = {
    "list_alert_recipients", "list_alert_rules", "list_alert_snoozes", "list_api_tokens", "list_channels", "list_configurations",
    "list_groups", "list_group_members", "list_models", "list_pipelines", "list_users",
}  # fmt: skip


def test_every_list_has_a_bound() -> None:
    found = list(bounds(document()))
    assert len(found) > 30
    assert [one.operation for one in found if one.most is None] == []


def test_lists_that_grow_come_page_by_page() -> None:
    """Measurements and reports are cut."""
    cursors = {one.operation: (one.cursor, one.parameter) for one in bounds(document())}
    assert {cursors[name] for name in PAGED} == {("after", "limit")}
    assert cursors["get_channel_history"] == ("before_id", "limit")


def test_the_table_names_a_list_without_a_bound() -> None:
    changed: dict[str, Any] = json.loads(json.dumps(document()))
    users = changed["paths"]["/api/v1/users"]["get"]
    users["parameters"] = [each for each in users.get("parameters", ()) if each["name"] != "limit"]
    assert [one.operation for one in bounds(changed) if one.most is None] == ["list_users"]
    assert "| `list_users` | `/api/v1/users` | **no bound** |" in lists_page(changed)
