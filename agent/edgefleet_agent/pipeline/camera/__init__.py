"""One camera: capture, frame graph, motion gate, event life cycle."""
