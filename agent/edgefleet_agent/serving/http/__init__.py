"""HTTP/1.1: connection, routes, bodies, extensions, server-sent events."""
