"""Operations about trust.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from edgefleet_client.schemas.trust import KeyRotation, SignedRoot, SignedTargets, TrustDetail, TrustFile, VersionWithdrawal
from edgefleet_client.transport import Transport


class TrustOperations:
    """Operations about trust."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_trust(self) -> TrustDetail:
        """Roles with their keys and expiry, signed packages, and packages that wait for a signature. Role: viewer."""
        answer: TrustDetail = self._transport.ask("GET", ("trust",))
        return answer

    def get_trust_files(self) -> list[TrustFile]:
        """All metadata files for devices: `edgefleet bundle export` writes them to the bundle."""
        answer: list[TrustFile] = self._transport.ask("GET", ("trust", "files"))
        return answer

    def post_signed_root(self, body: SignedRoot) -> TrustDetail:
        """Store a root that was signed elsewhere, by the root keys of the present root and by its own. Devices follow. Role:
        admin."""
        answer: TrustDetail = self._transport.ask("POST", ("trust", "root"), json=body)
        return answer

    def rotate_trust_key(self, body: KeyRotation) -> TrustDetail:
        """Give a role a new key, and revoke the old one on every device. Role: admin."""
        answer: TrustDetail = self._transport.ask("POST", ("trust", "rotate"), json=body)
        return answer

    def post_signed_targets(self, body: SignedTargets) -> TrustDetail:
        """Store the list of packages that was signed elsewhere with the targets key. Role: admin."""
        answer: TrustDetail = self._transport.ask("POST", ("trust", "targets"), json=body)
        return answer

    def withdraw_version(self, body: VersionWithdrawal) -> TrustDetail:
        """Withdraw a signed version: devices that hear of it install it no more, however it is ordered. What runs it runs
        on, and running rollouts of it are paused. Requires the targets key on the server; otherwise sign the list
        elsewhere. Role: admin."""
        answer: TrustDetail = self._transport.ask("POST", ("trust", "withdraw"), json=body)
        return answer

    def get_trust_metadata(self, role: str) -> bytes:
        """The metadata of a role as it was signed; `root` is a device's initial root of trust."""
        return self._transport.fetch("GET", ("trust", f"{role}.json"))
