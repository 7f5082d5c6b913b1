"""The reference of settings and files in `docs/reference`, made of the code."""
