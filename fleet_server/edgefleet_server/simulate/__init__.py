"""What stands in for the world: virtual devices by the thousand, and the demo's rendered conveyor site."""
