"""Database rows to response bodies."""
