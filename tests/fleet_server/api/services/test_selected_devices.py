"""The devices of a rollout that is planned and started later: those that match at its start."""

from __future__ import annotations

import time
from typing import Any

from msgspec import to_builtins
from sqlalchemy import update

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.wire.messages import PresenceMessage
from edgefleet_server.api.schemas.rollouts.rollouts import RolloutRequest
from edgefleet_server.api.services import rollout_plans
from edgefleet_server.api.services.rollout_plans import RolloutOrder
from edgefleet_server.db.devices import device_labels
from edgefleet_server.db.rollouts import attempts
from edgefleet_server.db.tables.core import Package
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet, fleet
from tests.fleet_server.fakes.packages import files

__all__ = ["fleet"]


def rows(fleet: Fleet, rollout: int) -> dict[str, str]:
    """The devices of a rollout, with the sentence about each."""
    with fleet.database.read() as connection:
        found, _ = attempts.attempts(connection, attempts.AttemptFilter(rollout), 0, 100, time.time())
    return {row["device"]: row["explanation"] for row in found}


def label(fleet: Fleet, sites: dict[str, str]) -> None:
    with fleet.database.write() as connection:
        for name, site in sites.items():
            device_labels.change_labels(connection, name, {"site": site})


def test_a_draft_takes_the_devices_that_match_at_its_start(fleet: Fleet) -> None:
    """One left the selection and one came after the rollout was planned. The draft says so; after the start nothing moves."""
    manifest = to_builtins(read_manifest(files()["model.toml"].decode(), "manifest.toml"))
    for name in NAMES:
        birth = PresenceMessage(device=name, online=True, boot="b2", connection=1, profile="cpu", runtimes=["lite_rt"])
        fleet.receive((name, "presence", encode(birth)))
    label(fleet, {NAMES[0]: "lyon", NAMES[1]: "lyon"})
    body: dict[str, Any] = {
        "name": "later", "package": "spotter", "version": "1.0.0", "slot": "detector", "start": False,
        "selector": {"labels": {"site": "lyon"}}, "waves": [{"name": "all"}],
    }  # fmt: skip
    for guarded in ({}, {"site": "lyon"}):
        order = RolloutOrder("ada", time.time(), guarded)
        with fleet.database.write() as connection:
            connection.execute(update(Package).values(manifest=manifest))
            rollout = rollout_plans.create(connection, RolloutRequest.model_validate(body), order)
        assert set(rows(fleet, rollout)) == {NAMES[0], NAMES[1]}
        assert all(text.endswith("which selects its devices anew.") for text in rows(fleet, rollout).values())
        label(fleet, {NAMES[1]: "metz", NAMES[2]: "lyon"})
        with fleet.database.write() as connection:
            rollout_plans.start(connection, rollout, "", order)
        if guarded:
            label(fleet, {NAMES[0]: "metz"})
            with fleet.database.write() as connection:
                rollout_plans.approve(connection, rollout, None, "", RolloutOrder("otto", time.time(), guarded))
        expected = {NAMES[2]} if guarded else {NAMES[0], NAMES[2]}
        assert set(rows(fleet, rollout)) == expected
        label(fleet, {NAMES[2]: "metz"})
        assert set(rows(fleet, rollout)) == expected
        label(fleet, {NAMES[0]: "lyon", NAMES[1]: "lyon"})
