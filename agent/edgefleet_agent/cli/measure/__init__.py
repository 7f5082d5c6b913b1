"""Commands of `edgefleet-agent` that examine and measure: the device, packages, inference servers."""
