"""Live streams: decoding, reconnecting, pending packets, ONVIF events."""
