"""Contract tests for authors of plug-ins: `pytest --pyargs edgefleet_agent.plugin_tests`. They test every installed plug-in."""
