"""Frame graphs at work: stages of one frame, queues, track state. One camera's life is in `camera`."""
