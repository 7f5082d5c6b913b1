"""Recipients get notices of the alerts that they take, from rules and devices to queued notices. Over both databases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.alerting import notices, recipients, snoozes
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.telemetry import alerts, ingest
from edgefleet_server.domain.notices.recipients import checked
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator
from edgefleet_server.jobs.notices.notifier import Notifier
from edgefleet_server.jobs.notices.sender import PUSH_KEY_SEED, NoticeSender
from tests.fleet_server.jobs.notices import stand_ins
from tests.fleet_server.jobs.notices.stand_ins import Browser, serving


class Site:
    """Two devices, the first in the group lyon, one rule about heat, and the evaluation."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._alarm = AlertEvaluator(database)
        rule = {"kind": "threshold", "figure": "temperature_c", "above": 80.0, "for_s": 0.0, "severity": "critical"}
        with database.write() as connection:
            db = raw(connection)
            for device in ("d1", "d2"):
                ingest.add_device(db, device, 1.0)
            selector = {"all": False, "ids": ["d1"], "labels": {}}
            groups.put(connection, {"name": "lyon", "selector": selector, "note": "", "changed_at": 1.0, "changed_by": ""})
            self.rule = alerts.put_rule(db, None, "hot", rule, True, "ada", 1.0)

    def recipient(self, name: str, now: float = 1.0, number: int | None = None, **more: Any) -> int:
        settings = checked("ntfy", {"topic": name.replace(" ", "-")})
        record = {"name": name, "kind": "ntfy", "settings": settings, "groups": [], "severities": [], "enabled": True, **more}
        with self.database.write() as connection:
            return recipients.put(raw(connection), number, record, "ada", now)

    def heat(self, device: str, celsius: float, now: float) -> None:
        with self.database.write() as connection:
            raw(connection).execute(
                "UPDATE device_last SET temperature_c = ?, sample_at = ? WHERE device = ?", (celsius, now, device)
            )
        self._alarm.turn(now)

    def turn(self, now: float) -> None:
        with self.database.write() as connection:
            raw(connection).execute("UPDATE device_last SET sample_at = ?", (now,))
        self._alarm.turn(now)

    def queued(self) -> list[tuple[str, str, str]]:
        """(recipient, what, subject) of every notice, oldest first."""
        with self.database.read() as connection:
            rows = raw(connection).execute("SELECT target, body FROM notice ORDER BY id").fetchall()
        bodies = [(target, json.loads(body)) for target, body in rows]
        return [(target.removeprefix("ntfy "), body["what"], body["subject"]) for target, body in bodies]


@pytest.fixture
def site(where: Path | str) -> Iterator[Site]:
    database = Database(where)
    database.migrate()
    yield Site(database)
    database.close()


def test_groups_and_severities(site: Site) -> None:
    """Each gets what it takes, once, and the end of it."""
    site.recipient("all")
    site.recipient("lyon team", groups=["lyon"])
    site.recipient("quiet", severities=["info", "warning"])
    site.recipient("off", enabled=False)
    site.heat("d1", 90.0, 100.0)
    site.heat("d2", 90.0, 110.0)
    site.turn(120.0)
    began = [("all", "began", "d1"), ("lyon team", "began", "d1"), ("all", "began", "d2")]
    assert site.queued() == began
    site.heat("d1", 60.0, 130.0)
    site.turn(140.0)
    assert site.queued() == [*began, ("all", "ended", "d1"), ("lyon team", "ended", "d1")]


def test_alert_of_a_silenced_rule_is_announced_when_it_is_still_there(site: Site) -> None:
    """One that has ended meanwhile is not; the end of one that was announced is, also during a silence."""
    site.recipient("all")
    with site.database.write() as connection:
        alerts.silence(raw(connection), site.rule, 200.0, "ada")
    site.heat("d1", 90.0, 100.0)
    site.heat("d2", 90.0, 110.0)
    site.heat("d2", 60.0, 120.0)
    assert site.queued() == []
    site.turn(210.0)
    assert site.queued() == [("all", "began", "d1")]
    with site.database.write() as connection:
        alerts.silence(raw(connection), site.rule, 400.0, "ada")
    site.heat("d1", 60.0, 300.0)
    assert site.queued() == [("all", "began", "d1"), ("all", "ended", "d1")]


@pytest.mark.parametrize(
    ("snooze", "silent"),
    [
        ({"device": "d1"}, {"d1"}),
        ({"group": "lyon"}, {"d1"}),
        ({"rule": True}, {"d1", "d2"}),
        ({"rule": True, "device": "d2"}, {"d2"}),
    ],
)
def test_snooze_holds_notices_back_until_it_ends(site: Site, snooze: dict[str, Any], silent: set[str]) -> None:
    """Those of rules and of recipients; it ends by itself, or when it is ended, and recipients hear of what is still there."""
    site.recipient("all")
    hook = {"webhooks": [{"url": "http://localhost/hook", "secret": ""}]}
    with site.database.write() as connection:
        db = raw(connection)
        terms = {**alerts.rule(db, site.rule)["rule"], **hook}
        alerts.put_rule(db, site.rule, "hot", terms, True, "ada", 1.0)
        about = {"rule": site.rule if snooze.get("rule") else None, "group": "", "device": "", "until_at": 200.0, "reason": "r"}
        number = snoozes.add(db, {**about, **{name: value for name, value in snooze.items() if name != "rule"}}, "ada", 50.0)
    for device in ("d1", "d2"):
        site.heat(device, 90.0, 100.0)
    loud = [(to, "began", device) for device in ("d1", "d2") if device not in silent for to in ("http://localhost/hook", "all")]
    assert sorted(site.queued()) == sorted(loud)
    with site.database.read() as connection:
        (one,) = snoozes.current(raw(connection), 150.0)
        assert (one["id"], one["reason"], one["created_by"]) == (number, "r", "ada")
        assert snoozes.current(raw(connection), 200.0) == []
    if snooze == {"device": "d1"}:
        with site.database.write() as connection:
            snoozes.end(raw(connection), number, 160.0)
            with pytest.raises(NotFoundError, match=f"no snooze {number}"):
                snoozes.end(raw(connection), number, 161.0)
    site.turn(165.0 if snooze == {"device": "d1"} else 205.0)
    assert sorted(site.queued()) == sorted([*loud, *[("all", "began", device) for device in silent]])


def test_only_those_that_got_the_start_get_the_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipient whose notice of the start is in a summary only, and a webhook of the rule that was silenced or full then, get
    no end of it, although there is room and no silence any more. What was announced is not announced again."""
    site.recipient("all")
    with site.database.write() as connection:
        db = raw(connection)
        terms = {**alerts.rule(db, site.rule)["rule"], "webhooks": [{"url": "http://localhost/hook", "secret": ""}]}
        alerts.put_rule(db, site.rule, "hot", terms, True, "ada", 1.0)
    for limit in ("WAITING_OF_TARGET", "WAITING_OF_TARGET_MIN"):
        monkeypatch.setattr(notices, limit, 1)
    for device in ("d1", "d2"):
        site.heat(device, 90.0, 100.0)
    began = [(to, "began", "d1") for to in ("all", "http://localhost/hook")]
    summaries = [(to, "summary", "1 more notice") for to in ("all", "http://localhost/hook")]
    assert sorted(site.queued()) == sorted([*began, *summaries])
    monkeypatch.setattr(notices, "WAITING_OF_TARGET", 100)
    site.turn(105.0)
    for device in ("d1", "d2"):
        site.heat(device, 60.0, 110.0)
    ended = [(to, "ended", "d1") for to in ("all", "http://localhost/hook")]
    assert sorted(site.queued()) == sorted([*began, *summaries, *ended])
    with site.database.write() as connection:
        raw(connection).execute("DELETE FROM notice")
        alerts.silence(raw(connection), site.rule, 210.0, "ada")
    site.heat("d2", 90.0, 200.0)
    site.turn(220.0)
    site.heat("d2", 60.0, 230.0)
    assert site.queued() == [("all", "began", "d2"), ("all", "ended", "d2")]


def test_ends_of_alerts_of_before_go_to_all_targets_of_the_rule(site: Site) -> None:
    """Nothing is known of them."""
    with site.database.write() as connection:
        db = raw(connection)
        terms = {**alerts.rule(db, site.rule)["rule"], "webhooks": [{"url": "http://localhost/hook", "secret": ""}]}
        alerts.put_rule(db, site.rule, "hot", terms, True, "ada", 1.0)
    site.heat("d1", 90.0, 100.0)
    with site.database.write() as connection:
        raw(connection).execute("UPDATE alert SET notified = '[]'")
    site.heat("d1", 60.0, 110.0)
    assert [what for _, what, _ in site.queued()] == ["began", "ended"]


def test_new_recipient_gets_notices_from_now_on(site: Site) -> None:
    """Also one that is enabled again; a deleted one gets nothing, and leaves no notice."""
    site.heat("d1", 90.0, 100.0)
    number = site.recipient("late", 150.0)
    site.turn(160.0)
    assert site.queued() == []
    site.heat("d2", 90.0, 170.0)
    assert site.queued() == [("late", "began", "d2")]
    site.recipient("late", 180.0, number, enabled=False)
    site.heat("d1", 60.0, 190.0)
    site.heat("d1", 90.0, 200.0)
    site.recipient("late", 210.0, number)
    site.turn(220.0)
    assert site.queued() == [("late", "began", "d2")]
    with site.database.write() as connection:
        recipients.delete(raw(connection), number)
    site.heat("d2", 60.0, 230.0)
    assert site.queued() == []


def test_group_with_a_recipient_stays(site: Site) -> None:
    """Its alerts would reach no one, without a word."""
    site.recipient("lyon team", groups=["lyon"])
    with site.database.write() as connection, pytest.raises(ConflictError, match="alert recipient 'lyon team'"):
        groups.remove(connection, "lyon")
    with site.database.read() as connection, pytest.raises(NotFoundError, match="no recipient 99"):
        recipients.recipient(raw(connection), 99)


def test_recipients_are_delivered_to_apart(site: Site) -> None:
    """One that refuses keeps its notice and delays no other; a browser that is gone is switched off and not tried again."""
    sender = NoticeSender(PUSH_KEY_SEED)
    browser = Browser(sender.push_key.public)
    browser.is_subscribed = False
    with serving(stand_ins.ntfy) as good, serving(lambda *_: (503, b"")) as bad, serving(browser.push) as ended:
        for name, url in (("good", good.url), ("bad", bad.url)):
            site.recipient(name, settings=checked("ntfy", {"url": url, "secret": "tk_s3cret", "topic": name}))
        subscription = {"url": f"{ended.url}/send/one", "key": browser.key, "secret": browser.secret}
        number = site.recipient("phone", kind="push", settings=checked("push", subscription))
        site.heat("d1", 90.0, 100.0)
        notifier = Notifier(site.database, sender)
        assert notifier.turn(110.0) == 3
        assert [message["title"] for message in good.json()] == ["Critical: hot, d1"]
        with site.database.read() as connection:
            found = {one["target"]: one for one in notices.notices(raw(connection), 10)}
            assert recipients.recipient(raw(connection), number)["enabled"] is False
        assert {target: one["state"] for target, one in found.items()} == {
            "ntfy good": "delivered", "ntfy bad": "waiting", "push phone": "given up",
        }  # fmt: skip
        assert found["ntfy bad"]["error"] == "ntfy returned status 503"
        notifier.close()
