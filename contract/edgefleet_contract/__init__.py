"""Data exchanged by devices and the fleet server: messages, packages, pipelines. Pure values, except for `core`."""
