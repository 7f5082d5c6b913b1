"""The edgefleet agent. This package imports nothing at the top: a device pays only for what it runs."""
