"""Pixels: formats, resizing, preprocessing, masks, motion, drawing."""
