"""`edgefleet-agent certificate`: makes a key and a certificate request in a separate process, because the library would enlarge
the supervisor.

The key goes to `identity/next.key` (0600) and nowhere else; the request to stdout.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from edgefleet_agent.machine.identity import SECRET, read_identity
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `certificate`."""
    parser.add_argument("--state", type=Path, required=True, help="State folder of the agent")


def run(arguments: argparse.Namespace) -> int:
    """Make key and request.

    Raises:
        EdgefleetError: this device is not enrolled, or the disk cannot be used.
    """
    identity = read_identity(arguments.state)
    if identity is None:
        raise InputError(f"no identity in {arguments.state}; enroll this device")
    key, request = new_request(identity.device)
    write_atomic(arguments.state / "identity" / "next.key", key.encode(), SECRET)
    sys.stdout.write(request)
    return 0


def new_request(device: str, stored: str = "") -> tuple[str, str]:
    """Private key (P-256) and certificate request as PEM; the common name is the device id. stored: the key to use, if it can be
    read."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    with contextlib.suppress(ValueError, TypeError):
        loaded = load_pem_private_key(stored.encode(), None)
        key = loaded if isinstance(loaded, ec.EllipticCurvePrivateKey) else key
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, device)])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private.decode(), request.public_bytes(Encoding.PEM).decode()
