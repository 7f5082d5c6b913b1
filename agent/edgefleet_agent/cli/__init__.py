"""Commands of `edgefleet-agent`, one file each. They parse arguments and compose the packages below; no logic of their own."""
