"""Framework models to runtime formats, in a child process with a Python of the user's choice."""
