"""Delivery of notices about alerts: which recipients get which, queues, HTTP and mail."""
