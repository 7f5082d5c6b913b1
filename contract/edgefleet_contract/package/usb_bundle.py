"""A package on a USB stick: a folder with `bundle.json` and `blobs/`, the same bytes and names as over the network.

The signed metadata among the blobs decides which packages may run, not the owner of the stick.
"""

from __future__ import annotations

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.wire.messages import MetadataFile, SlotTarget

BUNDLE_FILE = "bundle.json"
BLOBS_FOLDER = "blobs"


class UsbBundle(Wire):
    """`bundle.json`: one package, and the files of signed metadata (each a blob) that allow it."""

    target: SlotTarget
    trust: list[MetadataFile]
    made_at: float = 0.0
