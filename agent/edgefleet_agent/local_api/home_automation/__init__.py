"""Frigate's topics and Home Assistant's discovery on a broker of the site."""
