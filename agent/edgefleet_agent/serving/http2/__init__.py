"""The server side of HTTP/2 without I/O: bytes in, events out, bytes to send. No socket, thread or clock; time is an argument."""
