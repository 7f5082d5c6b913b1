"""Pipelines: sources, stages, graphs, rules, and their validation. Pure; nothing here runs a stage."""
