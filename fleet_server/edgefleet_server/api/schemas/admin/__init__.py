"""Bodies about the server itself: health, settings, people, devices' identity, proposals."""
