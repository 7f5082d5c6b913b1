"""The dashboard over ten thousand devices that change two hundred times a second: how soon it shows something, how fast it
filters, what it keeps in memory, and what fifty open ones cost the server.

    python -m benchmarks.fleet.dashboard [--devices 10000] [--connected 500] [--per-second 200] [--minutes 10] [--json]

The devices are in the database; some of them are connected and send all the samples. Server, broker, devices, browser and the
fifty visitors share this machine, so its load is reported with the figures. The page
measures its times itself: from the start of the navigation to the frame after the first row, and from the click to the
frame after the list has changed. A visitor sends the requests of the fleet page: the live stream with its topics, and the lists
and alerts as often as the page renews them. The dashboard has to be built.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright
from sqlalchemy import insert, update
from sqlmodel import col

from benchmarks.fleet.scale import Bench
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.tables.core import DeviceLast, DeviceRecord, DeviceSlot
from edgefleet_server.db.telemetry import ingest
from tests.fleet_server.dashboard.conftest import CHROMIUM_FLAGS, find_chromium

LOADS: Final = 3
CPU_S: Final = 30.0
MEMORY_EVERY_S: Final = 20.0
LISTS_EVERY_S: Final = 4.0
ALERTS_EVERY_S: Final = 30.0
FIRST_ROW: Final = """
window.firstRow = new Promise((tell) => {
  const look = () => {
    if (!document.querySelector('table[aria-label="Devices"] tbody tr')) return false;
    requestAnimationFrame(() => tell(performance.now()));
    return true;
  };
  new MutationObserver((_, watch) => look() && watch.disconnect()).observe(document, {childList: true, subtree: true});
});
"""
CHANGED: Final = """
(act) => new Promise((tell) => {
  const count = () => document.querySelector('[aria-live=polite]')?.textContent;
  const before = count();
  const began = performance.now();
  const watch = new MutationObserver(() => {
    if (count() === before || count() === undefined) return;
    watch.disconnect();
    requestAnimationFrame(() => tell(performance.now() - began));
  });
  watch.observe(document.body, {childList: true, subtree: true, characterData: true});
  document.querySelector(act).click();
})
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The dashboard over a large fleet.")
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--connected", type=int, default=500, help="of them; the others are in the database, away")
    parser.add_argument("--per-second", type=float, default=200.0, help="samples of all devices together")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long the tab's memory is watched")
    parser.add_argument("--streams", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with ExitStack() as undo:
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        _say("the database is filled")
        _seed(folder / "fleet", given.devices - given.connected)
        _say("the server starts")
        bench = Bench(folder, undo)
        _say(f"{given.connected} devices connect")
        bench.start_swarm(given.connected, given.connected / given.per_second)
        known = {name: getattr(given, name) for name in ("devices", "connected", "per_second")}
        found: dict[str, Any] = {**known, "load": [_load()]}
        playwright = undo.enter_context(sync_playwright())
        flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        undo.callback(browser.close)
        _say("pages open")
        found["first_row_ms"] = _first_rows(browser, bench.url)
        _say("lists are filtered")
        found["filter_ms"] = _filters(browser, bench.url)
        found["load"].append(_load())
        _say(f"{given.streams} dashboards watch")
        found["streams"] = _streams(bench, given.streams)
        found["load"].append(_load())
        _say(f"a tab stays open for {given.minutes:g} minutes")
        found["tab"] = _memory(browser, bench.url, given.minutes)
        found["load"].append(_load())
        found["server_rss_mb"] = round(bench.rss_mb(), 1)
    _print(found, given)


def _seed(data: Path, devices: int) -> None:
    """Write known devices to the database: labelled, offline, with their last version and report."""
    data.mkdir()
    database = Database(data / "fleet.db")
    database.migrate()
    ran = {"slot": "detector", "phase": "committed", "running_package": "ballast"}
    with database.write() as connection:
        for number in range(devices):
            name = f"away-{number:05d}"
            ingest.add_device(raw(connection), name, 1.0)
            labels = {"site": f"site-{number % 40:02d}", "ring": "canary" if number % 20 == 0 else "main"}
            connection.execute(update(DeviceRecord).where(col(DeviceRecord.id) == name).values(profile="cpu-x86", labels=labels))
            last = {"last_seen_at": time.time() - number, "fps": 10.0, "latency_p95_ms": 20.0 + number % 50}
            connection.execute(update(DeviceLast).where(col(DeviceLast.device) == name).values(last))
            version = f"1.{number % 4}.0"
            connection.execute(insert(DeviceSlot), {**ran, "device": name, "running_version": version, "running_digest": version})
    database.close()


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}, load {_load()}", file=sys.stderr, flush=True)


def _load() -> float:
    return round(os.getloadavg()[0], 1)


def _open(browser: Browser, url: str) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_init_script(FIRST_ROW)
    page = context.new_page()
    page.goto(url)
    return page


def _first_rows(browser: Browser, url: str) -> list[float]:
    """Milliseconds until the first row in a browser with an empty cache."""
    found = []
    for _ in range(LOADS):
        page = _open(browser, url)
        found.append(round(page.evaluate("window.firstRow"), 0))
        page.context.close()
    return found


def _filters(browser: Browser, url: str) -> dict[str, list[float]]:
    """Milliseconds from the click on a number of the health strip, or from the last key of a search, to the changed list."""
    page = _open(browser, url)
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    clicks = [
        round(page.evaluate(CHANGED, f"[role=group] button[data-tone]:nth-of-type({which})"), 0) for which in (4, 4) * LOADS
    ]
    pages = []
    for _ in range(LOADS):
        pages.append(_turn(page, "away-0001"))
        pages.append(_turn(page, ""))
    page.context.close()
    return {"health_number": clicks, "search": pages}


def _turn(page: Page, text: str) -> float:
    """Milliseconds from typing to the list, the pause in which the page waits for the next key (100 ms) included."""
    status = page.locator("[aria-live=polite]").first
    before = status.inner_text()
    began = time.monotonic()
    page.get_by_role("textbox", name="Search devices").fill(text)
    expect(status).not_to_have_text(before)
    return round(1000 * (time.monotonic() - began), 0)


def _memory(browser: Browser, url: str, minutes: float) -> dict[str, Any]:
    """The tab's heap after a collection, in megabytes, and its size on the screen in nodes."""
    page = _open(browser, url)
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    heap = []
    deadline = time.monotonic() + 60 * minutes
    while time.monotonic() < deadline:
        page.wait_for_timeout(1000 * MEMORY_EVERY_S)
        heap.append(_heap_mb(session))
    page.context.close()
    half = len(heap) // 2
    return {"heap_mb": heap, "first_half_mb": _middle(heap[:half]), "second_half_mb": _middle(heap[half:])}


def _middle(values: list[float]) -> float:
    return round(statistics.median(values), 2) if values else 0.0


def _heap_mb(session: CDPSession) -> float:
    session.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return round(metrics["JSHeapUsedSize"] / 1e6, 2)


def _streams(bench: Bench, count: int) -> dict[str, float]:
    """Share of a core that the server uses without and with `count` open dashboards."""
    alone = _cpu_percent(bench)
    closing = threading.Event()
    visitors = [
        threading.Thread(target=_visit, args=(bench.url, closing, number / count), daemon=True) for number in range(count)
    ]
    for one in visitors:
        one.start()
    time.sleep(10.0)
    together = _cpu_percent(bench)
    closing.set()
    for one in visitors:
        one.join(20.0)
    return {
        "count": count,
        "server_alone_percent": alone,
        "server_with_percent": together,
        "dashboards_percent": round(together - alone, 1),
    }


def _visit(url: str, closing: threading.Event, phase: float) -> None:
    """Send the requests of an open fleet page until `closing` is set."""
    endpoints = [("/devices?size=25&sort=id", LISTS_EVERY_S), ("/alerts?open=true&limit=200", ALERTS_EVERY_S)]
    due = [time.monotonic() + every * phase for _, every in endpoints]
    with ExitStack() as undo:
        client = undo.enter_context(httpx.Client(base_url=f"{url}/api/v1", timeout=60.0))
        answer = undo.enter_context(client.stream("GET", "/stream", params={"topics": "devices,overview,rollouts"}))
        for _ in answer.iter_raw():
            if closing.is_set():
                return
            for at, (path, every) in enumerate(endpoints):
                if time.monotonic() >= due[at]:
                    client.get(path).read()
                    due[at] = time.monotonic() + every


def _cpu_percent(bench: Bench) -> float:
    """CPU use of the server's process in percent of one core, averaged over some seconds, without its broker."""
    ticks = os.sysconf("SC_CLK_TCK")

    def used_s() -> float:
        fields = Path(f"/proc/{bench.server_pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    before, began = used_s(), time.monotonic()
    time.sleep(CPU_S)
    return round(100 * (used_s() - before) / (time.monotonic() - began), 1)


def _print(found: dict[str, Any], given: argparse.Namespace) -> None:
    if given.json:
        json.dump(found, sys.stdout, indent=1)
        return
    first, filters, tab, streams = found["first_row_ms"], found["filter_ms"], found["tab"], found["streams"]
    lines = [
        ("first row, cold browser, median (goal < 1000 ms)", f"{statistics.median(first):.0f} ms, worst {max(first):.0f}"),
        ("filter by a health number, median (goal < 300 ms)", f"{statistics.median(filters['health_number']):.0f} ms"),
        ("search, with its pause of 100 ms, median (goal < 300 ms)", f"{statistics.median(filters['search']):.0f} ms"),
        ("tab's heap, first and second half", f"{tab['first_half_mb']} and {tab['second_half_mb']} MB"),
        (
            f"{streams['count']} dashboards (goal < 50 % of a core)",
            f"{streams['dashboards_percent']} % (server {streams['server_alone_percent']} → {streams['server_with_percent']} %)",
        ),
        ("load of the machine, before each part", ", ".join(map(str, found["load"]))),
    ]
    for what, value in lines:
        print(f"{what:60} {value}")


if __name__ == "__main__":
    main()
