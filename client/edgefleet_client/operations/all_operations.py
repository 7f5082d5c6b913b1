"""All operations of the REST API, by tag.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from edgefleet_client.transport import Transport

if TYPE_CHECKING:
    from edgefleet_client.operations.alerts import AlertsOperations
    from edgefleet_client.operations.audit import AuditOperations
    from edgefleet_client.operations.devices import DevicesOperations
    from edgefleet_client.operations.fleet import FleetOperations
    from edgefleet_client.operations.identity import IdentityOperations
    from edgefleet_client.operations.models import ModelsOperations
    from edgefleet_client.operations.people import PeopleOperations
    from edgefleet_client.operations.pipelines import PipelinesOperations
    from edgefleet_client.operations.proposals import ProposalsOperations
    from edgefleet_client.operations.rollouts import RolloutsOperations
    from edgefleet_client.operations.settings import SettingsOperations
    from edgefleet_client.operations.trust import TrustOperations


class Operations:
    """One attribute a tag; its module is imported when it is first used."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    @cached_property
    def alerts(self) -> AlertsOperations:
        """Operations about alerts."""
        from edgefleet_client.operations.alerts import AlertsOperations

        return AlertsOperations(self.transport)

    @cached_property
    def audit(self) -> AuditOperations:
        """Operations about audit."""
        from edgefleet_client.operations.audit import AuditOperations

        return AuditOperations(self.transport)

    @cached_property
    def devices(self) -> DevicesOperations:
        """Operations about devices."""
        from edgefleet_client.operations.devices import DevicesOperations

        return DevicesOperations(self.transport)

    @cached_property
    def fleet(self) -> FleetOperations:
        """Operations about fleet."""
        from edgefleet_client.operations.fleet import FleetOperations

        return FleetOperations(self.transport)

    @cached_property
    def identity(self) -> IdentityOperations:
        """Operations about identity."""
        from edgefleet_client.operations.identity import IdentityOperations

        return IdentityOperations(self.transport)

    @cached_property
    def models(self) -> ModelsOperations:
        """Operations about models."""
        from edgefleet_client.operations.models import ModelsOperations

        return ModelsOperations(self.transport)

    @cached_property
    def people(self) -> PeopleOperations:
        """Operations about people."""
        from edgefleet_client.operations.people import PeopleOperations

        return PeopleOperations(self.transport)

    @cached_property
    def pipelines(self) -> PipelinesOperations:
        """Operations about pipelines."""
        from edgefleet_client.operations.pipelines import PipelinesOperations

        return PipelinesOperations(self.transport)

    @cached_property
    def proposals(self) -> ProposalsOperations:
        """Operations about proposals."""
        from edgefleet_client.operations.proposals import ProposalsOperations

        return ProposalsOperations(self.transport)

    @cached_property
    def rollouts(self) -> RolloutsOperations:
        """Operations about rollouts."""
        from edgefleet_client.operations.rollouts import RolloutsOperations

        return RolloutsOperations(self.transport)

    @cached_property
    def settings(self) -> SettingsOperations:
        """Operations about settings."""
        from edgefleet_client.operations.settings import SettingsOperations

        return SettingsOperations(self.transport)

    @cached_property
    def trust(self) -> TrustOperations:
        """Operations about trust."""
        from edgefleet_client.operations.trust import TrustOperations

        return TrustOperations(self.transport)
