"""Decoding with limits: JSON messages, TOML with line numbers for errors, names. Unknown fields are preserved."""
