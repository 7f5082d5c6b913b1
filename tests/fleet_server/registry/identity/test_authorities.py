"""Rotation of the server's authority: what is trusted in each state, in each process, and after a cut at each step."""

from __future__ import annotations

import contextlib
import shutil
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509

from edgefleet_contract.core.pinned_authority import fingerprints, pinned_authority, pinned_context
from edgefleet_server.core.errors import ConflictError, StoreError
from edgefleet_server.registry.identity import authorities as module
from edgefleet_server.registry.identity.authorities import Authorities, stage
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate
from tests.fleet_server.fakes.trust_metadata import request
from tests.fleet_server.registry.identity.test_certificate_authority import EC, make, openssl

NOW = 1_800_000_000.0
NAME = "press-07"


def opened(folder: Path, now: float = NOW) -> Authorities:
    made = Authorities(folder)
    made.open(now)
    return made


def verifies(certificate: str, trusted: str, folder: Path) -> bool:
    """Whether OpenSSL, as the broker uses it, accepts a device's certificate by these authorities and revocation lists."""
    (folder / "device.pem").write_text(certificate)
    (folder / "trusted.crt").write_text(trusted)
    with contextlib.suppress(Exception):
        openssl("verify", "-attime", str(int(NOW) + 60), "-CAfile", folder / "trusted.crt", folder / "device.pem")
        return True
    return False


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextlib.contextmanager
def https(file: Path) -> Iterator[str]:
    """A server with the key and certificates in `file`: its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def reached(url: str, context: ssl.SSLContext) -> bool:
    with urllib.request.urlopen(url, timeout=10.0, context=context) as answer:
        return bool(answer.status == 204)


def test_both_are_trusted_in_the_overlap_and_one_after_it(tmp_path: Path) -> None:
    authorities = opened(tmp_path / "authority")
    before, old = authorities.bundle, authorities.issue(request(NAME), NAME, 90.0, NOW).certificate
    authorities.begin(NOW + 5)
    overlap, new = authorities.bundle, authorities.issue(request(NAME), NAME, 90.0, NOW).certificate
    assert authorities.rotating_since == NOW + 5
    assert fingerprints(overlap)[:1] == fingerprints(before)
    assert len(fingerprints(overlap)) == 2
    assert [verifies(each, authorities.broker_authorities, tmp_path) for each in (old, new)] == [True, True]
    _, broker = authorities.broker_identity(["fleet"], NOW)
    assert verifies(broker.decode(), before, tmp_path)  # a device that has not renewed
    with pytest.raises(ConflictError, match="edgefleet ca finish"):
        authorities.begin(NOW)

    authorities.finish()
    assert authorities.rotating_since is None
    assert fingerprints(authorities.bundle) == fingerprints(overlap)[1:]
    assert [verifies(each, authorities.broker_authorities, tmp_path) for each in (old, new)] == [False, True]
    _, broker = authorities.broker_identity(["fleet"], NOW)
    assert verifies(broker.decode(), overlap, tmp_path)  # a device that has renewed once
    assert opened(tmp_path / "authority").bundle == authorities.bundle
    assert {path.name for path in (tmp_path / "authority").iterdir()} == {"authority.crt", "authority.key", "trusted.pem"}
    with pytest.raises(ConflictError, match="edgefleet ca rotate"):
        authorities.finish()


def test_all_processes_of_a_folder_follow(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    for step in (lambda: one.begin(NOW), one.finish, lambda: one.begin(NOW + 9), one.finish):
        step()
        assert other.bundle == one.bundle
        assert other.rotating_since == one.rotating_since


def test_each_authority_has_its_revocation_list(tmp_path: Path) -> None:
    authorities = opened(tmp_path)
    serial = authorities.issue(request(NAME), NAME, 90.0, NOW).serial
    authorities.begin(NOW)
    lists = authorities.revocation_list([(serial, NOW)], 1, NOW).split(b"-----BEGIN")[1:]
    parsed = [x509.load_pem_x509_crl(b"-----BEGIN" + each) for each in lists]
    assert [len(each) for each in parsed] == [1, 1]
    names = [each.facts()["subject"] for each in authorities.all]
    assert [each.issuer.rfc4514_string() for each in parsed] == names
    assert len(set(names)) == 2


@pytest.mark.parametrize("step", ["begin", "finish"])
def test_a_cut_at_each_write_leaves_a_working_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """A device that trusts what was valid before the step is served after the cut, and one that renewed is let in."""
    start = tmp_path / "start"
    authorities = opened(start)
    if step == "finish":
        authorities.begin(NOW)
    trusted, device = authorities.bundle, authorities.issue(request(NAME), NAME, 90.0, NOW).certificate
    writes = ("write_secret", "write_atomic", "move_folder", "remove_folder")
    cuts = 0
    while True:
        folder = tmp_path / f"cut-{cuts}"
        shutil.copytree(start, folder)
        running = opened(folder)
        left = [cuts]

        def cut(real: Callable[..., Any], left: list[int] = left) -> Callable[..., Any]:
            def write(*given: Any) -> Any:
                if left[0] == 0:
                    raise StoreError("the power is gone")
                left[0] -= 1
                return real(*given)

            return write

        with monkeypatch.context() as patch:
            for name in writes:
                patch.setattr(module, name, cut(getattr(module, name)))
            try:
                running.begin(NOW) if step == "begin" else running.finish()
                break
            except StoreError:
                pass
        after = opened(folder)
        assert verifies(after.broker_identity(["fleet"], NOW)[1].decode(), trusted, tmp_path)
        assert verifies(device, after.broker_authorities, tmp_path)
        assert after.rotating_since in (None, NOW)
        cuts += 1
    assert cuts >= 3


def test_pins_of_both_authorities_lead_to_the_server(tmp_path: Path) -> None:
    """Tokens that were handed out before, and during the overlap."""
    authorities = opened(tmp_path / "authority", time.time())
    old, before = authorities.pin(), authorities.bundle
    file = tmp_path / "https" / "listener.pem"
    certificate = HttpsCertificate(authorities, file, ["localhost", "127.0.0.1"])
    authorities.begin(time.time())
    assert certificate.renew(time.time())
    assert not certificate.renew(time.time())
    new = authorities.pin()
    assert new != old
    with https(file) as url:
        for pin in (old, new):
            assert reached(url, pinned_context(pinned_authority(url, pin, 10.0)))
        assert reached(url, ssl.create_default_context(cadata=before))
    authorities.finish()
    assert certificate.renew(time.time())
    with https(file) as url:
        assert reached(url, pinned_context(pinned_authority(url, new, 10.0)))


def signed_below(root: Path, folder: Path, name: str = "middle") -> tuple[bytes, bytes]:
    """An intermediate authority: its certificate with that of the root, and its key."""
    folder.mkdir()
    key, csr, config, made = (folder / each for each in ("key.pem", "asked.pem", "ca.cnf", "made.crt"))
    openssl("req", "-new", "-nodes", *EC, "-subj", f"/CN={name}", "-keyout", key, "-out", csr)
    extensions = ("basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign")
    identifiers = ("subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid")
    config.write_text("\n".join((*extensions, *identifiers)) + "\n")
    signed = ["-CA", root / "authority.crt", "-CAkey", root / "authority.key", "-CAcreateserial", "-extfile", config]
    openssl("x509", "-req", "-in", csr, *signed, "-days", "3000", "-out", made)
    return made.read_bytes() + (root / "authority.crt").read_bytes(), key.read_bytes()


def test_a_staged_intermediate_authority_is_used(tmp_path: Path) -> None:
    now = time.time()
    authorities = opened(tmp_path / "authority", now)
    given = signed_below(make(tmp_path / "root", EC), tmp_path / "middle")
    with pytest.raises(StoreError, match="another one has signed it"):
        stage(tmp_path / "authority", (given[0].split(b"-----END")[0] + b"-----END CERTIFICATE-----\n", given[1]), now)
    assert not authorities.is_staged
    stage(tmp_path / "authority", given, now)
    assert (tmp_path / "authority" / "trusted.pem").read_bytes().count(b"BEGIN") == 3
    authorities.begin(now)
    assert not authorities.is_staged
    assert authorities.newest.is_intermediate
    assert authorities.facts()["subject"] == "CN=middle"
    assert authorities.pin() == fingerprints(authorities.bundle)[0]  # it may not sign the old one
    authorities.finish()
    assert len(fingerprints(authorities.bundle)) == 1
    assert authorities.broker_authorities.count("BEGIN") == 2


def test_a_chain_in_the_wrong_order_is_refused(tmp_path: Path) -> None:
    opened(tmp_path / "authority", time.time())
    chain, key = signed_below(make(tmp_path / "root", EC), tmp_path / "middle")
    other = (make(tmp_path / "other", EC) / "authority.crt").read_bytes()
    middle = chain.split(b"-----END CERTIFICATE-----\n")[0] + b"-----END CERTIFICATE-----\n"
    with pytest.raises(StoreError, match="put each below its issuer"):
        stage(tmp_path / "authority", (middle + other, key), time.time())
