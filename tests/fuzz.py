"""Coverage-guided fuzzing of messages and USB bundles that reach a device, and of requests to its inference API; run by hand.

    python -m tests.fuzz                                   # every kind, 10,000 mutated inputs each
    python -m tests.fuzz desired block --inputs 100000 --seed 7
    python -m tests.fuzz metadata --again build/fuzz/metadata/crash-0a1b2c

An input that reaches a line of the agent (or of python-tuf) from another line than any input before, or is refused with a new
message (compiled parsers show no lines), joins the corpus (`--corpus`, default build/fuzz/KIND) and is mutated in its turn:
bytes are set, inserted, removed, doubled, spliced with those of another input, and replaced by words of a dictionary that is
learnt from the seeds. `tests.mutations` defines failures: any exception that the agent does not declare, and anything accepted
without a signature. Then the input is kept as `crash-…` and the run ends.

The search follows Zalewski's afl (2013): a map of pairs of lines hit, and a queue of what is new.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from zlib import crc32

from edgefleet_contract.core.errors import EdgefleetError
from tests import mutations
from tests.agent.serving import fuzz_cases

WATCHED = ("/edgefleet_agent/", "/edgefleet_contract/", "/tuf/", "/securesystemslib/")
MAP_SIZE = 1 << 18
CORPUS_MAX = 2000
BYTES_MAX = 512 * 1024
KINDS = (*sorted(mutations.CASES), "metadata", *sorted(fuzz_cases.CASES))

Case = Callable[[bytes], None]


class Trail:
    """Pairs of consecutive lines of a run, hashed into a map as afl does."""

    def __init__(self, watched: tuple[str, ...]) -> None:
        """`watched`: parts of the paths of the traced source files."""
        self._watched_paths = watched
        self.seen = bytearray(MAP_SIZE)
        self.count = 0
        self._last = 0
        self._new = False
        self._watched: dict[CodeType, int] = {}

    def run(self, case: Case, data: bytes) -> bool:
        """Play `data`; True if it reached a new pair of lines."""
        self._last, self._new = 0, False
        sys.settrace(self._call)
        try:
            case(data)
        finally:
            sys.settrace(None)
        return self._new

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        base = self._watched.get(code)
        if base is None:
            ours = any(part in code.co_filename for part in self._watched_paths)
            base = crc32(f"{code.co_filename}:{code.co_firstlineno}".encode()) % MAP_SIZE if ours else -1
            self._watched[code] = base
        return self._line if base >= 0 else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            here = (self._watched[frame.f_code] + frame.f_lineno * 31) % MAP_SIZE
            self._mark((self._last >> 1) ^ here)
            self._last = here
        elif event == "exception":
            message = re.sub(r"'[^']*'|`[^`]*`|\\\\.", "", f"{argument[0].__name__} {argument[1]}"[:300])
            self._mark(crc32(" ".join(re.findall(r"[A-Za-z]{4,}", message)[:12]).encode()) % MAP_SIZE)
        return self._line

    def _mark(self, place: int) -> None:
        if not self.seen[place]:
            self.seen[place] = 1
            self.count += 1
            self._new = True


class Mutator:
    """Makes mutated inputs from existing ones."""

    def __init__(self, chance: random.Random, seeds: list[bytes]) -> None:
        self._chance = chance
        found = {word for seed in seeds for word in re.findall(rb"[A-Za-z_.-]{2,40}|[0-9]+|[\"\[\]{}:,]", seed[:65536])}
        self._words = [
            *sorted(found),
            b"null",
            b"true",
            b"-1",
            b"1e999",
            b"NaN",
            b"[]",
            b"{}",
            b"\x00",
            b"\xff",
            b"..",
            b"/",
            b"9" * 30,
        ]

    def mutate(self, data: bytes, corpus: list[bytes]) -> bytes:
        """A mutated copy of the input."""
        raw = bytearray(data)
        for _ in range(1 << self._chance.randrange(4)):
            self._edit(raw, corpus)
        return bytes(raw[:BYTES_MAX])

    def _edit(self, raw: bytearray, corpus: list[bytes]) -> None:
        chance = self._chance
        at, long = chance.randrange(len(raw) + 1), 1 + chance.randrange(1 << chance.randrange(8))
        kind = chance.randrange(8)
        if kind == 0:
            raw[at : at + long] = chance.randbytes(long)
        elif kind == 1:
            raw[at:at] = chance.randbytes(long)
        elif kind == 2:
            del raw[at : at + long]
        elif kind == 3:
            raw[at:at] = raw[at : at + long]
        elif kind == 4:
            other = chance.choice(corpus)
            cut = chance.randrange(len(other) + 1)
            raw[at : at + long] = other[cut : cut + long]
        elif kind == 5 and raw:
            raw[at % len(raw)] ^= 1 << chance.randrange(8)
        elif kind == 6 and chance.random() < 0.2:
            del raw[at:]
        else:
            self._swap_word(raw, at)

    def _swap_word(self, raw: bytearray, at: int) -> None:
        """Replace the word at `at` by one of the dictionary, or insert one before it."""
        word = self._chance.choice(self._words)
        found = re.compile(rb"[A-Za-z0-9_.-]+").match(raw, at)
        raw[at : found.end() if found and self._chance.random() < 0.7 else at] = word


def kinds_case(kind: str) -> tuple[list[bytes], Case]:
    """Seeds of a kind, and the function that plays an input. An input of metadata begins with a byte that chooses the file."""
    if kind in fuzz_cases.CASES:
        make, play_bytes = fuzz_cases.CASES[kind]
        return make(), play_bytes
    if kind != "metadata":
        seed, case = mutations.CASES[kind]
        return [seed()], case
    seeds = mutations.metadata_seeds()
    names = sorted(seeds)

    def play(data: bytes) -> None:
        mutations.metadata_case(names[data[0] % len(names)] if data else names[0], data[1:])

    return [bytes([number]) + seeds[name] for number, name in enumerate(names)], play


def fuzz(
    seeds: list[bytes], case: Case, inputs: int, seed: int, folder: Path, watched: tuple[str, ...] = WATCHED
) -> dict[str, Any]:
    """Play `inputs` mutated inputs and return figures. A failing input is stored in `folder` and its error raised."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    stored = [path.read_bytes()[:BYTES_MAX] for path in sorted(folder.glob("new-*"))[:CORPUS_MAX]]
    corpus, trail = [*seeds, *stored], Trail(watched)
    for data in corpus:
        _play(trail, case, data, folder)
    mutator, began_s = Mutator(chance, seeds), time.monotonic()
    at_first, fresh = trail.count, 0
    for data in _inputs(mutator, chance, corpus, inputs):
        if _play(trail, case, data, folder) and len(corpus) < CORPUS_MAX:
            corpus.append(data)
            fresh += 1
            (folder / f"new-{_name(data)}").write_bytes(data)
    seconds = time.monotonic() - began_s
    return {
        "inputs": inputs,
        "crashes": 0,
        "places": {"by_the_corpus": at_first, "now": trail.count},
        "corpus": {"before": len(seeds) + len(stored), "new": fresh},
        "inputs_per_s": round(inputs / seconds),
    }


def _inputs(mutator: Mutator, chance: random.Random, corpus: list[bytes], count: int) -> Iterator[bytes]:
    """Mutated inputs; later finds are mutated more often than earlier ones."""
    for _ in range(count):
        yield mutator.mutate(corpus[int(len(corpus) * chance.random() ** 0.5)], corpus)


def _play(trail: Trail, case: Case, data: bytes, folder: Path) -> bool:
    try:
        return trail.run(case, data)
    except BaseException:
        file = folder / f"crash-{_name(data)}"
        file.write_bytes(data)
        print(f"a mistake, kept as {file}", file=sys.stderr)
        raise


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def main() -> int:
    """Run the kinds given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="KIND", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--inputs", type=int, default=10_000, metavar="N", help="of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, default=Path("build") / "fuzz", metavar="DIR", help="default: %(default)s")
    parser.add_argument("--again", type=Path, metavar="FILE", help="play this one input of the first kind")
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        if kind not in KINDS:
            parser.error(f"there is no kind {kind!r}; known are {', '.join(KINDS)}")
    if arguments.again is not None:
        kinds_case(arguments.kinds[0])[1](arguments.again.read_bytes())
        return 0
    for kind in arguments.kinds:
        found = fuzz(*kinds_case(kind), arguments.inputs, arguments.seed, arguments.corpus / kind)
        print(json.dumps({"kind": kind, **found}), flush=True)
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except EdgefleetError as error:
        raise SystemExit(f"a declared error that nobody caught: {error}") from error
