"""Which device should run what: assignments, pins, back-off, late joiners, loading of a rollout."""
