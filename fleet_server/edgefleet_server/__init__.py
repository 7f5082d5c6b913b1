"""The office: model registry, rollouts, telemetry, dashboard. See DESIGN §7. Imports nothing: a command pays for what it uses."""
