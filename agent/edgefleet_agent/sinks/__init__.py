"""Event sinks of the device: their interface, the built-in kinds, and the processes that run them."""
