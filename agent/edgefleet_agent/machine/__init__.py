"""The device itself: hardware detection, profiles, identity, vitals, trusted time."""
