"""Host process of a runtime: runs in the Python that has the vendor's library, and imports nothing of the agent.

    python host_loop.py FD ADAPTER

ADAPTER is a Python file that defines `ERRORS` (exceptions of its library, beside the usual ones), `lacking(error)` (what an error
says is missing: "device", "library", "versions" that fit each other, or ""), and `RUNTIME`, a class with `version()`,
`devices()`, `probe(device)` (what there is, as a text; it disturbs no program that uses the device) and
`load(files, device, options)`. The last returns a model with `device`, `inputs`, `outputs`, `run(inputs)` and `close()`. An
ADAPTER that cannot be imported lacks its library.

Frames over the socket FD, both ways: two little-endian 32-bit lengths, then JSON of the first length and raw bytes of the second,
which are the arrays in the order in which the JSON lists them. One reply to each request:

    {"op": "devices"}                                         -> {"devices": [...], "version": "2021.4.2"}
    {"op": "probe", "device": "..."}                          -> {"found": "..."}
    {"op": "load", "files": [...], "device": "...", "options": {...}}
                                                              -> {"model": 1, "inputs": [tensor, ...], "outputs": [...],
                                                                  "device": "...", "version": "..."}
    {"op": "infer", "model": 1, "arrays": [tensor, ...]} + bytes  -> {"arrays": [tensor, ...]} + bytes
    {"op": "unload", "model": 1}                              -> {}
    any failure                                               -> {"error": "...", "missing": what is lacking}

tensor = {"name": ..., "dtype": "float32", "shape": [1, 3, 300, 300]}, and `scale` and `zero_point` if it is quantized.

Works on Python 3.6 and later. The process ends with the agent, even in the middle of a run (unless the library holds the lock of
the interpreter), and after the agent's last request.
"""

import importlib.util
import json
import os
import select
import socket
import struct
import sys
import threading

import numpy as np

HEADER = struct.Struct("<II")
BYTES_MAX = 512 * 1024 * 1024
USUAL_ERRORS = (RuntimeError, ValueError, TypeError, LookupError, OSError, MemoryError)


class HostLoop:
    """The models of one runtime."""

    def __init__(self, line, path):
        self.line = line
        self.path = path
        self.adapter = None
        self.runtime = None
        self.models = {}
        self.count = 0

    def serve(self):
        """Answer requests until the socket is closed."""
        while True:
            header = self.read(HEADER.size)
            if header is None:
                break
            text_bytes, array_bytes = HEADER.unpack(header)
            if text_bytes + array_bytes > BYTES_MAX:
                raise SystemExit("frame exceeds the size limit")
            request = json.loads(self.read(text_bytes).decode())
            self.answer(request, self.read(array_bytes) if array_bytes else b"")
        for model in self.models.values():
            model.close()

    def answer(self, request, data):
        try:
            if self.adapter is None:
                self.adapter = imported(self.path)
        except (ImportError, OSError) as error:
            self.write({"error": str(error), "missing": "library"}, [])
            return
        try:
            if self.runtime is None:
                self.runtime = self.adapter.RUNTIME()
            reply, arrays = getattr(self, "do_" + request["op"])(request, data)
        except USUAL_ERRORS + tuple(self.adapter.ERRORS) as error:
            text = str(error) or "unexpected fault"
            reply, arrays = {"error": text, "missing": self.adapter.lacking(error)}, []
        self.write(reply, arrays)

    def do_devices(self, request, data):
        return {"devices": list(self.runtime.devices()), "version": self.runtime.version()}, []

    def do_probe(self, request, data):
        return {"found": self.runtime.probe(request["device"])}, []

    def do_load(self, request, data):
        model = self.runtime.load(request["files"], request["device"], request["options"])
        self.count += 1
        self.models[self.count] = model
        reply = {"model": self.count, "inputs": model.inputs, "outputs": model.outputs}
        return dict(reply, device=model.device, version=self.runtime.version()), []

    def do_infer(self, request, data):
        inputs, at = {}, 0
        for each in request["arrays"]:
            dtype = np.dtype(each["dtype"])
            count = int(np.prod(each["shape"]))
            inputs[each["name"]] = np.frombuffer(data, dtype, count, at).reshape(each["shape"])
            at += count * dtype.itemsize
        made = self.models[request["model"]].run(inputs)
        arrays = {name: np.ascontiguousarray(array) for name, array in made.items()}
        headers = [{"name": name, "dtype": str(array.dtype), "shape": list(array.shape)} for name, array in arrays.items()]
        return {"arrays": headers}, list(arrays.values())

    def do_unload(self, request, data):
        self.models.pop(request["model"]).close()
        return {}, []

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


def end_with_agent(descriptor):
    """End this process when the agent's end of the socket is gone, whatever the library is doing."""
    watch = select.poll()
    watch.register(descriptor, 0)  # only whether it was hung up
    watch.poll()
    os._exit(0)


def imported(path):
    spec = importlib.util.spec_from_file_location("adapter", path)
    adapter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(adapter)
    return adapter


def main():
    del sys.path[0]  # the folder of this file belongs to the agent
    descriptor, path = int(sys.argv[1]), sys.argv[2]
    threading.Thread(target=end_with_agent, args=(descriptor,), daemon=True).start()
    HostLoop(socket.socket(fileno=descriptor), path).serve()


if __name__ == "__main__":
    main()
