"""Confidence intervals, sequential tests, quantile sketches, experiments."""
