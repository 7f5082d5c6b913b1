"""Event sinks of the device. One file a kind; the table is in `core.plugins`."""
