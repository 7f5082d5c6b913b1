"""Seeing, as pure functions: pixels and arrays in, detections, tracks and events out. No file, socket, clock or thread.

frame        one picture of a source, in the pixel layout the decoder gave
detections   the one value that passes between all stages
resize       planes of pixels from one size to another
paint        a frame of any layout as colour or grey of a given size
preprocess   a frame to a model's input tensor, and the way back for boxes
nms          of boxes that overlap, the best one
heads/       one file a model family: outputs by name to detections
boxes        overlaps of boxes
assignment   who belongs to whom at the least cost
kalman       how boxes move, in seconds
track        who is who over time
border       when something really came into the picture and left it
geometry     points, polygons and lines
stays        when a track was somewhere
crossings    when a track went over a line
coverage     how much was looked at
rules        zones, lines, visits, counts: tracks to events
answers      what was found, in the words of `infer --json`
draw         boxes on a picture, for people
"""
