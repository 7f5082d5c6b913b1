"""Bodies about rollouts, experiments and shadow candidates."""
