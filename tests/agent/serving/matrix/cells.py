"""The cells of the matrix: which exist, and why the others do not."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from edgefleet_agent.serving.protocol.tensors import DTYPES
from tests.agent.serving.matrix.models import SHAPES, SUFFIXES

WAYS = (
    "HTTP JSON",
    "HTTP binary aligned",
    "HTTP binary unaligned",
    "gRPC raw",
    "gRPC typed",
    "shared memory",
    "picture",
    "clip",
    "TF Serving",
    "generate",
    "MQTT",
    "ensemble",
    "sequence",
    "load",
)
ORDINARY = ("UINT8", "fixed")
"""The one data type and batch of pictures and clips: those of the package's model."""


class Cell(NamedTuple):
    """One combination."""

    runtime: str
    way: str
    datatype: str
    batch: str


def every_cell() -> list[Cell]:
    """All combinations, also those that cannot exist."""
    return [Cell(*each) for each in itertools.product(SUFFIXES, WAYS, DTYPES, SHAPES)]


def impossible(cell: Cell) -> str:
    """The reason why a cell cannot exist; empty if it exists."""
    runtime, way, datatype, batch = cell
    if (runtime, datatype) == ("lite_rt", "BF16"):
        return "LiteRT has no arrays of BF16"
    if way in ("picture", "clip"):
        if runtime == "faulty":
            return "pictures go to packages with a head; the plug-in has none"
        return "" if (datatype, batch) == ORDINARY else "the package's model has one type and one batch"
    if datatype == "BF16" and way in ("HTTP JSON", "gRPC typed", "TF Serving", "generate"):
        return "BF16 has no numbers in JSON and no typed contents"
    if datatype == "FP16" and way == "gRPC typed":
        return "FP16 has no typed contents"
    if way == "HTTP binary unaligned" and DTYPES[datatype].itemsize == 1:
        return "a type of one byte is always aligned"
    if way == "HTTP binary unaligned" and datatype == "BYTES":
        return "texts are never used in place"
    if way == "sequence" and batch != "open":
        return "a sequence is one row of a batch"
    return ""
