"""Requests to results: batching, sequences, ensembles, instances, caches. Knows no protocol."""
