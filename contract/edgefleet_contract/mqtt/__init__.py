"""The MQTT client of agent and server, and the only package that uses paho: `client` and `session` load it."""
