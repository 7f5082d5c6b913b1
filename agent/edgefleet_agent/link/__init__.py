"""The line to the server: MQTT, the outbox on disk, block transfer, reports.

mqtt       one broker connection at a time; the only place that knows paho
boot       which boot and connection this is: counters that survive a restart
outbox     telemetry and events on disk until the server's database has them
blobs      asks for blocks, a window at a time, and checks what comes
reporter   the device's account: only what changed, at most once a second
"""
