"""The commands of `edgefleet-agent`, one file each, and the one place that builds objects and joins the rooms."""
