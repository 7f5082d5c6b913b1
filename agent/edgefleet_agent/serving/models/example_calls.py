"""Command lines that call a served model with its own inputs: one with `curl`, one with `tritonclient`. Pure."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import dataclass
from typing import Any

from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import datatype_of
from edgefleet_agent.vision.heads.base import TensorSpec

JSON_ELEMENTS_MAX = 64
"""Elements of a tensor that are written as JSON; larger ones are sent as bytes."""
EXAMPLES_MAX = 3
"""Models that `serve` prints examples of."""
_TEXT_BYTES = 4
"""Size of an empty text as bytes: its length."""
_EMPTY: dict[str, Any] = {"BYTES": "", "BOOL": False}
_LOCAL = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]", "::": "[::1]", "": "127.0.0.1"}  # noqa: S104 - it is compared, not bound
"""Address that listens everywhere -> the one that this machine calls."""


@dataclass(frozen=True, slots=True)
class ExampleServer:
    """The server of the calls. address: HOST:PORT or unix:PATH. certificate: its own, if it has TLS. keys: it requires one."""

    address: str
    certificate: str = ""
    keys: bool = False

    @property
    def host(self) -> str:
        """HOST:PORT that this machine reaches the server at."""
        host, _, port = self.address.rpartition(":")
        return f"{_LOCAL.get(host, host)}:{port}"


def example_shape(spec: TensorSpec) -> list[int]:
    """The smallest shape of an input: open axes have length 1."""
    return [1 if side < 0 else side for side in spec.shape]


def curl_line(signature: TensorSignature, server: ExampleServer, *, sequences: bool = False) -> str:
    """A shell command that sends zeros, or empty texts, and prints the answer. sequences: the model requires a sequence."""
    inputs: list[dict[str, Any]] = []
    raw_bytes = 0
    for spec in signature.inputs:
        shape, datatype = example_shape(spec), datatype_of(spec.dtype)
        entry: dict[str, Any] = {"name": spec.name, "shape": shape, "datatype": datatype}
        count = math.prod(shape)
        if count <= JSON_ELEMENTS_MAX and datatype != "BF16":
            entry["data"] = [_EMPTY.get(datatype, 0)] * count
        else:
            size = count * (_TEXT_BYTES if datatype == "BYTES" else spec.dtype.itemsize)
            entry["parameters"] = {"binary_data_size": size}
            raw_bytes += size
        inputs.append(entry)
    body: dict[str, Any] = {"inputs": inputs}
    if sequences:
        body["parameters"] = {"sequence_id": 1, "sequence_start": True, "sequence_end": True}
    readable = all(datatype_of(spec.dtype) != "BF16" for spec in signature.outputs)
    if not readable:
        body["parameters"] = {**body.get("parameters", {}), "binary_data_output": True}
    text = json.dumps(body, separators=(",", ":"))
    words = ["curl", "-s"]
    if server.address.startswith("unix:"):
        words += ["--unix-socket", server.address.removeprefix("unix:")]
    words += ["--cacert", server.certificate] if server.certificate else []
    host = "localhost" if server.address.startswith("unix:") else server.host
    url = f"{'https' if server.certificate else 'http'}://{host}/v2/models/{signature.model}/infer"
    line = shlex.join([*words, url])
    if server.keys:
        line += ' -H "X-API-Key: $KEY"'
    dump = "" if readable else " | od -An -c | head"
    if not raw_bytes:
        return f"{line} -d {shlex.quote(text)}{dump}"
    line += f" -H 'Inference-Header-Content-Length: {len(text.encode())}' --data-binary @-"
    return f"{{ printf %s {shlex.quote(text)}; head -c {raw_bytes} /dev/zero; }} | {line}{dump}"


def client_line(signature: TensorSignature, server: ExampleServer, *, sequences: bool = False) -> str:
    """A shell command that does the same with the Python module `tritonclient`; empty where that cannot reach the server, or
    has no form of an input's type that all its versions take (BF16)."""
    if server.address.startswith("unix:") or any(datatype_of(spec.dtype) == "BF16" for spec in signature.inputs):
        return ""
    lines = ["import numpy as np, tritonclient.http as http"]
    secure = ""
    if server.certificate:
        lines[0] += ", gevent.ssl as ssl"
        context = f"lambda: ssl.create_default_context(cafile={server.certificate!r})"
        secure = f", ssl=True, ssl_context_factory={context}"
    lines.append(f"client = http.InferenceServerClient({server.host!r}{secure})")
    for index, spec in enumerate(signature.inputs):
        shape, datatype = example_shape(spec), datatype_of(spec.dtype)
        lines.append(f"i{index} = http.InferInput({spec.name!r}, {shape}, {datatype!r})")
        array = f"np.full({shape}, b'', object)" if datatype == "BYTES" else f"np.zeros({shape}, np.{_numpy_name(spec)})"
        lines.append(f"i{index}.set_data_from_numpy({array})")
    extra = ", sequence_id=1, sequence_start=True, sequence_end=True" if sequences else ""
    if server.keys:
        lines[0] += ", os"
        extra += ", headers={'X-API-Key': os.environ['KEY']}"
    names = ", ".join(f"i{index}" for index in range(len(signature.inputs)))
    lines.append(f"answer = client.infer({signature.model!r}, [{names}]{extra})")
    outputs = ", ".join(f"answer.as_numpy({spec.name!r})" for spec in signature.outputs)
    lines.append(f"print({outputs})")
    return f"python3 -c {shlex.quote('; '.join(lines))}"


def _numpy_name(spec: TensorSpec) -> str:
    """The NumPy type that `tritonclient` takes for an input."""
    return "bool_" if datatype_of(spec.dtype) == "BOOL" else spec.dtype.name
