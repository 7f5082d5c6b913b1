"""Users, sessions, identity, audit, settings."""
