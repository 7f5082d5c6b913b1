"""Commands of `edgefleet-agent`, one file each. They parse arguments and compose the packages below, without logic of their
own."""
