"""Sensor series: windows, features, anomaly scores, episodes. Pure."""
