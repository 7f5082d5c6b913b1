"""The project's own detector for a conveyor camera: trained, exported and measured by the scripts of this folder."""
