"""Comparison of desired and observed state: a pure plan of actions for models, pipelines and the agent itself; self-tests and
trials."""
