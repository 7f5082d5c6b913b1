"""The supervising process: observes, plans with `updates`, executes actions, keeps the worker alive, answers commands."""
