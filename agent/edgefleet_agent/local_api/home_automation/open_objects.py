"""Objects whose `new` the broker has and whose `end` it has not: they get it when the broker is back, and from the next worker if
this one is killed.

Each message about an object is appended to a file, which is not flushed: a power cut may lose the last ones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from edgefleet_agent.local_api.home_automation.tracked_objects import Message
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.errors import StoreError

FILE = "home-objects.jsonl"
FILE_BYTES_MAX = 512 * 1024
OPEN_MAX = 2048
"""Limit of remembered objects."""


class OpenObjects:
    """path: of the file; None: nothing is kept for another worker. earlier_over: whether the workers before this one have
    ended."""

    def __init__(self, path: Path | None = None, earlier_over: Callable[[], bool] = lambda: True) -> None:
        self._path = path
        self._earlier_over = earlier_over
        self._read = path is None
        self._open: dict[str, Message] = {}  # the last state by id
        self._due: dict[str, Message] = {}
        self._size = 0

    def note(self, message: Message, *, published: bool) -> None:
        """Remember what the broker knows of an object after this message."""
        state = message["after"]
        name = state["id"]
        if message["type"] != "end":
            if published and (name in self._open or len(self._open) < OPEN_MAX):
                self._open[name] = state
                self._append(state)
        elif self._open.pop(name, None) is not None:
            if published:
                self._append({"id": name})
            else:
                self._due[name] = state
                self._append(state)

    def take_due(self) -> list[Message]:
        """The messages `end` that the broker lacks; `note_sent` confirms each."""
        if not self._read and self._earlier_over():
            self._read = True
            self._due |= {name: state for name, state in self._left().items() if name not in self._open}
            self._write_anew()
        return [{"type": "end", "before": state, "after": _over(state)} for state in self._due.values()]

    def note_sent(self, message: Message) -> None:
        """The broker has this `end`."""
        self._due.pop(message["after"]["id"], None)
        self._append({"id": message["after"]["id"]})

    def _left(self) -> dict[str, Message]:
        """The objects of the file that have not ended."""
        left: dict[str, Message] = {}
        with contextlib.suppress(OSError):
            for line in self._path.read_bytes().splitlines() if self._path is not None else ():
                with contextlib.suppress(msgspec.DecodeError, KeyError, TypeError):
                    state = msgspec.json.decode(line)
                    if "frame_time" in state:
                        left[state["id"]] = state
                    else:
                        left.pop(state["id"], None)
        return left

    def _append(self, state: Message) -> None:
        if self._path is None:
            return
        if self._size > FILE_BYTES_MAX and self._read:
            self._write_anew()
            return
        line = msgspec.json.encode(state) + b"\n"
        with contextlib.suppress(OSError), self._path.open("ab", buffering=0) as file:
            self._size = file.tell() + len(line)
            file.write(line)

    def _write_anew(self) -> None:
        """Write the file with what is open alone. It is left as it is where the disk does not take it."""
        if self._path is None:
            return
        lines = b"".join(msgspec.json.encode(state) + b"\n" for state in (*self._open.values(), *self._due.values()))
        with contextlib.suppress(StoreError):
            if lines:
                write_atomic(self._path, lines)
            else:
                self._path.unlink(missing_ok=True)
        self._size = len(lines)


def _over(state: Message) -> Message:
    """The last state of an object, which ended then unless it says when."""
    return state if state["end_time"] is not None else {**state, "end_time": state["frame_time"], "current_zones": []}
