"""A classifier of bearing vibration, trained on a simulation of its own. The device needs nothing of this but the packages."""
