"""The edgefleet agent. This package imports nothing at the top level: a device loads only the modules that it runs."""
