"""The worker process and its client: starting and watching it, requests, trials, gauges."""
