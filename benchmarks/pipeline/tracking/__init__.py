"""Trackers beside each other on rendered scenes: identities, not detection. It has no models and no videos."""
