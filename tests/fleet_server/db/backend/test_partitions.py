"""Days of telemetry as partitions of PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend import leader, partitions
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.backend.notifications import NotificationChannel
from edgefleet_server.db.telemetry import ingest, retention, rollups
from edgefleet_server.domain.fleet.cluster_message import NAMES_MAX, ClusterMessage, parts
from tests.fleet_server.fakes.server_process import eventually
from tests.services.postgres import Postgres

DAY_S = partitions.DAY_S


@pytest.fixture
def database(postgres: Postgres, migrated: str) -> Iterator[Database]:
    opened = Database(postgres.url(template=migrated))
    yield opened
    opened.close()


def store(database: Database, *received: float) -> None:
    with database.ingest_transaction() as connection:
        ingest.add_samples(raw(connection), [("d", at, at, "{}") for at in received])


def rows_by_partition(database: Database) -> dict[str, int]:
    with database.read() as connection:
        rows = connection.exec_driver_sql("SELECT tableoid::regclass::text, count(*) FROM telemetry GROUP BY 1")
        return {row[0]: row[1] for row in rows}


def test_each_day_is_one_partition_and_is_dropped_whole(database: Database) -> None:
    """Made ahead, filled by the time of arrival, dropped by age; what has no partition waits in the default one."""
    today = int(time.time()) // DAY_S
    store(database, (today - 9) * DAY_S + 5.0)
    made = partitions.make_ahead(database, (today - 2) * DAY_S)
    assert len(made) == 2 * (partitions.AHEAD_DAYS + 1)
    assert partitions.make_ahead(database, (today - 2) * DAY_S) == []
    store(database, (today - 2) * DAY_S + 5.0, (today - 1) * DAY_S + 5.0, today * DAY_S + 5.0)
    assert rows_by_partition(database) == {f"telemetry_d{today - back}": 1 for back in range(3)} | {"telemetry_default": 1}
    retention.trim(database, "telemetry", older_than=(today - 1) * DAY_S, budget=retention.RowBudget(10**9))
    assert rows_by_partition(database) == {f"telemetry_d{today - back}": 1 for back in range(2)}


def test_day_that_began_without_a_partition_stays_where_it_is(database: Database) -> None:
    """Nothing is refused, and nothing fails when the partition would come too late."""
    today = int(time.time()) // DAY_S
    store(database, today * DAY_S + 5.0)
    made = partitions.make_ahead(database, today * DAY_S)
    assert f"telemetry_d{today}" not in made
    assert f"telemetry_d{today + 1}" in made
    assert rows_by_partition(database) == {"telemetry_default": 1}


def test_sums_miss_nothing_that_is_being_written(database: Database) -> None:
    """A sample whose transaction began first and ends last has a smaller number than one that was summed up already."""
    with database.ingest_transaction() as connection:
        ingest.add_device(raw(connection), "d", 1.0)
    started, resume = threading.Event(), threading.Event()

    def slow() -> None:
        with database.ingest_transaction() as connection:
            ingest.add_samples(raw(connection), [("d", 60.0, 60.0, '{"at": 60, "cpu_percent": 1.0}')])
            started.set()
            resume.wait(120.0)

    writer = threading.Thread(target=slow)
    writer.start()
    assert started.wait(120.0)
    with database.ingest_transaction() as connection:
        ingest.add_samples(raw(connection), [("d", 61.0, 61.0, '{"at": 61, "cpu_percent": 1.0}')])
    summed: list[int] = []
    summing = threading.Thread(target=lambda: summed.append(rollups.turn(database)))
    summing.start()
    resume.set()
    writer.join(30.0)
    summing.join(30.0)
    assert sum(summed) + rollups.turn(database) == 2


def test_one_leads_and_its_successor_shuts_it_out(database: Database) -> None:
    """Two stand for election; a term that is over cannot write, whether its holder knows it or not."""
    first = leader.begin(database.url)
    assert first is not None
    assert first.holds()
    assert leader.begin(database.url) is None
    first.end()
    assert not first.holds()
    second = eventually("the lock of the ended connection is free", lambda: leader.begin(database.url))
    assert second.number == first.number + 1
    stale = database.checked(first.check)
    with pytest.raises(StoreError, match="another process leads"), stale.write() as connection:
        ingest.add_device(raw(connection), "ghost", 1.0)
    with database.checked(second.check).write() as connection:
        assert not ingest.device_exists(raw(connection), "ghost")
    second.end()


def test_news_reach_the_others_and_not_oneself(database: Database) -> None:
    """Whatever their size."""
    received: list[ClusterMessage] = []
    own: list[ClusterMessage] = []
    here, there = NotificationChannel(database.url, own.append), NotificationChannel(database.url, received.append)
    many = frozenset(f"{'x' * 55}-{number}" for number in range(NAMES_MAX * 3))
    here.start()
    there.start()
    deadline = time.monotonic() + 120
    while not any(news.wake for news in received):
        assert time.monotonic() < deadline
        here.send(ClusterMessage(touched=many, wake=True, changed=frozenset({7})))
        time.sleep(0.2)
    here.close()
    there.close()
    assert frozenset().union(*(news.touched for news in received)) <= many
    assert all(news.changed == {7} for news in received if news.wake)
    assert own == []


def test_news_come_in_pieces_that_fit() -> None:
    """Nothing is lost in between."""
    news = ClusterMessage(touched=frozenset(map(str, range(200))), greet=frozenset({"d"}), wake=True)
    joined = ClusterMessage()
    for part in parts(news):
        joined = joined.joined(part)
    assert joined == news
