"""Inference over MQTT topics."""
