"""Devices that match a query, and groups by query, over both databases."""

from __future__ import annotations

import time
from typing import Any

import pytest

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import PresenceMessage
from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.alerting.alert_groups import AlertGroups
from edgefleet_server.db.assignment import pins
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import device_labels, devices, groups, identities, restrictions
from edgefleet_server.db.devices.device_filters import Filter
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.rollouts import attempts, rollouts
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.query.parsing import parse
from edgefleet_server.domain.query.terms import STATES
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator
from edgefleet_server.jobs.late_joiners import LateJoining
from tests.fleet_server.db.telemetry.test_ingest_turns import DIGEST, NAMES, Fleet
from tests.fleet_server.db.telemetry.test_ingest_turns import fleet as fleet


def matching(fleet: Fleet, query: str, **more: Any) -> list[str]:
    with fleet.database.read() as connection:
        selector = groups.resolve(connection, {"all": False, "ids": [], "labels": {}, "query": query, **more})
        return groups.members(connection, selector)


def put(fleet: Fleet, name: str, **selector: Any) -> None:
    record = {"name": name, "note": "", "changed_at": 1.0, "changed_by": "ada"}
    with fleet.database.write() as connection:
        groups.put(connection, {**record, "selector": {"all": False, "ids": [], "labels": {}, **selector}})


def leave(fleet: Fleet, name: str) -> None:
    fleet.receive((name, "presence", encode(PresenceMessage(device=name, online=False, boot="b", connection=1))))


def test_facts_come_from_the_database(fleet: Fleet) -> None:
    """Labels with their edits, the profile, running versions, and every state."""
    leave(fleet, NAMES[5])
    fleet.roll_out([NAMES[:2]])
    fleet.finish()
    with fleet.database.write() as connection:
        device_labels.change_labels(connection, NAMES[3], {"ring": "canary"})
        pins.add(raw(connection), NAMES[1], "detector", DIGEST, "stays", "ada", time.time())
        raw(connection).execute("INSERT INTO blocked_device (device, blocked_at, reason) VALUES (?, 1.0, '')", (NAMES[4],))
    assert matching(fleet, "site = north and ring = canary") == [NAMES[3]]
    assert matching(fleet, "profile = cpu") == NAMES
    assert matching(fleet, "agent exists") == matching(fleet, "agent != none")
    assert matching(fleet, "package:spotter = 1.*") == NAMES[:2]
    assert matching(fleet, "package:spotter = none and state = online") == NAMES[2:5]
    assert matching(fleet, "state = pinned or state = blocked") == [NAMES[1], NAMES[4]]
    assert matching(fleet, "state = offline") == [NAMES[5]]
    assert matching(fleet, "state = offline", ids=[NAMES[0], "nowhere"]) == [NAMES[0], NAMES[5]]
    assert matching(fleet, "state = online", labels={"ring": "canary"}) == [NAMES[3]]
    with fleet.database.read() as connection:
        shared = QueriedFleet(connection)
        for state in STATES:
            found = shared.matching(parse(f"state = {state}"), {}, ())
            listed = devices.ids(connection, Filter(status=state), 100)
            assert found == listed, state


def test_a_group_by_query_changes_with_its_devices(fleet: Fleet) -> None:
    """Members are evaluated at each question, and a rule for the group at each check."""
    put(fleet, "away", query="state = offline and site = north")
    rule = {"kind": "absence", "for_s": 0.0, "severity": "warning", "group": "away"}
    with fleet.database.write() as connection:
        alerts.put_rule(raw(connection), None, "gone", rule, True, "ada", 1.0)
    evaluator = AlertEvaluator(fleet.database)
    for absent in (NAMES[:1], NAMES[:2]):
        leave(fleet, absent[-1])
        evaluator.turn(time.time() + 1.0)
        with fleet.database.read() as connection:
            assert groups.members(connection, groups.resolve(connection, {"group": "away"})) == absent
            assert sorted(one["device"] for one in alerts.alerts(raw(connection), open_only=True)) == absent
            assert AlertGroups(connection, ["away"]).of(absent[-1], None) == ["away"]
            assert AlertGroups(connection, ["away"]).of(NAMES[4], None) == []


def test_a_query_fits_labels_and_ids_alone(fleet: Fleet) -> None:
    """`all` beside a query would ignore it."""
    put(fleet, "north", labels={"site": "north"})
    for beside in ({"all": True}, {"group": "north"}):
        with pytest.raises(InputError, match='"query" goes with "labels" and "ids"'):
            matching(fleet, "site = north", **beside)


def test_no_device_joins_late_by_a_changing_field(fleet: Fleet) -> None:
    """A group whose query gets such a field while a rollout follows it ends that, and the timeline says so once."""
    put(fleet, "north", query="site = north and not ring = late")
    number = fleet.roll_out([NAMES[:2]], selector={"all": False, "ids": [], "labels": {}, "group": "north"})
    joining = LateJoining(fleet.database)
    put(fleet, "north", query="state = online")
    assert joining.turn(time.time()) == {}
    assert joining.turn(time.time()) == {}
    with fleet.database.read() as connection:
        texts = [item["text"] for item in rollouts.story(connection, number)]
    assert texts.count("Group 'north' selects by state now, which changes: no device joins late") == 1


def test_a_selector_without_a_query_is_stored_as_before() -> None:
    """The newest rollout of a selector is found by its text."""
    assert Selector.model_validate({"labels": {"site": "lyon"}}).stored() == {
        "all": False, "ids": [], "labels": {"site": "lyon"}, "group": None,
    }  # fmt: skip
    assert Selector.model_validate({"query": "agent < 0.3"}).stored()["query"] == "agent < 0.3"


def test_a_list_of_any_length_is_one_value_of_a_statement(fleet: Fleet) -> None:
    """SQLite has a limit of 32,766 values, requests and queries over large fleets have more devices."""
    fleet.roll_out([NAMES[:2]])
    many = [*NAMES[:3], *(f"gone-{number}" for number in range(100_000))]
    with fleet.database.read() as connection:
        selector = groups.resolve(connection, {"all": False, "ids": many, "labels": {}, "query": ""})
        assert groups.members(connection, selector) == sorted(NAMES[:3])
        _, total = devices.page(connection, Filter(ids=frozenset(many)), "id", 1, 10)
        assert total == 3
        _, total = attempts.attempts(connection, attempts.AttemptFilter(devices=tuple(many)), 0, 10, 1.0)
        assert total == 2
        assert identities.certified(connection, many, 1.0) == set()
        assert restrictions.warnings(connection, many) == {}
        assert devices.latest_samples(connection, many).keys() <= set(NAMES[:3])
    with fleet.database.write() as connection:
        restrictions.remove(connection, many)
