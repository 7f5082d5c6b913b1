"""What is done to models on a workstation or a device before they are pushed: quantize, measure, fetch, convert.

Heavy libraries are imported when they are needed; models run in children of the agent, never in this process.
"""
