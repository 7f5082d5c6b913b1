"""Model families: output tensors by name to detections. One file a family; the table is in `core.plugins`."""
