"""Models: import, quantize, analyze, push."""
