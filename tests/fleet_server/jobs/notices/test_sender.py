"""Every kind of recipient gets its notices in the format that its service documents: an alert that begins, ends, and a test."""

from __future__ import annotations

import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from edgefleet_server.db.alerting.recipients import recipient_of
from edgefleet_server.domain.notices.notice import Notice, notice_of, notice_of_test
from edgefleet_server.domain.notices.recipients import KINDS, Kind, Recipient, checked
from edgefleet_server.jobs.notices import mailer as mailer_module
from edgefleet_server.jobs.notices.mailer import Mailer
from edgefleet_server.jobs.notices.sender import PUSH_KEY_SEED, TEST_S, Delivery, NoticeSender
from tests.fleet_server.jobs.notices import stand_ins
from tests.fleet_server.jobs.notices.stand_ins import Browser, Mailbox, StandIn, serving

AT = 1_795_760_000.0
SITE = "https://fleet.example.org"
ALERT: dict[str, Any] = {
    "id": 17, "rule": 3, "rule_name": "hot <&> *cabinet*", "severity": "critical", "subject": "dev-1/door", "device": "dev-1",
    "pipeline": "door", "rollout": None, "text": "temperature c 91, above the limit of 80 & <rising>", "value": 91.0,
    "began_at": AT, "ended_at": None, "acknowledged_at": None, "acknowledged_by": "",
}  # fmt: skip


def notices(**alert: Any) -> list[Notice]:
    """Begin and end of an alert, and a test."""
    began = {"what": "began", **ALERT, **alert}
    ended = {**began, "what": "ended", "ended_at": AT + 600.0}
    return [notice_of(began, SITE), notice_of(ended, SITE), notice_of_test("on call", "ada", AT, SITE)]


@pytest.fixture
def sender() -> NoticeSender:
    return NoticeSender(PUSH_KEY_SEED, site=SITE)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def sent(sender: NoticeSender, service: StandIn, recipient: Recipient, *which: Notice) -> list[Any]:
    """The messages that the service took; it refuses nothing."""
    for notice in which or notices():
        assert sender.send(recipient, notice) == Delivery(), service.refused
    return service.json()


def test_slack(sender: NoticeSender, stack: ExitStack) -> None:
    """Title with a link, what is the case, and since when."""
    service = stack.enter_context(serving(stand_ins.slack))
    recipient = Recipient(1, "on call", "slack", secret=f"{service.url}/services/T0/B0/s3cret")
    began, ended, test = sent(sender, service, recipient)
    assert began["text"].startswith("Critical: hot &lt;&amp;&gt; *cabinet*, dev-1/door: temperature c 91")
    assert began["blocks"][0]["text"]["text"].startswith(f":red_circle: *<{SITE}/devices/dev-1|Critical: ")
    assert ended["text"].startswith("Resolved: ")
    assert "(over after 10 min)" in ended["text"]
    assert test["text"] == "Test: notifications to on call: This is a test by ada. Alerts of the fleet arrive here."
    (plain,) = sent(NoticeSender(PUSH_KEY_SEED), service, recipient, notice_of({"what": "began", **ALERT}))[3:]
    assert "http" not in json.dumps(plain)


def test_teams(sender: NoticeSender, stack: ExitStack) -> None:
    """An adaptive card with a button that leads to the device."""
    service = stack.enter_context(serving(stand_ins.teams))
    address = f"{service.url}/workflows/9/triggers/manual/paths/invoke?sig=s3cret"
    cards = sent(sender, service, Recipient(1, "on call", "teams", secret=address))
    contents = [message["attachments"][0]["content"] for message in cards]
    assert [card["body"][0]["text"].split(":")[0] for card in contents] == ["Critical", "Resolved", "Test"]
    assert [card["body"][0]["color"] for card in contents] == ["Attention", "Good", "Accent"]
    assert contents[0]["body"][0]["text"].endswith("hot <&> \\*cabinet\\*, dev-1/door")
    assert contents[0]["actions"][0]["url"] == f"{SITE}/devices/dev-1"


def test_pagerduty(sender: NoticeSender, stack: ExitStack) -> None:
    """The end resolves the incident of the start, and no other; a test leaves no incident."""
    service = stack.enter_context(serving(stand_ins.pagerduty))
    recipient = Recipient(1, "on call", "pagerduty", f"{service.url}/v2/enqueue", stand_ins.ROUTING_KEY)
    began, ended, test, test_over = sent(sender, service, recipient)
    assert [event["event_action"] for event in (began, ended, test, test_over)] == ["trigger", "resolve", "trigger", "resolve"]
    assert began["dedup_key"] == ended["dedup_key"] != test["dedup_key"] == test_over["dedup_key"]
    assert (began["payload"]["source"], began["payload"]["severity"]) == ("dev-1", "critical")
    assert began["payload"]["timestamp"] == "2026-11-27T06:13:20.000+00:00"
    other = sent(sender, service, recipient, notices(id=18)[0])[-1]
    assert other["dedup_key"] != began["dedup_key"]


@pytest.mark.parametrize(("severity", "priority"), [("critical", 5), ("warning", 4), ("info", 3)])
def test_ntfy(sender: NoticeSender, stack: ExitStack, severity: str, priority: int) -> None:
    """Priority and sign by severity; a click leads to the device."""
    service = stack.enter_context(serving(stand_ins.ntfy))
    recipient = Recipient(1, "on call", "ntfy", service.url, "tk_s3cret", topic="fleet-7")
    began, ended, test = sent(sender, service, recipient, *notices(severity=severity))
    assert (began["topic"], began["priority"], ended["priority"], test["priority"]) == ("fleet-7", priority, 3, 3)
    assert ended["tags"] == ["white_check_mark"]
    assert began["click"] == f"{SITE}/devices/dev-1"


def test_long_texts_fit(sender: NoticeSender, stack: ExitStack) -> None:
    """A reason of any length and script is cut to what each service takes."""
    (long, *_) = notices(text="\x01é&<漢*" * 5_000, rule_name="n" * 120)
    browser = Browser(sender.push_key.public)
    for kind, check, path in (
        ("slack", stand_ins.slack, "/services/T0/B0/s3cret"),
        ("teams", stand_ins.teams, "/workflows/9/triggers/manual/paths/invoke?sig=s3cret"),
        ("pagerduty", stand_ins.pagerduty, "/v2/enqueue"),
        ("ntfy", stand_ins.ntfy, ""),
        ("push", browser.push, "/send/one"),
    ):
        service = stack.enter_context(serving(check))
        browser.service = service.url
        secret = {"ntfy": "tk_s3cret", "pagerduty": stand_ins.ROUTING_KEY, "push": browser.secret}.get(kind, service.url + path)
        recipient = Recipient(1, "x", kind, service.url + path, secret, topic="t", key=browser.key)  # type: ignore[arg-type]
        assert sender.send(recipient, long) == Delivery(), (kind, service.refused)


@pytest.mark.parametrize("kind", KINDS)
def test_the_test_of_every_kind_arrives(sender: NoticeSender, stack: ExitStack, kind: Kind) -> None:
    """A recipient with the settings that a person enters gets the test of the button, in the format of its service."""
    browser, mailbox = Browser(sender.push_key.public), Mailbox()
    services: dict[Kind, stand_ins.Check] = {
        "webhook": stand_ins.webhook, "slack": stand_ins.slack, "teams": stand_ins.teams, "pagerduty": stand_ins.pagerduty,
        "ntfy": stand_ins.ntfy, "push": browser.push,
    }  # fmt: skip
    url = ""
    if kind == "email":
        port = free_port()
        sender.mailer = Mailer(f"smtp://127.0.0.1:{port}", "edgefleet@example.org")
        stack.enter_context(stand_ins.mail_server(mailbox, port))
    else:
        service = stack.enter_context(serving(services[kind]))
        browser.service = url = service.url
    settings: dict[Kind, dict[str, Any]] = {
        "webhook": {"url": f"{url}/hook", "secret": stand_ins.WEBHOOK_SECRET},
        "email": {"emails": ["ops@example.org"]},
        "slack": {"secret": f"{url}/services/T0/B0/s3cret"},
        "teams": {"secret": f"{url}/workflows/9/triggers/manual/paths/invoke?sig=s3cret"},
        "pagerduty": {"url": f"{url}/v2/enqueue", "secret": stand_ins.ROUTING_KEY},
        "ntfy": {"url": url, "topic": "fleet-7", "secret": "tk_s3cret"},
        "push": {"url": f"{url}/send/one", "key": browser.key, "secret": browser.secret},
    }
    record = {"name": "on call", "kind": kind, "settings": checked(kind, settings[kind]), "groups": [], "severities": []}
    recipient = recipient_of({"id": 1, "enabled": True, "since_at": 0.0, **record})
    assert sender.send(recipient, notice_of_test("on call", "ada", AT, SITE), TEST_S) == Delivery()
    if kind == "email":
        assert [(mail["To"], mail["Subject"]) for mail in mailbox.got] == [
            ("ops@example.org", "[edgefleet] Test: notifications to on call")
        ]
    elif kind == "push":
        assert [notice["title"] for notice in browser.notices] == ["Test: notifications to on call"]
    else:
        assert b"test by ada" in service.got[0][2]


def test_browser_reads_its_notices(sender: NoticeSender, stack: ExitStack) -> None:
    """Encrypted for it, identified by the server's key; one that has unsubscribed is found out."""
    browser = Browser(sender.push_key.public)
    service = stack.enter_context(serving(browser.push))
    browser.service = service.url
    recipient = Recipient(1, "ada's phone", "push", f"{service.url}/send/one", browser.secret, key=browser.key)
    for notice in notices():
        assert sender.send(recipient, notice) == Delivery(), service.refused
    began, ended, test = browser.notices
    assert (began["tag"], began["path"], began["over"]) == ("alert-17", "/devices/dev-1", False)
    assert (ended["tag"], ended["over"]) == ("alert-17", True)
    assert test["title"] == "Test: notifications to on call"
    assert [headers["urgency"] for _, headers, _ in service.got] == ["high", "high", "low"]
    assert NoticeSender(PUSH_KEY_SEED).push_key.public == sender.push_key.public
    assert NoticeSender("another server").send(recipient, notices()[0]).error.startswith("browser returned status 400")
    browser.is_subscribed = False
    last = sender.send(recipient, notices()[0])
    assert (last.is_unsubscribed, last.is_final) == (True, True)


def test_reason_of_a_refusal_without_the_secret(sender: NoticeSender, stack: ExitStack) -> None:
    """The service says it, however long its answer; a service that repeats the secret does not reveal it."""
    wrong = "f" * 32
    service = stack.enter_context(serving(stand_ins.pagerduty))
    error = sender.send(Recipient(1, "x", "pagerduty", f"{service.url}/v2/enqueue", wrong), notices()[0]).error
    assert error.startswith("PagerDuty returned status 400:")
    assert "Event object is invalid" in error
    assert wrong not in error
    slack = stack.enter_context(serving(stand_ins.slack))
    assert sender.send(Recipient(1, "x", "slack", secret=f"{slack.url}/services/x"), notices()[0]) == Delivery(
        "Slack returned status 404: no_service"
    )
    endless = stack.enter_context(serving(lambda *_: (500, b"x" * 10_000_000)))
    assert len(sender.send(Recipient(1, "x", "ntfy", endless.url, topic="t"), notices()[0]).error) < 400
    error = sender.send(Recipient(1, "x", "slack", secret=f"http://127.0.0.1:{free_port()}/services/s3cret"), notices()[0]).error
    assert error
    assert "s3cret" not in error


def test_a_receiver_that_does_not_speak_http(sender: NoticeSender) -> None:
    """Its answer is at fault, not the request."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def babble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        webhook = Recipient(1, "x", "webhook", f"http://127.0.0.1:{server.getsockname()[1]}/hook")
        assert sender.send(webhook, notices()[0]).error == "the answer is not HTTP; check the address of the receiver"
        thread.join()


# -- mail


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of 127.0.0.1, signed by itself."""
    folder = tmp_path_factory.mktemp("mail")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail")])
    now = datetime.now(timezone.utc)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "mail.crt").write_bytes(made.public_bytes(pem))
    plain = serialization.NoEncryption()
    (folder / "mail.key").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return folder / "mail.crt", folder / "mail.key"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


MAIL = Recipient(1, "on call", "email", emails=("ops@example.org", "night@example.org"))


@pytest.mark.parametrize("scheme", ["smtp", "smtps", "smtp+starttls"])
def test_mail(sender: NoticeSender, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    """One message for all addresses: in the clear, with TLS, or with STARTTLS and a sign-in; TLS is always checked."""
    mailbox, port = Mailbox(), free_port()
    user = "fleet:p%40ss%3Aword@" if scheme == "smtp+starttls" else ""
    sender.mailer = Mailer(f"{scheme}://{user}127.0.0.1:{port}", "edgefleet@example.org")
    tls = None if scheme == "smtp" else certificate
    with stand_ins.mail_server(mailbox, port, tls, starttls=scheme == "smtp+starttls"):
        if tls is not None:
            assert "certificate verify failed" in sender.send(MAIL, notices()[0]).error
            context = ssl.create_default_context(cafile=str(certificate[0]))
            monkeypatch.setattr(mailer_module.ssl, "create_default_context", lambda: context)
        for notice in notices():
            assert sender.send(MAIL, notice) == Delivery()
    began, ended, test = mailbox.got
    assert (began["From"], began["To"]) == ("edgefleet@example.org", "ops@example.org, night@example.org")
    assert began["Subject"] == "[edgefleet] hot <&> *cabinet*: dev-1/door began"
    assert ended["Subject"].endswith("dev-1/door ended")
    assert began["Date"]
    assert len({began["Message-ID"], ended["Message-ID"], test["Message-ID"]}) == 3
    assert began["Auto-Submitted"] == "auto-generated"
    text = str(ended.get_payload(decode=True), "utf-8")
    assert "since 2026-11-27 06:13:20 UTC" in text
    assert "until 2026-11-27 06:23:20 UTC" in text
    assert f"{SITE}/devices/dev-1" in text
    assert "This is a test by ada" in str(test.get_payload())
    assert mailbox.sign_ins == ([(b"fleet", b"p@ss:word")] * 3 if user else [])


def test_mail_that_one_address_does_not_get(sender: NoticeSender) -> None:
    """The other one has it, so it is not sent again; a refused password says so, and is not shown."""
    mailbox, port = Mailbox(refused="night@example.org"), free_port()
    sender.mailer = Mailer(f"smtp://127.0.0.1:{port}", "edgefleet@example.org")
    with stand_ins.mail_server(mailbox, port):
        assert sender.send(MAIL, notices()[0]) == Delivery("the mail server refused night@example.org", is_final=True)
        assert len(mailbox.got) == 1
        assert "no such user" in sender.send(Recipient(1, "x", "email", emails=("night@example.org",)), notices()[0]).error
    sender.mailer = None
    assert "--smtp" in sender.send(MAIL, notices()[0]).error
