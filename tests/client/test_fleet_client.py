"""The client against a real server: each kind of answer, sign-in, pages, uploads, streams, TLS."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest

from edgefleet_client import AccessDeniedError, ConnectionFailedError, FleetClient, NotFoundError, NotSignedInError, Token
from tests.fleet_server.auth.conftest import PASSWORD, Peopled
from tests.fleet_server.auth.conftest import people as people
from tests.fleet_server.auth.test_login_commands import certificate as certificate
from tests.fleet_server.auth.test_login_commands import reachable as reachable
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.conftest import device as device
from tests.fleet_server.conftest import server as server
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually

pytestmark = pytest.mark.system


def url_of(server: ServerProcess) -> str:
    return str(server.state()["url"])


def test_objects_come_as_they_are_documented(server: ServerProcess, device: MakeDevice) -> None:
    for number in range(3):
        device(f"dev-{number}")
    with FleetClient(url_of(server)) as client:
        eventually("the broker is up", lambda: client.fleet.get_health()["broker"]["state"] == "up")
        labelled = client.devices.label_device("dev-1", {"labels": {"site": "lyon"}})
        assert labelled["labels"] == {"site": "lyon"}
        made = client.devices.put_group("lyon", {"selector": {"labels": {"site": "lyon"}}, "note": "the north"})
        assert (made["count"], made["selector"]["labels"]) == (1, {"site": "lyon"})
        assert client.devices.list_group_members("lyon")["items"] == ["dev-1"]
        assert [row["id"] for row in client.devices.iterate_devices(label=["site=lyon"])] == ["dev-1"]
        pages = (client.devices.list_devices(page=page, size=1) for page in (1, 2, 3))
        assert [row["id"] for page in pages for row in page["items"]] == ["dev-0", "dev-1", "dev-2"]
        client.devices.delete_group("lyon")
        with pytest.raises(NotFoundError, match="no group 'lyon'") as error:
            client.devices.list_group_members("lyon")
        assert error.value.status == 404
        assert client.trust.get_trust_metadata("root").startswith(b"{")
        audited = [entry["action"] for entry in client.audit.iterate_audit()]
        assert {"put_group", "delete_group", "label_device"} <= set(audited)


def test_a_package_is_pushed_with_progress_and_once(server: ServerProcess) -> None:
    archive = tar(files(size=9_000_000))
    with FleetClient(url_of(server)) as client:
        seen: list[tuple[int, int]] = []
        is_new, version = client.push_package(io.BytesIO(archive), lambda *at: seen.append(at))
        assert (is_new, version["name"], version["version"]) == (True, "spotter", "1.0.0")
        assert seen[0] == (0, len(archive))
        assert seen[-1] == (len(archive), len(archive))
        assert [at for at, _ in seen] == sorted({at for at, _ in seen})
        assert len(seen) > 2
        assert client.push_package(io.BytesIO(archive))[0] is False
        assert client.models.push_model(archive)[0] is False
        model = client.models.get_model("spotter", "1.0.0")
        file = next(each for each in model["files"] if each["path"] == "model.toml")
        assert client.models.get_blob(file["sha256"]) == files()["model.toml"]


def test_changes_arrive_on_the_stream(server: ServerProcess, device: MakeDevice) -> None:
    device("dev-0")
    with FleetClient(url_of(server)) as client, FleetClient(url_of(server)) as other:
        events = client.fleet.stream(topics="devices")
        timer = threading.Timer(0.5, lambda: other.devices.label_device("dev-0", {"labels": {"site": "here"}}))
        timer.start()
        event = next(each for each in events if each.name == "device" and each.data["labels"] == {"site": "here"})
        timer.join()
        assert event.data["id"] == "dev-0"


@pytest.mark.parametrize("role", ["viewer", "operator", "admin"])
def test_a_token_acts_in_its_role(people: Peopled, role: str) -> None:
    with FleetClient(people.url, Token(people.tokens[role])) as client:
        assert client.people.get_session()["role"] == role
        assert client.devices.list_groups()["items"] is not None
        if role == "viewer":
            with pytest.raises(AccessDeniedError, match="requires role operator; your role is viewer"):
                client.devices.put_group("mine", {"selector": {"all": True}})
        else:
            assert client.devices.put_group("mine", {"selector": {"all": True}})["name"] == "mine"


def test_a_session_is_shared_by_clients_until_it_ends(people: Peopled) -> None:
    with FleetClient(people.url) as client:
        with pytest.raises(NotSignedInError):
            client.devices.list_groups()
        with pytest.raises(NotSignedInError):
            client.sign_in("ada", "wrong words entirely here")
        name = client_name(people)
        session = client.sign_in(name, PASSWORD)
        assert client.people.get_session()["user"] == name
        with FleetClient(people.url, session) as second:
            assert second.devices.list_groups()
            second.people.sign_out()
        with pytest.raises(NotSignedInError):
            client.devices.list_groups()


def client_name(people: Peopled) -> str:
    user: str = people.admin.get("/session").json()["user"]
    return user


def test_the_environment_names_server_and_token(people: Peopled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_SERVER", people.url)
    monkeypatch.setenv("EDGEFLEET_TOKEN", f"{people.tokens['viewer']}\n")
    with FleetClient.from_environment() as client:
        assert client.people.get_session()["role"] == "viewer"


def test_a_private_authority_is_trusted_from_its_file(reachable: ServerProcess, certificate: Path) -> None:
    url = url_of(reachable).replace("0.0.0.0", "127.0.0.1")
    with FleetClient(url, tries=1) as client, pytest.raises(ConnectionFailedError, match="CERTIFICATE_VERIFY_FAILED"):
        client.fleet.get_health()
    with FleetClient(url, ca_file=certificate) as client:
        session = client.sign_in("ada", PASSWORD)
        assert client.people.get_session()["role"] == "admin"
    with FleetClient(url, session, ca_file=certificate) as client:
        assert client.people.get_session()["user"] == "ada"
