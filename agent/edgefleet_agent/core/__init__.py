"""Clock, plug-in tables, log fields, memory. Imports no other package of the agent."""
