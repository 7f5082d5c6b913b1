"""REST API and server-sent events. Routes are thin: parse, call services, queries or domain, respond."""
