"""An external broker (`--broker`): its address, its password, and the blocked devices.

Its operator manages its users, its access list and its listeners. The server keeps the list of revoked certificates in a file
that the broker can read, and ends the session of a blocked device by taking the session over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.link.broker_access import BrokerAccess

SECRET_BYTES_MAX: Final = 4096
PEM_BYTES_MAX: Final = 256 * 1024
REVOKED_FILE: Final = "revoked.pem"


class ExternalBroker:
    """The broker of these settings. `folder`: folder of the list of revoked certificates for the broker.

    Raises:
        InputError: the URL is invalid, or a file named in the settings cannot be read.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        password = ""
        if settings.broker_password_file is not None:
            password = _read(settings.broker_password_file, SECRET_BYTES_MAX, "--broker-password-file").strip()
        ca = settings.broker_ca
        self.authority = _read(ca, PEM_BYTES_MAX, "--broker-ca") if ca is not None else ""
        self.access = BrokerAccess(BrokerAddress.parse(settings.broker_url), password, ca)
        self.device_url = settings.broker_url
        if settings.device_broker_url:
            self.device_url = BrokerAddress.parse(settings.device_broker_url).url
        self._file = folder / REVOKED_FILE

    def revoke(self, revoked: bytes) -> None:
        """Write the revocation list to the file for the broker.

        Raises:
            StoreError: the disk refuses.
        """
        write_atomic(self._file, revoked)


def _read(path: Path, bytes_max: int, option: str) -> str:
    try:
        with path.open("rb") as file:
            return file.read(bytes_max).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{option} {path}: {fault_text(error)}; specify a file that the server can read") from error
