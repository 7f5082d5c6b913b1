"""What operators look at from afar: logs, checks, the support bundle."""
