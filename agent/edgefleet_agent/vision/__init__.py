"""Computer vision as pure functions: arrays in, detections, tracks and events out. No file, socket, clock or thread."""
