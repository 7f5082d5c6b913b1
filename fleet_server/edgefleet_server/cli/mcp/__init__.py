"""`edgefleet mcp`: the Model Context Protocol server of the fleet."""
