"""Notices in a real browser: its service worker shows the server's content, a click opens the page, a refusal is readable.

The push service of the browser's vendor is left out: the DevTools protocol hands the worker the content that the service would,
after decryption. `test_web_push.py` and `test_sender.py` check the encryption.
"""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import CDPSession, Page, Worker, expect

from edgefleet_server.domain.notices import web_push
from edgefleet_server.domain.notices.notice import Notice
from edgefleet_server.domain.notices.recipients import Recipient
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.jobs.notices.test_sender import notices

pytestmark = pytest.mark.system

BLOCKED = "Notifications of this page are blocked; allow them in the settings of the browser"
RECORD = """() => {
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, { body, tag, data }) => { self.shown.push({ title, body, tag, ...data }); };
  self.clients.openWindow = async (address) => { self.opened.push(address); return null; };
}"""
"""The headless shell shows no notifications: texts and addresses are noted where they would appear."""
CLICK = """(path) => {
  const event = new ExtendableEvent("notificationclick");
  const notification = { close: () => self.opened.push("closed"), data: { path } };
  event.waitUntil = () => undefined;
  self.dispatchEvent(Object.assign(event, { notification }));
}"""
FILLED = """async ([name, count]) => {
  while (self[name].length < count) await new Promise((next) => setTimeout(next, 20));
  return self[name];
}"""


def content(notice: Notice, monkeypatch: pytest.MonkeyPatch) -> str:
    """The content that the server encrypts for a browser."""
    plain: list[bytes] = []

    def note(text: bytes, *_keys: object) -> bytes:
        plain.append(text)
        return b""

    monkeypatch.setattr(web_push, "encrypted", note)
    recipient = Recipient(1, "b", "push", "https://push.example/1", "AA", key="AA")
    once = (ec.generate_private_key(ec.SECP256R1()), bytes(16))
    web_push.push_request(recipient, notice, web_push.ServerKey("s"), "mailto:a@b", 1.0, once)
    return plain[0].decode()


def deliver(devtools: CDPSession, page: Page, address: str, data: str) -> Worker:
    """Hand the data to the worker of the page, as the push service does; returns the worker, which notes what it shows."""
    found: list[str] = []

    def on_registrations(seen: dict[str, list[dict[str, str]]]) -> None:
        found.extend(each["registrationId"] for each in seen["registrations"])

    devtools.on("ServiceWorker.workerRegistrationUpdated", on_registrations)
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready).then(() => 1)")
    while not found:
        page.wait_for_timeout(20)
    (worker,) = page.context.service_workers
    worker.evaluate(RECORD)
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": address, "registrationId": found[0], "data": data})
    return worker


def test_worker_shows_what_the_server_sends_and_a_click_opens_its_page(
    address: str, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(address, "/alerts", service_workers="allow")
    devtools = page.context.new_cdp_session(page)
    sent = content(notices()[0], monkeypatch)
    worker = deliver(devtools, page, address, sent)
    expected = json.loads(sent)
    assert worker.evaluate(FILLED, ["shown", 1]) == [{name: expected[name] for name in ("title", "body", "tag", "path")}]
    worker.evaluate(CLICK, expected["path"])
    assert worker.evaluate(FILLED, ["opened", 2]) == ["closed", address + expected["path"]]


def test_a_browser_that_blocks_notices_gets_a_readable_reason(address: str, open_page: OpenPage) -> None:
    page = open_page(address, "/alerts", service_workers="allow")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Browser.setPermission", {"permission": {"name": "notifications"}, "setting": "denied", "origin": address})
    page.get_by_role("button", name="This browser").click()
    expect(page.get_by_text(BLOCKED)).to_be_visible()
