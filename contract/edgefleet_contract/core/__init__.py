"""Foundations that agent and server share: errors, atomic files, msgspec set-up. The only package here that touches files."""
