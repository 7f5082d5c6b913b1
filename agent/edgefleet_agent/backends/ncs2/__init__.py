"""Neural Compute Stick 2, driven by a host process in its own old Python."""
