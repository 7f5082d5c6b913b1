"""Response cache of models with `response_cache { enable: true }`.

Equal inputs to the same model files give the same answer without a run. Keys include the digest of the model's files, so that a
reload of the same version keeps its entries. The cache is bounded in bytes and evicts the least recently used answer.
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
"""Memory of an entry besides its tensors."""
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
        """The cached outputs, which must not be changed; None if there are none."""
        with self._lock:
            known = self._entries.get(key)
            if known is None:
                return None
            self._entries.move_to_end(key)
            return known[0]

    def store(self, key: bytes, outputs: Mapping[str, Array]) -> None:
        """Store a copy of the outputs."""
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
    """A pool with a cache in front of it. digest: of the model's files."""

    def __init__(self, engine: ModelPool, cache: ResponseCache, digest: bytes) -> None:
        self._engine = engine
        self._cache = cache
        self._digest = digest

    @property
    def instances(self) -> int:
        """The value of the wrapped pool."""
        return self._engine.instances

    @property
    def signature(self) -> TensorSignature:
        """The value of the wrapped pool."""
        return self._engine.signature

    @property
    def statistics(self) -> Statistics:
        """The statistics of the wrapped pool, including cache hits and misses."""
        return self._engine.statistics

    @property
    def pending(self) -> int:
        """Queued requests."""
        return self._engine.pending

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Answer from the cache, or compute and store the answer.

        Raises:
            CallError: the queue is full, or the model is being unloaded.
        """
        began_ns = time.monotonic_ns()
        key = key_of(self._digest, request.inputs)
        known = self._cache.find(key)
        lookup_ns = time.monotonic_ns() - began_ns
        if known is not None:
            self.statistics.hit(request.arrived_ns, time.monotonic_ns(), lookup_ns)
            request.done(known, self.signature)
            return
        answer = request.done

        def done(found: Answer, signature: TensorSignature) -> None:
            if not isinstance(found, CallError):
                stored_ns = time.monotonic_ns()
                self._cache.store(key, found)
                self.statistics.missed(lookup_ns + time.monotonic_ns() - stored_ns)
            answer(found, signature)

        request.done = done
        self._engine.put(request, priority, timeout_us)

    def close(self) -> None:
        """Close the pool; its entries stay for the next pool with the same files."""
        self._engine.close()


def digest_of(files: tuple[Path, ...]) -> bytes:
    """The digest of a model's files."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(READ_BYTES):
                digest.update(block)
    return digest.digest()


def key_of(digest: bytes, inputs: Mapping[str, Array]) -> bytes:
    """The cache key of a request: a digest of names, types, shapes and bytes."""
    key = hashlib.blake2b(digest, digest_size=32)
    for name in sorted(inputs):
        array = inputs[name]
        key.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        key.update(to_raw(array))
    return key.digest()


def _size(array: Array) -> int:
    return array.nbytes if array.dtype.kind != "O" else len(to_raw(array)) + 64 * array.size
