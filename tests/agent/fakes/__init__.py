"""Stand-ins that speak the real protocols: a worker, a self-test, a fleet server over a real broker; and packages made of noise."""
