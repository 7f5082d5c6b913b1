"""Execution of frame graphs: stages of one frame, queues, track state. The life cycle of a camera is in `camera`."""
