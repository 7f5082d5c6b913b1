"""Host process of `backends.ncs2.backend`: runs in an old Python with an old OpenVINO, and imports nothing of the agent.

    python host_process.py FD

Frames over the socket FD, both ways: two little-endian 32-bit lengths, then JSON of the first length and raw bytes of the second,
which are the arrays in the order in which the JSON lists them. One reply to each request:

    {"op": "devices"}                                     -> {"devices": ["MYRIAD", "CPU"], "version": "2021.4.2"}
    {"op": "load", "files": [...], "device": "MYRIAD"}    -> {"inputs": [tensor, ...], "outputs": [...], "version": ...}
    {"op": "infer", "arrays": [tensor, ...]} + bytes      -> {"arrays": [tensor, ...]} + bytes
    any failure                                           -> {"error": "...", "missing": true if the device is missing}

tensor = {"name": ..., "dtype": "float32", "shape": [1, 3, 300, 300]}. Works on Python 3.6 and later.
"""

import json
import socket
import struct
import sys

import numpy as np
from openvino.inference_engine import IECore

HEADER = struct.Struct("<II")
BYTES_MAX = 512 * 1024 * 1024
DTYPES = {"FP32": "float32", "FP16": "float16", "U8": "uint8", "I8": "int8", "I32": "int32", "I64": "int64", "BOOL": "bool"}


class HostProcess:
    """One model on one device."""

    def __init__(self, line):
        self.line = line
        self.core = IECore()
        self.network = None

    def serve(self):
        """Answer requests until the socket is closed."""
        while True:
            header = self.read(HEADER.size)
            if header is None:
                return
            text_bytes, array_bytes = HEADER.unpack(header)
            if text_bytes + array_bytes > BYTES_MAX:
                raise SystemExit("frame exceeds the size limit")
            request = json.loads(self.read(text_bytes).decode())
            self.answer(request, self.read(array_bytes) if array_bytes else b"")

    def answer(self, request, data):
        try:
            reply, arrays = getattr(self, "do_" + request["op"])(request, data)
        except (RuntimeError, ValueError, KeyError, OSError) as error:
            reply, arrays = {"error": str(error), "missing": is_missing(str(error))}, []
        self.write(reply, arrays)

    def do_devices(self, request, data):
        return {"devices": list(self.core.available_devices), "version": self.version()}, []

    def do_load(self, request, data):
        network = self.core.read_network(*request["files"][:2])
        self.network = self.core.load_network(network, request["device"], num_requests=1)
        given = [tensor(name, info.input_data.shape, info.precision) for name, info in network.input_info.items()]
        made = [tensor(name, blob.shape, blob.precision) for name, blob in network.outputs.items()]
        return {"inputs": given, "outputs": made, "version": self.version()}, []

    def do_infer(self, request, data):
        inputs, at = {}, 0
        for each in request["arrays"]:
            dtype = np.dtype(each["dtype"])
            count = int(np.prod(each["shape"]))
            inputs[each["name"]] = np.frombuffer(data, dtype, count, at).reshape(each["shape"])
            at += count * dtype.itemsize
        arrays = {name: np.ascontiguousarray(array) for name, array in self.network.infer(inputs).items()}
        headers = [{"name": name, "dtype": str(array.dtype), "shape": list(array.shape)} for name, array in arrays.items()]
        return {"arrays": headers}, list(arrays.values())

    def version(self):
        return self.core.get_versions("CPU")["CPU"].build_number.split("-")[0]

    def read(self, count):
        """Reads `count` bytes; None at the end of the stream."""
        parts = []
        while count:
            part = self.line.recv(min(count, 1 << 20))
            if not part:
                return None
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def write(self, reply, arrays):
        text = json.dumps(reply).encode()
        data = b"".join(array.tobytes() for array in arrays)
        self.line.sendall(HEADER.pack(len(text), len(data)) + text + data)


def tensor(name, shape, precision):
    return {"name": name, "dtype": DTYPES[precision], "shape": [int(side) for side in shape]}


def is_missing(error):
    """Whether the library's error means that the stick, its permissions or its USB library are missing."""
    return "Can not init Myriad device" in error or "Failed to create plugin" in error or "not registered" in error


if __name__ == "__main__":
    HostProcess(socket.socket(fileno=int(sys.argv[1]))).serve()
