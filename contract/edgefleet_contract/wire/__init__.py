"""MQTT messages and topics, reason codes, enrolment, evidence upload, download tickets, sealed blocks. Pure."""
