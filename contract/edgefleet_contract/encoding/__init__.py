"""Bytes and text to values with limits: JSON messages, TOML with the line at fault, names. Unknown fields survive."""
