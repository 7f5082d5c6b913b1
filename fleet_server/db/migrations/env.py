"""Alembic's entry: runs the migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlmodel import AutoString, SQLModel

from fleet_server.db import experiment_tables as experiment_tables
from fleet_server.db import identity_tables as identity_tables
from fleet_server.db import measurement_tables as measurement_tables
from fleet_server.db import people_tables as people_tables
from fleet_server.db import registry_tables as registry_tables
from fleet_server.db import retention_tables as retention_tables
from fleet_server.db import setting_tables as setting_tables
from fleet_server.db import share_tables as share_tables
from fleet_server.db import tables as tables
from fleet_server.db import telemetry_tables as telemetry_tables


def render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """SQLModel's text type is plain text in a migration."""
    return "sa.String()" if kind == "type" and isinstance(item, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True, render_item=render)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
