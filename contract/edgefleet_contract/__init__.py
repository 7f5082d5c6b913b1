"""The wire contract: everything that device and fleet server say to each other, and nothing else.

Pure values: no file, socket, clock or thread here. The only room of the device that the server may import.

    codec       bytes <-> messages, with limits; unknown fields survive a round trip
    names       what a device, package, slot, blob may be called
    topics      where each message travels
    reasons     why an update ended as it did
    messages    presence, reported, desired, telemetry, events, acks, commands, block requests
    manifest    `model.toml`, and the package descriptor whose SHA-256 is the package's digest
    blob        what a blob must be, block by block
    profile     what a device can do
    pipeline    one source and its stages, zones, lines, rules
    fleet_pipeline  the same for many devices, as it comes from the fleet
    worker      what supervisor and worker say to each other on one device
    toml        TOML text -> a struct, with the line at fault
"""
