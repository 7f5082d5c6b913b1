"""Seeing, as pure functions: pixels and arrays in, detections, tracks and events out. No file, socket, clock or thread.

frame        one picture of a source, in the pixel layout the decoder gave
detections   the one value that passes between all stages
preprocess   a frame to a model's input tensor, and the way back for boxes
heads/       one file a model family: outputs by name to detections
track        who is who over time
rules        zones, lines, visits, counts: tracks to events
draw         boxes on a picture, for people
"""
