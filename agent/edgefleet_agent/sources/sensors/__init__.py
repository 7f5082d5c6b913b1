"""Sources of readings, one file a kind."""
