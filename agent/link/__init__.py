"""The line to the server: MQTT, the outbox on disk, block transfer, reports."""
