"""Series of sensors: readings to even windows, windows to features, features to how unusual they are. Pure."""
