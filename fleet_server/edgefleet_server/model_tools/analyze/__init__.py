"""Search for the settings with which a package runs best on a device."""
