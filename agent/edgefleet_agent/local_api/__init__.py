"""Local web UI and REST API of the device: live pictures, events, metrics."""
