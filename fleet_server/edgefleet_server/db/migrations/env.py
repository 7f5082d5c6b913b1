"""Alembic's entry: runs the migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlmodel import AutoString

from edgefleet_server.db.tables.all_tables import METADATA


def render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """SQLModel's text type is plain text in a migration."""
    return "sa.String()" if kind == "type" and isinstance(item, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True, render_item=render)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
