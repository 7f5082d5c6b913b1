"""Which device should run what: assignments, pins, exclusion, late joiners, loading of a rollout."""
