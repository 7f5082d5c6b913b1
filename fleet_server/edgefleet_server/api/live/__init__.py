"""Live updates of dashboards and live pictures of devices."""
