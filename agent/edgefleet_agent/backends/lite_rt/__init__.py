"""LiteRT on the CPU and on Edge TPUs."""
