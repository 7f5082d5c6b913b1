"""Frames through stages: one capture thread a camera, one scheduler a model, events out."""
