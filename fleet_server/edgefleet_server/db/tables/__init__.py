"""Table definitions, one module per subject."""
