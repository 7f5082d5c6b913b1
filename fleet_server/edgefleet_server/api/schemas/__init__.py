"""Bodies of the REST API v1. Times (`*_at`) are float seconds since 1970, durations end in `_s`, sizes in `_bytes`.

`docs/openapi.json` is generated from the models of this package, and is a contract. The telemetry models mirror
`edgefleet_contract.wire.messages` field by field (a test compares them), because the dashboard's types are generated from here.
"""
