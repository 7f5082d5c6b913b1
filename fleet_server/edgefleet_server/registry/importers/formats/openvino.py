"""Reads OpenVINO IR: the network in XML, its weights in a `.bin` of the same name."""

from __future__ import annotations

import re
import struct
from collections import Counter
from mmap import mmap
from pathlib import Path
from typing import Any
from xml.parsers import expat

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.base import weights_of
from edgefleet_server.registry.importers.formats.openvino_graph import IrGraph

VERSION_OLDEST = 10
"""IR of 2020 and later; OpenVINO dropped the older ones in 2022."""
_DTYPES = {"f32": "float32", "f16": "float16", "u8": "uint8", "i8": "int8", "i32": "int32", "i64": "int64", "FP32": "float32"}
_DTYPES |= {"FP16": "float16", "U8": "uint8", "I8": "int8", "I32": "int32", "I64": "int64", "boolean": "bool", "BOOL": "bool"}
_DTYPES |= {"FP64": "float64", "U16": "uint16", "I16": "int16", "U32": "uint32", "U64": "uint64"}


class _Reader:
    """Collects the layers, their ports and the edges. A document type is refused: its entities can expand a small file without
    limit.
    """

    def __init__(self) -> None:
        self.version = 0
        self.layers: list[dict[str, Any]] = []
        self.edges: list[dict[str, str]] = []
        self._port: dict[str, Any] | None = None
        self._side = ""
        self._text = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._text = ""
        if tag == "net":
            self.version = int(attributes.get("version", "0"))
        elif tag == "layer":
            self.layers.append({**attributes, "ports": []})
        elif tag == "edge":
            self.edges.append(attributes)
        elif tag in ("input", "output"):
            self._side = tag
        elif tag == "data" and self.layers:
            self.layers[-1]["data"] = attributes
        elif tag == "port" and self.layers:
            self._port = {**attributes, "side": self._side, "dims": []}
            self.layers[-1]["ports"].append(self._port)

    def end(self, tag: str) -> None:
        if tag == "dim" and self._port is not None:
            self._port["dims"].append(int(self._text))
        elif tag == "port":
            self._port = None

    def text(self, content: str) -> None:
        self._text += content


def read_ir(path: Path, data: bytes | mmap) -> ModelFile:
    """Parameters and results of the network.

    Raises:
        ManifestError: not an IR, or a damaged one.
    """
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = reader.start, reader.end, reader.text
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError) as cause:
        raise ManifestError(f"{path}: not a whole OpenVINO IR; convert it again") from cause
    weights = path.with_suffix(".bin")
    if not reader.layers:
        raise ManifestError(f"{path}: not an OpenVINO IR; give the .xml file of a converted model")
    if not weights.is_file():
        raise ManifestError(f"{path}: its weights are not beside it; put {weights.name} there")
    faults: tuple[str, ...] = ()
    if reader.version < VERSION_OLDEST:
        faults = (f"an IR of version {reader.version}, which no OpenVINO since 2022 reads; convert the model again",)
    kinds = frozenset(_kind(layer) for layer in reader.layers)
    graph = IrGraph(reader.layers, reader.edges, weights)
    try:
        inputs = tuple(
            graph.quantized(layer, _port(layer, "output"))
            for layer in reader.layers
            if layer.get("type") in ("Parameter", "Input")
        )
        classes = graph.classes()
        stored = weights_of(_stored_numbers(reader))
    except (OSError, ValueError, struct.error) as cause:
        raise ManifestError(f"{path}: not a whole OpenVINO IR, or {weights.name} is not of it; convert it again") from cause
    return ModelFile(
        *(path, "openvino_ir", inputs, _outputs(reader), kinds),
        files=(path, weights),
        faults=faults,
        weights=stored,
        classes=classes,
    )


def _stored_numbers(reader: _Reader) -> Counter[str]:
    """The count of numbers in constants, by type."""
    counts: Counter[str] = Counter()
    for layer in reader.layers:
        data = layer.get("data", {})
        bits = re.fullmatch(r"[a-z]+([1-9]\d{0,2})", str(data.get("element_type", "")))
        if layer.get("type") == "Const" and bits:
            counts[_DTYPES.get(data["element_type"], "")] += int(data.get("size", 0)) * 8 // int(bits[1])
    return counts


def _kind(layer: dict[str, Any]) -> str:
    """The kind of a layer; layers of an opset that OpenVINO does not include come from an extension and are custom operators."""
    opset = str(layer.get("version", "opset1"))
    known = opset.startswith(("opset", "ie_internal_opset", "type_relaxed_opset"))
    return str(layer.get("type", "")) if known else f"custom:{opset}.{layer.get('type', '')}"


def _outputs(reader: _Reader) -> tuple[Tensor, ...]:
    """Inputs of the Result nodes, by the names that the runtime gives them."""
    by_id = {layer.get("id"): layer for layer in reader.layers}
    found = []
    for edge in reader.edges:
        result, source = by_id.get(edge.get("to-layer")), by_id.get(edge.get("from-layer"))
        if result is None or source is None or result.get("type") != "Result":
            continue
        ports: list[dict[str, Any]] = [each for each in source["ports"] if each.get("id") == edge.get("from-port")]
        port = ports[0] if ports else {"dims": []}
        found.append(_tensor(source, port))
    return tuple(found)


def _port(layer: dict[str, Any], side: str) -> Tensor:
    ports = [port for port in layer["ports"] if port["side"] == side]
    return _tensor(layer, ports[0] if ports else {"dims": []})


def _tensor(layer: dict[str, Any], port: dict[str, Any]) -> Tensor:
    names = str(port.get("names", "")).split(",")
    precision = str(port.get("precision", ""))
    return Tensor(names[0] or str(layer.get("name", "")), tuple(port["dims"]), _DTYPES.get(precision, precision))


def _refuse(*_: object) -> None:
    raise ValueError("a document type")
