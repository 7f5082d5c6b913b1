"""Types of requests and responses: dictionaries with typed keys."""
