"""From what somebody has (a bare model file, an OpenVINO IR, a Triton repository) to a package.

Files are read by small readers of our own: no runtime is loaded into the server or onto an operator's machine for that.
"""
