"""`edgefleet apply`: a fleet described in files."""
