"""Pinned memory: arrays on pages of their own, released when the last array is gone. On a GPU: tests/long/test_nvidia_gpu.py."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from edgefleet_agent.backends.onnx_runtime.pinned_memory import PinnedMemory, pinned_memory


class Runtime:
    """Records what the CUDA runtime is asked for. code: its answer."""

    def __init__(self, code: int = 0) -> None:
        self.pinned: dict[int, int] = {}

        def register(address: int, size: int, _flags: int) -> int:
            self.pinned |= {address: size} if code == 0 else {}
            return code

        def unregister(address: int) -> int:
            del self.pinned[address]
            return 0

        functions: dict[str, Callable[..., Any]] = {"cudaHostRegister": register, "cudaHostUnregister": unregister}
        self.library = cast("ctypes.CDLL", SimpleNamespace(**functions))


@pytest.mark.parametrize("shape", [(1, 10), (), (2, 0), (1, 3, 416, 416)])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.bool_])
def test_an_array_has_pages_of_its_own_for_as_long_as_it_is_used(shape: tuple[int, ...], dtype: Any) -> None:
    runtime = Runtime()
    memory = PinnedMemory(runtime.library)
    array, other = memory.array(shape, np.dtype(dtype)), memory.array(shape, np.dtype(dtype))
    assert (array.shape, array.dtype) == (shape, dtype)
    assert len(runtime.pinned) == 2
    assert all(address % mmap.PAGESIZE == 0 and size >= array.nbytes for address, size in runtime.pinned.items())
    array[...] = 1
    part = array.reshape(-1)[:1]
    del array, other
    assert len(runtime.pinned) == 1  # of which a part is in use
    assert part.size == 0 or part[0] == 1
    del part
    assert not runtime.pinned


def test_an_array_that_cannot_be_pinned_is_an_ordinary_one() -> None:
    runtime = Runtime(code=801)
    array = PinnedMemory(runtime.library).array((2, 3), np.dtype(np.float32))
    array[...] = 2
    assert (array.sum(), runtime.pinned) == (12, {})


def test_a_process_without_cuda_has_none() -> None:
    assert pinned_memory() is None
