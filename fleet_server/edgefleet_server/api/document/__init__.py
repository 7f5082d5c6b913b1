"""The OpenAPI document: what FastAPI does not know of the operations."""
