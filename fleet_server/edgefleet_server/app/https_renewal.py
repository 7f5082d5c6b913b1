"""Renewal of the server's own HTTPS certificate while the server runs."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from typing import Final

from edgefleet_server.core.errors import StoreError
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate

CHECK_S: Final = 10.0
"""Also the time after which HTTPS follows a rotation of the authority, in each process."""

log = logging.getLogger(__name__)


async def keep_current(certificate: HttpsCertificate, context: ssl.SSLContext, check_s: float = CHECK_S) -> None:
    """Renew the certificate before it ends, checked every `check_s`. New connections of `context` use the new one, existing ones
    stay. Where the disk refuses, the present one is used and the next check tries again. Runs until it is cancelled."""
    while True:
        await asyncio.sleep(check_s)
        try:
            if await asyncio.to_thread(certificate.renew, time.time()):
                context.load_cert_chain(certificate.file)
                log.info("the certificate for HTTPS was renewed")
        except (StoreError, OSError) as error:
            log.error("the certificate for HTTPS was not renewed: %s", error)
