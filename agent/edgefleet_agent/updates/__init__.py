"""Desired against observed: a pure plan, one action a turn, then look again."""
