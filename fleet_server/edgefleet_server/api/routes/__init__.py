"""REST routes, one module per subject. Every route has an explicit operation id, which names it in generated clients."""
