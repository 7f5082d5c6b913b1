"""Execution of pipelines: camera and sensor graphs, models, scheduling, metrics. Algorithms are in `vision` and `signal`."""
