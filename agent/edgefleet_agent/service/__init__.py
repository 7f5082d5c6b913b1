"""The systemd service: connections, identity and pipeline watches, journal, profile choice."""
