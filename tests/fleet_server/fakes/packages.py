"""Small packages for the server, which hashes and serves bytes and never runs them."""

from __future__ import annotations

import io
import json
import random
import tarfile

MANIFEST = """\
name = "{name}"
version = "{version}"
task = "detection"
title = "Test model"
licence = "Apache-2.0"
labels = ["person"]

[head]
family = "yolox"

[[inputs]]
name = "image"
shape = [1, 32, 32, 3]

[[variants]]
name = "cpu-int8"
format = "tflite"
files = ["model.tflite"]
runtimes = ["lite_rt"]
precision = "int8"
profiles = {profiles}

[[golden]]
input = "golden/one.jpg"
expect = "golden/one.json"
"""


def files(
    name: str = "spotter", version: str = "1.0.0", size: int = 300_000, profiles: str = "[]", seed: int = 1
) -> dict[str, bytes]:
    """The files of a package, by path."""
    return {
        "model.toml": MANIFEST.format(name=name, version=version, profiles=profiles).encode(),
        "model.tflite": random.Random(f"{name}{version}{seed}").randbytes(size),
        "golden/one.jpg": b"\xff\xd8 not looked at by the server",
        "golden/one.json": json.dumps([{"label": "person", "score": 0.9, "box": [1, 2, 3, 4]}]).encode(),
    }


def tar(contents: dict[str, bytes], prefix: str = "./") -> bytes:
    """A plain tar of files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, data in contents.items():
            member = tarfile.TarInfo(prefix + path)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()
