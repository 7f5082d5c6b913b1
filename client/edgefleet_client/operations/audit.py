"""Operations about audit.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_client.pages import newest_first
from edgefleet_client.schemas.audit import AuditEntry, AuditPage, AuditVerdict, DossierRequest
from edgefleet_client.transport import Transport


class AuditOperations:
    """Operations about audit."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_audit(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        since_at: float | None = None,
        before_seq: int | None = None,
        limit: int | None = None,
    ) -> AuditPage:
        """Entries, newest first. Role: admin."""
        query = {"actor": actor, "action": action, "since_at": since_at, "before_seq": before_seq, "limit": limit}
        answer: AuditPage = self._transport.ask("GET", ("audit",), query=query)
        return answer

    def iterate_audit(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        since_at: float | None = None,
    ) -> Iterator[AuditEntry]:
        """Every item of `list_audit`, one request a page."""
        return newest_first(
            lambda at: self.list_audit(
                actor=actor,
                action=action,
                since_at=since_at,
                before_seq=at,
                limit=500,
            ),
            "seq",
        )

    def verify_audit(self, *, head: str | None = None) -> AuditVerdict:
        """Verify the hash chain, archived entries included. `head`: an earlier head (SEQ:DIGEST) that the log must still
        contain. Role: admin."""
        query = {"head": head}
        answer: AuditVerdict = self._transport.ask("GET", ("audit", "verification"), query=query)
        return answer

    def create_dossier(self, body: DossierRequest) -> bytes:
        """The facts that this server has about a component, for a notification by Article 14 of the EU Cyber Resilience Act:
        JSON, Markdown and bills in a zip file. It is neither sent nor stored; the audit log has that it was made. Role:
        admin."""
        return self._transport.fetch("POST", ("dossiers",), json=body)
