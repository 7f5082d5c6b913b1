"""Everything that devices and the fleet server exchange: messages, packages, pipelines. Pure values, but for `core`."""
