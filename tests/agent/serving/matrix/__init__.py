"""Every runtime, way in, data type and kind of batch, crossed."""
