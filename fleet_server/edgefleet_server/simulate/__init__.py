"""Virtual devices by the thousand, and the demo's rendered site."""
