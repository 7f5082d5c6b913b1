"""The edgefleet fleet server: model registry, rollouts, telemetry, dashboard, operator commands. Imports nothing at the top."""
