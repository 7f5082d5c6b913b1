"""Live video: a camera's packets as fragments of an MP4 stream, sent to the server while it has viewers."""
