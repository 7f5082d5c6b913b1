"""Request and response bodies, one module a noun."""
