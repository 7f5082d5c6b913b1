"""Virtual devices that speak the real protocol."""
