"""Engines and drivers of SQLite and PostgreSQL, leadership, notifications, partitions."""
