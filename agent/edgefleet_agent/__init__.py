"""The edgefleet agent. This package imports only what every program has loaded: a device loads only the modules that it runs."""

import os

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")
"""Most pixels of a picture file that OpenCV decodes. It reads this when it is first imported; its own limit takes gigabytes."""
