"""Whether the stored parts of a server belong together."""
