"""Answers that were given before, for models that say `response_cache { enable: true }`.

Equal inputs to the same model file give the same answer without a run. Keys hold the digest of the model's files, so that a
reload of the same version keeps what is there and another one finds nothing. Bounded in bytes; the answer that was not asked
for longest goes first.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from edgefleet_agent.serving.engine.dynamic_batcher import Answer, QueuedRequest
from edgefleet_agent.serving.engine.model_registry import ModelPool
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array, to_raw

CACHE_BYTES = 64 * 1024 * 1024
ENTRY_BYTES = 512
"""What an entry costs beside its tensors."""
READ_BYTES = 1024 * 1024


class ResponseCache:
    """Least recently used answers; any thread."""

    def __init__(self, bytes_max: int = CACHE_BYTES) -> None:
        self._bytes_max = bytes_max
        self._entries: OrderedDict[bytes, tuple[dict[str, Array], int]] = OrderedDict()
        self._lock = threading.Lock()
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: bytes) -> dict[str, Array] | None:
        """The outputs, None where they are not known. They must not be changed."""
        with self._lock:
            known = self._entries.get(key)
            if known is None:
                return None
            self._entries.move_to_end(key)
            return known[0]

    def keep(self, key: bytes, outputs: Mapping[str, Array]) -> None:
        """Remember a copy of the outputs."""
        size = ENTRY_BYTES + sum(_size(array) for array in outputs.values())
        if size > self._bytes_max:
            return
        copied = {name: array.copy() for name, array in outputs.items()}
        with self._lock:
            before = self._entries.pop(key, None)
            if before is not None:
                self.size_bytes -= before[1]
            self._entries[key] = copied, size
            self.size_bytes += size
            while self.size_bytes > self._bytes_max:
                _, (_, freed) = self._entries.popitem(last=False)
                self.size_bytes -= freed


class CachedPool:
    """An engine with a cache before it. digest: of the model's files."""

    def __init__(self, engine: ModelPool, cache: ResponseCache, digest: bytes) -> None:
        self._engine = engine
        self._cache = cache
        self._digest = digest

    @property
    def instances(self) -> int:
        """Of the engine."""
        return self._engine.instances

    @property
    def signature(self) -> TensorSignature:
        """Of the engine."""
        return self._engine.signature

    @property
    def statistics(self) -> Statistics:
        """Of the engine, where hits and misses are counted too."""
        return self._engine.statistics

    @property
    def pending(self) -> int:
        """Requests that wait."""
        return self._engine.pending

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Answer from the cache, or compute and remember.

        Raises:
            CallError: as the engine's `put`.
        """
        began_ns = time.monotonic_ns()
        key = key_of(self._digest, ticket.inputs)
        known = self._cache.find(key)
        looked_ns = time.monotonic_ns() - began_ns
        if known is not None:
            self.statistics.hit(ticket.arrived_ns, time.monotonic_ns(), looked_ns)
            ticket.done(known, self.signature)
            return
        answer = ticket.done

        def done(found: Answer, signature: TensorSignature) -> None:
            if not isinstance(found, CallError):
                stored_ns = time.monotonic_ns()
                self._cache.keep(key, found)
                self.statistics.missed(looked_ns + time.monotonic_ns() - stored_ns)
            answer(found, signature)

        ticket.done = done
        self._engine.put(ticket, priority, timeout_us)

    def close(self) -> None:
        """Close the engine; what is remembered stays for the next one with the same files."""
        self._engine.close()


def digest_of(files: tuple[Path, ...]) -> bytes:
    """What makes the answers of a model its own: the bytes of its files."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(READ_BYTES):
                digest.update(block)
    return digest.digest()


def key_of(digest: bytes, inputs: Mapping[str, Array]) -> bytes:
    """The key of a request: every byte, type, shape and name counts."""
    key = hashlib.blake2b(digest, digest_size=32)
    for name in sorted(inputs):
        array = inputs[name]
        key.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        key.update(to_raw(array))
    return key.digest()


def _size(array: Array) -> int:
    return array.nbytes if array.dtype.kind != "O" else len(to_raw(array)) + 64 * array.size
