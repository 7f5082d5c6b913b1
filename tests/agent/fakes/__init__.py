"""Stand-ins that speak the real protocols: worker, self-test, fleet server over a real broker; and packages made of noise."""
