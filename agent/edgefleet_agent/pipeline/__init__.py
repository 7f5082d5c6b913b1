"""Pipelines at work: camera and sensor graphs, models, scheduling, metrics. Algorithms are in `vision` and `signal`."""
