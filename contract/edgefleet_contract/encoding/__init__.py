"""Decoding with limits: JSON messages, TOML with line numbers for errors, names; unknown fields survive. Metrics as text."""
