"""An operator who changes something all the time through the REST API, and remembers each answer."""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
from collections.abc import Callable
from typing import Any

import httpx

from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import order
from tests.fleet_server.fakes.trust_metadata import request
from tests.power_loss.promises import Promises

PASSWORD = "a long enough one for the tests"
GOAL = {"all": True}


class RefusedError(Exception):
    """The server did not do it, and promises nothing."""


class OperatorLoad:
    """The operator in a thread of its own; a context manager. `base_url` is asked before each action: the server may have been
    started again. Signs in as the admin that it creates with the setup `code`."""

    def __init__(self, base_url: Callable[[], str], code: str, promises: Promises, devices: int, seed: int) -> None:
        self._base_url = base_url
        self._code = code
        self._promises = promises
        self._devices = devices
        self._chance = random.Random(seed)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="operator-load", daemon=True)
        self._numbers = itertools.count(1)
        self.token = ""
        self._session: dict[str, str] = {}
        self._packages: list[str] = []
        self._rollouts: dict[int, str] = {}
        self.failed: BaseException | None = None
        self.refused = 0

    def __enter__(self) -> OperatorLoad:
        self._begin()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join(30.0)

    def _work(self) -> None:
        try:
            actions = [
                self._user, self._lock, self._lock, self._package, self._upload, self._rotate, self._rollout, self._move,
                self._move, self._move, self._setting, self._rule, self._group, self._channel, self._api_token, self._enrolment,
                self._enrol,
            ]  # fmt: skip
            while not self._closing.is_set():
                self._try(self._chance.choice(actions))
        except BaseException as error:  # the test raises it
            self.failed = error
            raise

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except RefusedError:
            self.refused += 1
        except (httpx.TransportError, FileNotFoundError):  # killed, not yet started: without an answer, nothing is promised
            self._closing.wait(0.2)

    def _begin(self) -> None:
        with httpx.Client(base_url=self._base_url(), timeout=60.0) as client:
            admin = client.post("/setup", json={"code": self._code, "name": "ada", "password": PASSWORD})
            assert admin.status_code == 201, admin.text
            made = client.post("/api-tokens", json={"name": "load", "role": "admin"})
            assert made.status_code == 201, made.text
            self.token, self._session = made.json()["secret"], dict(client.cookies)
        self._package()

    def _call(self, method: str, path: str, action: str, **more: Any) -> Any:
        """An answer of the server; its audit entry is promised with it."""
        headers = {"Authorization": f"Bearer {self.token}", **more.pop("headers", {})}
        answer = httpx.request(method, self._base_url() + path, timeout=60.0, headers=headers, **more)
        if answer.status_code in (409, 422) and path.startswith("/rollouts"):
            raise RefusedError(answer.text)  # another rollout has the device, or it was never there
        assert answer.status_code < 400, f"{method} {path}: {answer.status_code} {answer.text}"
        if method != "GET":
            self._promises.audit(action, path)
        return answer.json() if answer.content else None

    # -- actions

    def _user(self) -> None:
        name = f"user-{next(self._numbers)}"
        with self._promises.change("user", name, "viewer"):
            self._call("POST", "/users", "create_user", json={"name": name, "role": "viewer", "password": PASSWORD})

    def _lock(self) -> None:
        device = f"load-{self._chance.randrange(3):04d}x"
        with self._promises.change("locked", device, "yes"):
            self._call("PUT", f"/devices/{device}/block", "block_device", json={"reason": "stolen"})
        if self._chance.random() < 0.5:
            with self._promises.change("locked", device, "no"):
                self._call("DELETE", f"/devices/{device}/block", "unblock_device")

    def _package(self) -> None:
        version = f"1.0.{next(self._numbers)}"
        archive = tar(files("spotter", version, size=self._chance.choice((20_000, 700_000))))
        with self._promises.change("package", f"spotter/{version}", "stored"):
            self._call("POST", "/models", "push_model", files={"package": ("package.tar", archive, "application/x-tar")})
        self._packages.append(version)

    def _upload(self) -> None:
        version = f"2.0.{next(self._numbers)}"
        archive = tar(files("spotter", version, size=90_000))
        body = {"length_bytes": len(archive), "sha256": hashlib.sha256(archive).hexdigest()}
        upload = self._call("POST", "/uploads", "begin_upload", json=body)["id"]
        self._promises.confirm("upload", upload, "0")
        for offset in range(0, len(archive), 40_000):
            piece = archive[offset : offset + 40_000]
            with self._promises.change("upload", upload, str(offset + len(piece))):
                path = f"/uploads/{upload}?offset_bytes={offset}"
                headers = {"Authorization": f"Bearer {self.token}", "content-type": "application/octet-stream"}
                answer = httpx.patch(self._base_url() + path, timeout=60.0, headers=headers, content=piece)
                assert answer.status_code < 400, answer.text
        with (
            self._promises.change("upload", upload, "finished"),
            self._promises.change("package", f"spotter/{version}", "stored"),
        ):
            self._call("POST", f"/uploads/{upload}/finish", "finish_upload")

    def _rotate(self) -> None:
        role = self._chance.choice(("timestamp", "snapshot", "targets", "root"))
        answer = self._call("POST", "/trust/rotate", "rotate_trust_key", json={"role": role})
        root = next(row for row in answer["roles"] if row["role"] == "root")
        self._promises.confirm("trust", "root", str(root["version"]))

    def _rollout(self) -> None:
        name = f"campaign {next(self._numbers)}"
        version = self._chance.choice(self._packages)
        body = order("spotter", version, [{"name": "all"}], start=False, wave_timeout_s=3600.0)
        body["name"] = name
        body["selector"] = {"ids": [f"load-{self._chance.randrange(self._devices):04d}"]}
        made = self._call("POST", "/rollouts", "create_rollout", json=body)
        self._promises.confirm("rollout", str(made["id"]), made["state"])
        self._rollouts[made["id"]] = "draft"

    def _move(self) -> None:
        """The next order to a rollout."""
        ways = {"draft": ["start", "abort"], "running": ["pause", "abort"], "paused": ["resume", "abort"]}
        ends = {"start": "running", "pause": "paused", "resume": "running", "abort": "aborted"}
        names = {"start": "start_rollout", "pause": "pause_rollout", "resume": "resume_rollout", "abort": "abort_rollout"}
        open_ones = [number for number, state in self._rollouts.items() if state in ways]
        if not open_ones:
            return
        number = self._chance.choice(open_ones)
        verb = self._chance.choice(ways[self._rollouts[number]])
        with self._promises.change("rollout", str(number), ends[verb]):
            self._call("POST", f"/rollouts/{number}/{verb}", names[verb])
        self._rollouts[number] = ends[verb]

    def _setting(self) -> None:
        value = float(self._chance.randrange(125_000, 10_000_000))
        with self._promises.change("setting", "block_bytes_per_s", f"{value:.0f}"):
            self._call("PATCH", "/settings", "change_settings", json={"values": {"block_bytes_per_s": value}})

    def _rule(self) -> None:
        name = f"rule {next(self._numbers)}"
        body = {"name": name, "rule": {"kind": "absence", "for_s": 3600.0}}
        with self._promises.change("rule", name, "yes"):
            made = self._call("POST", "/alert-rules", "create_alert_rule", json=body)
        if self._chance.random() < 0.5:
            with self._promises.change("rule", name, "no"):
                self._call("DELETE", f"/alert-rules/{made['id']}", "delete_alert_rule")

    def _group(self) -> None:
        name = f"group-{next(self._numbers)}"
        with self._promises.change("group", name, "yes"):
            self._call("PUT", f"/groups/{name}", "put_group", json={"selector": GOAL, "note": "all of them"})

    def _channel(self) -> None:
        version = self._chance.choice(self._packages)
        with self._promises.change("channel", "spotter/stable", version):
            self._call("PUT", "/channels/spotter/stable", "set_channel", json={"version": version})

    def _api_token(self) -> None:
        body = {"name": f"token {next(self._numbers)}", "role": "viewer"}
        answer = httpx.post(f"{self._base_url()}/api-tokens", json=body, cookies=self._session, timeout=60.0)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        self._promises.audit("create_api_token", "/api-tokens")
        self._promises.confirm("api token", made["id"], "yes")

    def _enrolment(self) -> None:
        made = self._call("POST", "/enrolment-tokens", "create_enrolment_token", json={"device": f"new-{next(self._numbers)}"})
        self._promises.confirm("enrolment", made["id"], "yes")

    def _enrol(self) -> None:
        """A device enrolls: with the answer its certificate is known, and its token used up."""
        device = f"enrolled-{next(self._numbers)}"
        made = self._call("POST", "/enrolment-tokens", "create_enrolment_token", json={"device": device})
        body = {"token": made["token"], "device": device, "request": request(device)}
        with self._promises.change("identity", device, "1"), self._promises.change("used token", made["id"], "yes"):
            answer = httpx.post(f"{self._base_url()}/enrol", json=body, timeout=60.0)
            assert answer.status_code < 400, answer.text
