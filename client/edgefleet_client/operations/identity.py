"""Operations about identity.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from edgefleet_client.schemas.identity import (
    BlockRequest,
    CertificateReport,
    DeviceIdentityStatus,
    Enrol,
    Enrolled,
    EnrolmentDecision,
    EnrolmentDecisionResult,
    EnrolmentRequestList,
    NewToken,
    RotationEnd,
    RotationReport,
    TokenList,
    TokenRequest,
)
from edgefleet_client.transport import Transport


class IdentityOperations:
    """Operations about identity."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_certificates(self) -> CertificateReport:
        """The authority's certificate, and those of devices, ordered by expiry. Role: admin."""
        answer: CertificateReport = self._transport.ask("GET", ("certificates",))
        return answer

    def get_authority_rotation(self, *, online_days: float | None = None) -> RotationReport:
        """The state of the rotation of the server's authority, and the devices that are missing. Role: admin."""
        query = {"online_days": online_days}
        answer: RotationReport = self._transport.ask("GET", ("certificates", "rotation"), query=query)
        return answer

    def begin_authority_rotation(self) -> RotationReport:
        """Begin a rotation of the server's authority: devices renew their certificates, with both authorities trusted. Role:
        admin."""
        answer: RotationReport = self._transport.ask("POST", ("certificates", "rotation"))
        return answer

    def finish_authority_rotation(self, body: RotationEnd | None = None) -> RotationReport:
        """End the rotation: the old authority is trusted no more. Role: admin."""
        answer: RotationReport = self._transport.ask("POST", ("certificates", "rotation", "finish"), json=body)
        return answer

    def unblock_device(self, device: str) -> DeviceIdentityStatus:
        """Let a device enrol again, with a new token. Role: operator."""
        answer: DeviceIdentityStatus = self._transport.ask("DELETE", ("devices", device, "block"))
        return answer

    def block_device(self, device: str, body: BlockRequest | None = None) -> DeviceIdentityStatus:
        """Block a device, stolen or not to be trusted: its certificates are revoked now, its session ends when the broker
        answers. Role: operator."""
        answer: DeviceIdentityStatus = self._transport.ask("PUT", ("devices", device, "block"), json=body)
        return answer

    def get_device_identity(self, device: str) -> DeviceIdentityStatus:
        """The certificate of a device, and its blocking if it is blocked. Role: viewer."""
        answer: DeviceIdentityStatus = self._transport.ask("GET", ("devices", device, "identity"))
        return answer

    def enrol_device(self, body: Enrol) -> Enrolled:
        """For devices: issue a certificate for a certificate request and a token, which is the only credential. With a token
        that requires an approval the response is 202 until the device is approved."""
        answer: Enrolled = self._transport.ask("POST", ("enrol",), json=body)
        return answer

    def list_enrolment_requests(self) -> EnrolmentRequestList:
        """Devices that wait for the approval of their enrolment, and those whose approval or denial has no effect yet. Role:
        admin."""
        answer: EnrolmentRequestList = self._transport.ask("GET", ("enrolment-requests",))
        return answer

    def decide_enrolment_requests(self, body: EnrolmentDecision) -> EnrolmentDecisionResult:
        """Approve or deny the enrolment of devices. Role: admin."""
        answer: EnrolmentDecisionResult = self._transport.ask("POST", ("enrolment-requests", "decisions"), json=body)
        return answer

    def list_enrolment_tokens(self) -> TokenList:
        """All tokens, newest first; their secrets are not stored. Role: admin."""
        answer: TokenList = self._transport.ask("GET", ("enrolment-tokens",))
        return answer

    def create_enrolment_token(self, body: TokenRequest | None = None) -> NewToken:
        """Create a token with which one device, or a number of them, can enrol once, with the command line for a device.
        Role: admin."""
        answer: NewToken = self._transport.ask("POST", ("enrolment-tokens",), json=body)
        return answer

    def revoke_enrolment_token(self, token: str) -> None:
        """Revoke the token: it enrols no more devices. Role: admin."""
        self._transport.send("DELETE", ("enrolment-tokens", token))
