"""Reported labels select nothing: each kind of selection is tried with a device that claims a label."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import to_builtins
from pydantic import BaseModel, ValidationError
from sqlalchemy import update

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.wire.messages import PresenceMessage
from edgefleet_server.api.schemas.admin.identity import TokenRequest
from edgefleet_server.api.schemas.fleet.device_admin import BulkRequest
from edgefleet_server.api.schemas.fleet.devices import LabelsPatch
from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector, WaveSpec
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest
from edgefleet_server.api.services.rollout_plans import CreatedRollouts, RolloutOrder, make
from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.db.alerting.alert_groups import AlertGroups
from edgefleet_server.db.backend import settings
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import device_filters, device_labels, devices, groups, removal, sites
from edgefleet_server.db.tables.core import Package
from edgefleet_server.domain.rollout.planning import Candidate
from edgefleet_server.domain.rollout.waves import Member, WavePlan, assign
from edgefleet_server.domain.statistics.experiment import ArmPlan, split_by_label
from edgefleet_server.jobs.late_joiners import LateJoining
from edgefleet_server.registry.identity.enrolment import new_token
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet
from tests.fleet_server.db.telemetry.test_ingest_turns import fleet as fleet
from tests.fleet_server.fakes.packages import files

CLAIM = {"env": "prod", "lat": "59.3", "lon": "18.1"}
NONE: dict[str, Any] = {"all": False, "ids": [], "labels": {}}


def claim(fleet: Fleet, name: str, labels: dict[str, str]) -> None:
    """A device connects, and says that it has these labels."""
    birth = PresenceMessage(device=name, online=True, boot="b2", connection=1, profile="cpu", runtimes=["lite_rt"], labels=labels)
    fleet.receive((name, "presence", encode(birth)))


def put(fleet: Fleet, name: str, **selector: Any) -> None:
    record = {"name": name, "note": "", "changed_at": 1.0, "changed_by": "ada"}
    with fleet.database.write() as connection:
        groups.put(connection, {**record, "selector": {**NONE, **selector}})


def trust(fleet: Fleet, keys: str | None) -> None:
    """The setting and the labels change in one transaction, as in the route."""
    with fleet.database.write() as connection:
        settings.put(connection, device_labels.TRUST, keys, "ada", 1.0)
        device_labels.settle(connection)


def candidates(fleet: Fleet) -> list[Candidate]:
    with fleet.database.read() as connection:
        return devices.candidates(connection, "detector", time.time())


def members(fleet: Fleet, **selector: Any) -> list[str]:
    with fleet.database.read() as connection:
        return groups.members(connection, groups.resolve(connection, {**NONE, **selector}))


def planned(fleet: Fleet, **selector: Any) -> CreatedRollouts:
    with fleet.database.write() as connection:
        manifest = to_builtins(read_manifest(files()["model.toml"].decode(), "manifest.toml"))
        connection.execute(update(Package).values(manifest=manifest))
        body = {"package": "spotter", "version": "1.0.0", "selector": {**NONE, **selector}, "waves": [{"name": "all"}]}
        return make(connection, PreviewRequest.model_validate(body), RolloutOrder("ada", time.time(), {"env": "prod"}))


def by_group(fleet: Fleet) -> list[str]:
    put(fleet, "prod", labels={"env": "prod"})
    return members(fleet, group="prod")


def by_alert_group(fleet: Fleet) -> list[str]:
    put(fleet, "prod", query="env = prod")
    with fleet.database.read() as connection:
        known = AlertGroups(connection, ["prod"])
        return [name for name in NAMES if known.of(name, None)]


def by_list(fleet: Fleet) -> list[str]:
    with fleet.database.read() as connection:
        return devices.ids(connection, device_filters.Filter(labels={"env": "prod"}), 100)


def by_plan(fleet: Fleet) -> list[str]:
    """A preview, a rollout, a dry run of `apply`, and an experiment are planned so."""
    return sorted(name for wave in planned(fleet, labels={"env": "prod"}).plan.waves for name in wave)


def by_wave(fleet: Fleet) -> list[str]:
    known = [Member(one.device, one.profile, one.online, one.labels) for one in candidates(fleet)]
    return assign([WavePlan("prod", labels={"env": "prod"}), WavePlan("rest")], known, "seed")[0]


def by_arm(fleet: Fleet) -> list[str]:
    arms = [ArmPlan("a", 1.0, "prod"), ArmPlan("b", 1.0, "test")]
    return sorted(split_by_label({one.device: one.labels for one in candidates(fleet)}, "env", arms))


def by_late_joining(fleet: Fleet) -> list[str]:
    planned(fleet, ids=[NAMES[1]])  # gives the package its manifest
    fleet.roll_out([NAMES[1:2]], selector={**NONE, "labels": {"env": "prod"}})
    return [name for names in LateJoining(fleet.database).turn(time.time()).values() for name in names]


def by_map(fleet: Fleet) -> list[str]:
    with fleet.database.read() as connection:
        return [NAMES[0]] if any(site.lat for site in sites.list_sites(connection)[0]) else []


SELECTIONS: dict[str, Callable[[Fleet], list[str]]] = {
    "labels": lambda fleet: members(fleet, labels={"env": "prod"}),
    "query": lambda fleet: members(fleet, query="env = prod"),
    "query of those that have it": lambda fleet: members(fleet, query="env exists"),
    "query of all others": lambda fleet: sorted(set(NAMES) - set(members(fleet, query="not env = prod"))),
    "group": by_group,
    "group of an alert": by_alert_group,
    "list": by_list,
    "plan": by_plan,
    "wave": by_wave,
    "arm of an experiment": by_arm,
    "late joiners": by_late_joining,
    "map": by_map,
}


@pytest.mark.parametrize("kind", SELECTIONS)
def test_a_claimed_label_selects_nothing_unless_it_is_trusted(fleet: Fleet, kind: str) -> None:
    """The same claim selects the device once the setting names its key."""
    claim(fleet, NAMES[0], CLAIM)
    assert SELECTIONS[kind](fleet) == []
    with fleet.database.read() as connection:
        row = devices.detail(connection, NAMES[0])
    assert (row["labels"], row["reported_labels"]) == ({}, CLAIM)
    trust(fleet, ", ".join(CLAIM))
    assert SELECTIONS[kind](fleet) == [NAMES[0]]


def test_labels_of_the_server_stand_above_claims(fleet: Fleet) -> None:
    """Those of a token and of an operator, whether the key is trusted or not; a device takes none of them away."""
    with fleet.database.write() as connection:
        device_labels.enrol(connection, NAMES[0], {"env": "test", "line": "1"})
        device_labels.enrol(connection, "new", {"env": "test"})
        device_labels.change_labels(connection, NAMES[0], {"ring": "main"})
    claim(fleet, NAMES[0], {"env": "prod", "ring": "canary", "line": "1"})
    claim(fleet, "new", {"env": "prod"})
    for keys in ("env, ring", None):
        trust(fleet, keys)
        with fleet.database.read() as connection:
            row = devices.detail(connection, NAMES[0])
            assert row["labels"] == {"env": "test", "line": "1", "ring": "main"}
            assert row["reported_labels"] == {"env": "prod", "ring": "canary"}
            assert devices.detail(connection, "new")["labels"] == {"env": "test"}
    with fleet.database.write() as connection:
        removal.remove(raw(connection), "new")
    fleet.store.stale.set()
    claim(fleet, "new", {"env": "prod"})
    with fleet.database.write() as connection:
        assert devices.detail(connection, "new")["labels"] == {}  # a device of this name begins anew
        with pytest.raises(NotFoundError, match="no device 'nobody'"):
            device_labels.change_labels(connection, "nobody", {"a": "b"})


def test_an_edit_of_other_labels_leaves_a_trusted_one_to_the_device(fleet: Fleet) -> None:
    trust(fleet, "env")
    claim(fleet, NAMES[0], {"env": "prod"})
    with fleet.database.write() as connection:
        device_labels.change_labels(connection, NAMES[0], {"ring": "main"})
    claim(fleet, NAMES[0], {"env": "test"})
    assert candidates(fleet)[0].labels == {"env": "test", "ring": "main"}
    with fleet.database.write() as connection:
        device_labels.change_labels(connection, NAMES[0], {"env": None})
    assert candidates(fleet)[0].labels == {"ring": "main"}


def test_a_claim_can_ask_for_the_second_person_but_not_avoid_it(fleet: Fleet) -> None:
    claim(fleet, NAMES[0], {"env": "prod"})
    with fleet.database.write() as connection:
        device_labels.change_labels(connection, NAMES[1], {"env": "prod"})
    claim(fleet, NAMES[1], {"env": "test"})
    claim(fleet, NAMES[2], {"env": "test"})
    for name, needed in ((NAMES[0], True), (NAMES[1], True), (NAMES[2], False)):
        assert planned(fleet, ids=[name]).needs_second_person is needed, name


def test_selections_by_labels_that_only_devices_report_are_named(fleet: Fleet) -> None:
    """One sentence for each key, until the server has the label or trusts it."""
    put(fleet, "prod", query="not env = test")
    fleet.roll_out([NAMES[1:2]], selector={**NONE, "labels": {"env": "prod"}})
    claim(fleet, NAMES[0], {"env": "prod", "unused": "x"})

    def warnings() -> list[str]:
        with fleet.database.read() as connection:
            return device_labels.warnings(connection)

    (text,) = warnings()
    assert text.startswith("label 'env': 1 device reports it, which selects nothing; it is used by group 'prod', rollout ")
    trust(fleet, "env, site, timezone")
    assert warnings() == []
    trust(fleet, "site, timezone")
    assert len(warnings()) == 1
    with fleet.database.write() as connection:
        device_labels.change_labels(connection, NAMES[0], {"env": "prod"})
    assert warnings() == []


def test_labels_that_name_no_time_zone_are_named(fleet: Fleet) -> None:
    """They would silently have the time zone of the rollout."""
    zones = dict(zip(NAMES, ("Mars/X", "Mars/X", "Europe/Lisbon"), strict=False))
    with fleet.database.write() as connection:
        for name, zone in zones.items():
            device_labels.report(raw(connection), name, {"timezone": zone})
    with fleet.database.read() as connection:
        (text,) = device_labels.warnings(connection)
    assert text.startswith(f"label timezone=Mars/X of {min(NAMES[:2])} and 1 more: no such time zone; ")


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ({"timezone": "Mars/X"}, "label timezone=Mars/X: no such time zone"),
        ({"site": "ly\x00on"}, "label site='ly.x00on': a label cannot have control characters"),
    ],
)
def test_labels_that_mean_nothing_are_refused_wherever_people_give_them(fleet: Fleet, labels: dict[str, str], text: str) -> None:
    """For one device, for many, and for the devices of a token. What a device has already does not stop other changes."""
    with fleet.database.write() as connection:
        device_labels.report(raw(connection), NAMES[0], labels)
        device_labels.change_labels(connection, NAMES[0], {"line": "2"})
        for give in (
            lambda: device_labels.set_labels(connection, NAMES[1], labels),
            lambda: device_labels.change_labels(connection, NAMES[1], labels),
            lambda: new_token(connection, "", labels, 60.0, 1.0),
        ):
            with pytest.raises(InputError, match=text):
                give()


@pytest.mark.parametrize("field", [LabelsPatch, BulkRequest, TokenRequest, Selector, WaveSpec])
def test_labels_of_requests_have_no_control_characters(field: type[BaseModel]) -> None:
    needed = {"action": "label"} if field is BulkRequest else {"name": "all"} if field is WaveSpec else {}
    field.model_validate({**needed, "labels": {"site": "l\u00fctt"}})
    with pytest.raises(ValidationError, match="a label cannot have control characters"):
        field.model_validate({**needed, "labels": {"site": "a\x00"}})
