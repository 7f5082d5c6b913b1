"""One module a noun. Every route has an explicit operation id: the generated clients are named by it."""
