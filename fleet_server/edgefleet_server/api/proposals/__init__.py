"""Proposals: requests that take effect when a person approves them."""
