"""Pipelines: sources, stages, graphs, rules, and their validation. Pure; it does not run stages."""
