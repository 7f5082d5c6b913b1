"""Threads and priorities: model threads, runner, background work, shadow versions, the worker's server."""
