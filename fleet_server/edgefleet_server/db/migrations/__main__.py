"""`python -m edgefleet_server.db.migrations TEXT`: writes the next migration from the differences between `db.tables` and the
newest migration."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

HERE = Path(__file__).parent


def main(text: str) -> None:
    """Upgrade an empty database to the newest migration, compare, write `versions/NNNN_text.py`."""
    number = len(list((HERE / "versions").glob("[0-9]*.py"))) + 1
    with tempfile.TemporaryDirectory() as folder, create_engine(f"sqlite:///{folder}/empty.db").connect() as connection:
        config = Config()
        config.set_main_option("script_location", str(HERE))
        config.attributes["connection"] = connection
        if number > 1:
            command.upgrade(config, "head")
        command.revision(config, message=text, autogenerate=True, rev_id=f"{number:04d}")


if __name__ == "__main__":
    main(sys.argv[1])
