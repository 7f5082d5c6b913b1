"""Connection to the fleet server: MQTT client, outbox on disk, block transfer, reports, TLS. Decides nothing about updates."""
