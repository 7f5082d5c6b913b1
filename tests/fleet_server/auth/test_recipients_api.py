"""Recipients of alerts over HTTP: who may do what, that secrets stay secret, and that a test says why it failed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.fleet_server.auth.conftest import Peopled
from tests.fleet_server.jobs.notices import stand_ins
from tests.fleet_server.jobs.notices.stand_ins import Browser, serving

pytestmark = pytest.mark.system

SECRET = "Qm9vbTEyMzQ1Njc4OTAxMjM0NTY3ODkw"


@contextmanager
def made(people: Peopled, **body: Any) -> Iterator[dict[str, Any]]:
    answer = people.admin.post("/alert-recipients", json={"name": "on call", **body})
    assert answer.status_code == 201, answer.text
    yield answer.json()
    assert people.admin.delete(f"/alert-recipients/{answer.json()['id']}").status_code == 204


def test_secrets_are_neither_returned_nor_recorded(people: Peopled) -> None:
    """An administrator changes recipients; others look, and test them. A secret stays where its address is the same."""
    for role in ("viewer", "operator"):
        with people.bearer(people.tokens[role]) as other:
            assert other.post("/alert-recipients", json={"name": "x", "kind": "ntfy", "topic": "t"}).status_code == 403
    with made(people, kind="pagerduty", secret=SECRET) as one:
        path = f"/alert-recipients/{one['id']}"
        assert (one["secret"], one["url"]) == ("(hidden)", "https://events.pagerduty.com/v2/enqueue")
        assert people.admin.post("/alert-recipients", json={"name": "on call", "kind": "ntfy", "topic": "t"}).status_code == 409
        same = {"name": "nights", "kind": "pagerduty", "secret": "(hidden)", "severities": ["critical"]}
        assert people.admin.put(path, json=same).json()["severities"] == ["critical"]
        for elsewhere in ({"url": "https://thief.example.org/v2/enqueue"}, {"kind": "slack"}):
            refused = people.admin.put(path, json={**same, **elsewhere})
            assert refused.status_code == 422
            assert "enter it again" in refused.json()["detail"]
        with people.bearer(people.tokens["viewer"]) as viewer:
            shown = viewer.get("/alert-recipients").json()["items"]
            assert [(each["name"], each["secret"]) for each in shown] == [("nights", "(hidden)")]
            assert viewer.post(f"{path}/test").status_code == 403
        log = people.admin.get("/audit", params={"limit": 50}).json()
        assert any(entry["action"] == "create_alert_recipient" for entry in log["items"])
        assert SECRET not in json.dumps(log)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"kind": "slack"}, "requires secret"),
        ({"kind": "slack", "secret": "hooks.slack.com/services/x"}, "is not a URL"),
        ({"kind": "email", "url": "https://x.example.org", "emails": ["a@b"]}, "takes no url"),
        ({"kind": "webhook", "url": "http://[::1"}, "url is not a URL"),
        ({"kind": "pagerduty", "secret": "short"}, "32 letters and digits"),
        ({"kind": "ntfy", "topic": "a/b"}, "letters, digits"),
        ({"kind": "push", "url": "https://push.example.org/1", "key": "AA", "secret": "AA"}, "65 bytes in base64url"),
        ({"kind": "ntfy", "topic": "t", "groups": ["nobody"]}, "no group 'nobody'"),
        ({"kind": "ntfy", "topic": "t", "secret": "(hidden)"}, "enter it again"),
    ],
)
def test_recipients_that_cannot_be_are_refused(people: Peopled, body: dict[str, Any], text: str) -> None:
    """One line that says what is wrong, without the secret."""
    answer = people.admin.post("/alert-recipients", json={"name": "x", **body})
    assert answer.status_code in (404, 422)
    assert text in answer.json()["detail"]
    assert "services/x" not in answer.text


def test_every_kind_has_a_test(people: Peopled) -> None:
    """It arrives in the service's format, or the answer has the reason."""
    browser = Browser(people.admin.get("/alert-recipients/push-key").json()["public_key"])
    with (
        serving(stand_ins.slack) as slack,
        serving(stand_ins.teams) as teams,
        serving(stand_ins.pagerduty) as pagerduty,
        serving(stand_ins.ntfy) as ntfy,
        serving(browser.push) as push,
        serving(lambda *_: (200, b"")) as hook,
    ):
        browser.service = push.url
        bodies: list[tuple[dict[str, Any], stand_ins.StandIn, int]] = [
            ({"kind": "webhook", "url": f"{hook.url}/hook", "secret": "s"}, hook, 1),
            ({"kind": "slack", "secret": f"{slack.url}/services/T0/B0/s3cret"}, slack, 1),
            ({"kind": "teams", "secret": f"{teams.url}/workflows/9/triggers/manual/paths/invoke?sig=s3cret"}, teams, 1),
            ({"kind": "pagerduty", "url": f"{pagerduty.url}/v2/enqueue", "secret": stand_ins.ROUTING_KEY}, pagerduty, 2),
            ({"kind": "ntfy", "url": ntfy.url, "topic": "t", "secret": "tk_s3cret"}, ntfy, 1),
            ({"kind": "push", "url": f"{push.url}/send/one", "key": browser.key, "secret": browser.secret}, push, 1),
        ]
        with people.bearer(people.tokens["operator"]) as operator:
            for body, service, count in bodies:
                with made(people, **body) as one:
                    result = operator.post(f"/alert-recipients/{one['id']}/test").json()
                    assert result == {"delivered": True, "error": ""}, (body["kind"], service.refused)
                    assert len(service.got) == count
            with made(people, kind="ntfy", url=ntfy.url, topic="t") as one:
                result = operator.post(f"/alert-recipients/{one['id']}/test").json()
                assert result == {
                    "delivered": False,
                    "error": 'ntfy returned status 403: {"code":40301,"http":403,"error":"forbidden"}',
                }
            with made(people, kind="email", emails=["ops@example.org"]) as one:
                assert "--smtp" in operator.post(f"/alert-recipients/{one['id']}/test").json()["error"]
    assert browser.notices[0]["title"] == "Test: notifications to on call"
    with people.bearer(people.tokens["operator"]) as operator:
        assert operator.post("/alert-recipients/999/test").status_code == 404
