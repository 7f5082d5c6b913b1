"""REST routes, one module a noun. Every route has an explicit operation id: generated clients are named by it."""
