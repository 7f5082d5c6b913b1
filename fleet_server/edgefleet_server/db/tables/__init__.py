"""Table definitions, one module a noun."""
