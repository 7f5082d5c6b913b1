"""Alert rules with numbers that are not finite, which JSON does not have."""

from __future__ import annotations

import json
from typing import Any

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the numbers by null, and turn these rules off: they never began an alert. PostgreSQL has stored none."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    rows = connection.exec_driver_sql("SELECT id, rule FROM alert_rule WHERE NOT json_valid(rule)").fetchall()
    for number, rule in rows:
        repaired = json.dumps(json.loads(rule, parse_constant=_none))
        connection.exec_driver_sql("UPDATE alert_rule SET rule = ?, enabled = 0 WHERE id = ?", (repaired, number))


def downgrade() -> None:
    """Nothing: the older version reads what is there."""


def _none(_name: str) -> Any:
    return None
