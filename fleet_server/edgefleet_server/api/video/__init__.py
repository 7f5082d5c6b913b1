"""Live video: one WebSocket of a device for each camera that is watched, handed to all its viewers."""
