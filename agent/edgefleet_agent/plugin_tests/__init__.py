"""Contract tests for authors of plug-ins: `python -m edgefleet_agent.plugin_tests`. They test every installed plug-in."""
