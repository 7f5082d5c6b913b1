"""Connection to devices: MQTT client, managed broker, ingest, published documents, blocks, evidence."""
