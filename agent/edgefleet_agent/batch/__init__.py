"""A model over an archive: pictures, videos, tables; many processes, resumable.

units    what there is to do, cut into pieces
work     one piece with the model: records out
store    finished pieces on disk, and the output made of them
engines  who does the pieces: processes of this machine, or Ray
"""
