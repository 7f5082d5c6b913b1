"""The faces of the device to its neighbours: a status page with live pictures, REST, metrics, topics for home automation."""
