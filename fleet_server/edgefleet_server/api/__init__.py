"""REST API and server-sent events. Routes are thin: parse, call queries or domain, answer."""
