"""Commands of `edgefleet-agent` for the first camera: try a model on it, and write the files of a service."""
