"""Access control by keys, certificates, rates and addresses; over HTTP and gRPC, with unmodified clients."""

from __future__ import annotations

import hashlib
import http.client
import json
import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import grpc
import pytest
import tritonclient.grpc as triton_grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.api_keys import Key, read_keys
from edgefleet_agent.serving.frontend.authentication import Authentication, Tls, is_local
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_contract.core.errors import InputError
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model

KEY = "0123456789abcdef0123"
OTHER = "fedcba9876543210fedc"


class Listeners:
    """Both listeners with the same authentication."""

    def __init__(self, root: Path, guard: Authentication) -> None:
        put_model(root, "model", onnx_file.identity())
        self.catalogue = ModelRegistry()
        repository = FolderRepository([root], self.catalogue, LoadTarget(tuple(installed_runtimes())))
        assert repository.load_all() == []
        self.http = open_http("127.0.0.1:0", self.catalogue, repository, SERVER, LIMITS, guard)
        self.grpc = open_grpc("127.0.0.1:0", self.catalogue, repository, SERVER, LIMITS, guard)

    def close(self) -> None:
        self.http.close()
        self.grpc.close()
        self.catalogue.close()

    def get(self, path: str, tls: ssl.SSLContext | None = None, **headers: str) -> tuple[int, str]:
        host, _, port = self.http.address.rpartition(":")
        if tls is not None:
            line: http.client.HTTPConnection = http.client.HTTPSConnection("localhost", int(port), timeout=30, context=tls)
        else:
            line = http.client.HTTPConnection(host, int(port), timeout=30)
        line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, answer.headers.get("Retry-After", "") if answer.status == 429 else body.decode()


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[Any]:
    made: list[Listeners] = []

    def make(guard: Authentication) -> Listeners:
        made.append(Listeners(tmp_path / "models", guard))
        return made[-1]

    yield make
    for each in made:
        each.close()


def keys_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "keys"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_a_key_opens_and_nothing_else_does(listeners: Any, tmp_path: Path) -> None:
    hashed = hashlib.sha256(OTHER.encode()).hexdigest()
    here = listeners(
        Authentication(read_keys(keys_file(tmp_path, f"# people\nline-1 {KEY}\nline-2 sha256:{hashed}  # hashed\n")))
    )
    assert here.get("/v2/models/model")[0] == 401
    assert here.get("/v2/models/model", Authorization="Bearer wrong-wrong-wrong")[0] == 401
    assert here.get("/v2/models/model", Authorization=f"Bearer {KEY}")[0] == 200
    assert here.get("/v2/models/model", X_API_Key=OTHER)[0] == 200
    assert here.get("/v2/health/ready")[0] == 200
    client = triton_grpc.InferenceServerClient(here.grpc.address)
    assert client.is_server_ready()
    for ask in (lambda: client.get_model_metadata("model"), client.get_server_metadata):
        with pytest.raises(triton_grpc.InferenceServerException, match="UNAUTHENTICATED"):
            ask()
    assert client.get_model_metadata("model", headers={"authorization": f"Bearer {KEY}"}).name == "model"
    client.close()


def test_a_body_without_a_key_is_not_read(listeners: Any, tmp_path: Path) -> None:
    here = listeners(Authentication(read_keys(keys_file(tmp_path, f"line {KEY}"))))
    host, _, port = here.http.address.rpartition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=30)
    line.putrequest("POST", "/v2/models/model/infer")
    line.putheader("Content-Length", str(1024 * 1024))
    line.endheaders()  # without any byte of the body
    answer = line.getresponse()
    assert (answer.status, json.loads(answer.read())["error"][:10]) == (401, "API key re")
    line.close()


def test_too_many_requests_are_refused_with_a_retry_time(listeners: Any, tmp_path: Path) -> None:
    keys = read_keys(keys_file(tmp_path, f"one {KEY}\ntwo {OTHER}"))
    here = listeners(Authentication(keys, rate_per_s=0.01))  # one at once, then one every 100 s
    assert here.get("/v2/models/model", X_API_Key=KEY)[0] == 200
    status, retry_s = here.get("/v2/models/model", X_API_Key=KEY)
    assert (status, 90 <= int(retry_s) <= 100) == (429, True)
    assert here.get("/v2/models/model", X_API_Key=OTHER)[0] == 200  # each key has its own
    with grpc.insecure_channel(here.grpc.address) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelReady")
        with pytest.raises(grpc.RpcError) as refused:
            call(b"", timeout=30, metadata=(("x-api-key", KEY),))
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert dict(refused.value.trailing_metadata())["retry-after"].isdecimal()


def test_the_rate_of_a_caller_fills_up_again_and_the_forgotten_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = Authentication(rate_per_s=2.0)
    took = [guard._take_token("a", 10.0) is None for _ in range(6)]
    assert took == [True] * 4 + [False] * 2
    assert guard._take_token("a", 10.6) is None
    assert guard._take_token("a", 10.6) is not None
    monkeypatch.setattr("edgefleet_agent.serving.frontend.authentication.BUCKETS_MAX", 2)
    for who in ("b", "c", "d"):
        guard._take_token(who, 11.0)
    assert list(guard._buckets) == ["c", "d"]


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:8000", True),
        ("localhost:8000", True),
        ("[::1]:8000", True),
        ("unix:/run/api.sock", True),
        ("0.0.0.0:8000", False),
        ("192.168.1.4:8000", False),
        ("[::]:8000", False),
        (":8000", False),
        ("device.local:8000", False),
    ],
)
def test_an_open_address_needs_a_guard(address: str, local: bool) -> None:
    assert is_local(address) is local
    if not local:
        with pytest.raises(InputError, match="--api-keys"):
            Authentication().check_address(address)
        with pytest.raises(InputError, match="--api-keys"):
            Authentication(tls=Tls(Path("c"), Path("k")), rate_per_s=5).check_address(address)
    Authentication({b"x": Key("x")}).check_address(address)
    Authentication(allow_unauthenticated=True).check_address(address)
    Authentication(tls=Tls(Path("c"), Path("k"), Path("ca"))).check_address(address)


@pytest.mark.parametrize("address", ["banana", "host", "host:", "host:99999", "host:-1", "host:http", ""])
def test_what_is_no_address_is_named_so(address: str) -> None:
    with pytest.raises(InputError, match="must be HOST:PORT"):
        Authentication(allow_unauthenticated=True).check_address(address)


@pytest.mark.parametrize(
    ("text", "mode", "message"),
    [
        ("", 0o600, "contains no key"),
        ("name", 0o600, ":1: must be one"),
        ("name short", 0o600, "at least 16"),
        (f"name {KEY} root", 0o600, "unknown level 'root'"),
        ("name sha256:abc", 0o600, "64 hexadecimal"),
        (f"name {KEY}", 0o644, "chmod o-r"),
        (f"one {KEY} infer\ntwo {KEY} admin", 0o600, ":2: two has the same key as one"),
    ],
)
def test_a_file_of_keys_that_is_none_is_refused(tmp_path: Path, text: str, mode: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_keys(keys_file(tmp_path, text, mode))
    with pytest.raises(InputError, match="no such file"):
        read_keys(tmp_path / "nothing")


def certificate(folder: Path, name: str, issuer: tuple[Any, Any] | None) -> tuple[Any, Any]:
    """A key and its certificate, self-signed or signed by the issuer; also written as NAME.pem and NAME.key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(timezone.utc)
    signer, issued_by = (issuer[0], issuer[1].subject) if issuer else (key, subject)
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issued_by)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    (folder / f"{name}.pem").write_bytes(built.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / f"{name}.key").write_bytes(private)
    return key, built


def test_tls_and_client_certificates(listeners: Any, tmp_path: Path) -> None:
    authority = certificate(tmp_path, "authority", None)
    for name in ("server", "client"):
        certificate(tmp_path, name, authority)
    pem = {name: tmp_path / name for name in ("authority.pem", "server.pem", "server.key", "client.pem", "client.key")}
    here = listeners(Authentication(tls=Tls(pem["server.pem"], pem["server.key"], pem["authority.pem"])))
    known = ssl.create_default_context(cafile=str(pem["authority.pem"]))
    with pytest.raises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
        here.get("/v2", known)
    known.load_cert_chain(pem["client.pem"], pem["client.key"])
    assert here.get("/v2/models/model", known)[0] == 200
    client = triton_grpc.InferenceServerClient(
        here.grpc.address.replace("127.0.0.1", "localhost"),
        ssl=True,
        root_certificates=str(pem["authority.pem"]),
        private_key=str(pem["client.key"]),
        certificate_chain=str(pem["client.pem"]),
    )
    assert client.get_model_metadata("model").name == "model"
    client.close()


def test_files_that_are_no_certificates_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("nothing")
    with pytest.raises(InputError, match="not a certificate and its key"):
        Tls(tmp_path / "text", tmp_path / "text").context("h2")
