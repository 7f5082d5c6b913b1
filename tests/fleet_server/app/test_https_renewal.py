"""A server that runs for years has a valid certificate for HTTPS."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from pathlib import Path

import pytest
from cryptography import x509

from edgefleet_server.app.https_renewal import keep_current
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate

DAY_S = 86_400.0
HOSTS = ["127.0.0.1"]


@pytest.fixture
def authority(tmp_path: Path) -> CertificateAuthority:
    made = CertificateAuthority(tmp_path / "authority")
    made.open(time.time() - 300 * DAY_S)
    return made


async def shown(port: int, trusted: ssl.SSLContext) -> x509.Certificate:
    """The certificate that a new connection gets."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusted)
    found = x509.load_der_x509_certificate(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
    writer.close()
    await writer.wait_closed()
    return found


async def another(port: int, trusted: ssl.SSLContext, before: x509.Certificate) -> x509.Certificate:
    """The first certificate that is not `before`."""
    while (found := await shown(port, trusted)) == before:
        pass
    return found


async def _renewed(certificate: HttpsCertificate, authority: CertificateAuthority) -> tuple[x509.Certificate, x509.Certificate]:
    """The certificates of a listener before and after its renewal."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file)
    trusted = ssl.create_default_context(cadata=authority.certificate)
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    before = await shown(port, trusted)
    renewal = asyncio.create_task(keep_current(certificate, context, 0.02))
    try:
        return before, await asyncio.wait_for(another(port, trusted, before), 60.0)
    finally:
        renewal.cancel()
        server.close()


def test_new_connections_get_the_renewed_certificate(tmp_path: Path, authority: CertificateAuthority) -> None:
    certificate = HttpsCertificate(authority, tmp_path / "listener.pem", HOSTS)
    certificate.renew(time.time() - 250 * DAY_S)
    before, after = asyncio.run(_renewed(certificate, authority))
    assert after.not_valid_before_utc > before.not_valid_before_utc
    assert not certificate.renew(time.time())


def test_a_disk_that_refuses_ends_nothing(
    tmp_path: Path, authority: CertificateAuthority, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again at the next check."""
    (tmp_path / "https").write_text("a file in the place of the folder")
    certificate = HttpsCertificate(authority, tmp_path / "https/listener.pem", HOSTS)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    async def watch() -> None:
        renewal = asyncio.create_task(keep_current(certificate, context, 0.01))
        while len(caplog.records) < 2:
            assert not renewal.done()
            await asyncio.sleep(0.01)
        renewal.cancel()

    with caplog.at_level(logging.ERROR):
        asyncio.run(asyncio.wait_for(watch(), 60.0))
    assert all("was not renewed" in record.getMessage() for record in caplog.records)
