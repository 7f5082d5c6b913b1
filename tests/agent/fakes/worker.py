"""A worker process without cameras or models: `python worker.py --fd N`. The package's description sets its behaviour.

refuse     it cannot be loaded            crash     the process dies of SIGSEGV a moment after the load
errors     every frame is an error        frozen    no frame ever comes
silent     the process stops sending and does not end
disagrees  beside another package it answers otherwise

A pipeline with a zone called `refuse` is invalid.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import msgspec

from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import encode, from_plain
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.wire.messages import Event, PipelineGauges, Running, ShadowGauges
from edgefleet_contract.wire.reason_codes import Reason

KINDS = {kind.__struct_config__.tag: kind for kind in (wire.SetSlot, wire.ClearSlot, wire.SetPipelines, wire.Stop)}
FRAMES_A_BEAT = 5


class FakeWorker:
    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.lock = threading.Lock()
        self.packages: dict[str, tuple[str, str]] = {}
        self.frames: dict[str, int] = {}
        self.errors: dict[str, int] = {}
        self.pipelines: list[str] = []
        self.events = 0

    def say(self, message: wire.FromWorker) -> None:
        with self.lock:
            self.line.sendall(encode(message) + b"\n")

    def beat(self) -> None:
        for slot, (digest, what) in list(self.packages.items()):
            if "crash" in what:
                os.kill(os.getpid(), signal.SIGSEGV)
            if "silent" in what:
                time.sleep(3600)
            if self.pipelines and "frozen" not in what:
                self.frames[slot] = self.frames.get(slot, 0) + FRAMES_A_BEAT
            if "errors" in what:
                self.errors[slot] = self.errors.get(slot, 0) + 1
            if self.pipelines:
                self.events += 1
                self.say(wire.EventFound(event=Event(kind="line", id=f"{os.getpid()}-{self.events}", model_digest=digest)))
        self.say(
            wire.Heartbeat(
                monotonic_s=time.monotonic(), rss_bytes=1_000_000, frames_total=dict(self.frames), errors_total=dict(self.errors)
            )
        )
        gauges = {name: PipelineGauges(state="running", process_fps=10.0) for name in self.pipelines}
        shadows = {
            about: ShadowGauges(model_digest=digest, frames=FRAMES_A_BEAT, agreement=0.0 if "disagrees" in what else 1.0)
            for slot, (digest, what) in list(self.packages.items())
            if (about := shadowed(slot))
        }
        self.say(wire.Gauges(window_s=0.5, pipelines=gauges, shadows=shadows))

    def set_slot(self, message: wire.SetSlot) -> wire.Done:
        folder = Path(message.folder)
        manifest = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), "model.toml")
        if "refuse" in manifest.description:
            return wire.Done(request=message.request, ok=False, reason=Reason.MODEL_REFUSED, detail="it does not load")
        assert (folder / manifest.variants[0].files[0]).stat().st_size > 0
        self.packages[message.slot] = (message.digest, manifest.description)
        running = Running(package=message.package, version=message.version, digest=message.digest, placement="fake")
        return wire.Done(request=message.request, ok=True, running=running)

    def handle(self, line: bytes) -> bool:
        plain = msgspec.json.decode(line)
        message = from_plain(plain, KINDS[plain["type"]])
        if isinstance(message, wire.Stop):
            self.say(wire.EventFound(event=Event(kind="goodbye", id=f"{os.getpid()}-bye")))
            return False
        if isinstance(message, wire.SetSlot):
            self.say(self.set_slot(message))
        elif isinstance(message, wire.ClearSlot):
            self.packages.pop(message.slot, None)
            self.say(wire.Done(request=message.request, ok=True))
        elif isinstance(message, wire.SetPipelines):
            refused = {s.name: "it has no legs" for s in message.pipelines if any(z.name == "refuse" for z in s.zones)}
            self.pipelines = [spec.name for spec in message.pipelines]
            self.say(wire.Done(request=message.request, ok=not refused, refused=refused))
        return True


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    worker = FakeWorker(socket.socket(fileno=parser.parse_args().fd))

    def beats() -> None:
        while True:
            try:
                worker.beat()
            except OSError:
                os._exit(0)
            time.sleep(0.1)

    threading.Thread(target=beats, daemon=True).start()
    with worker.line.makefile("rb") as lines:
        for line in lines:
            if not worker.handle(line):
                return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
