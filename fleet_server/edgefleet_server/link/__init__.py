"""The line to the devices: MQTT, the managed broker, ingest, desired documents, blocks."""
