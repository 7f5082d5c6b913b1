"""Mutated documents, manifests, blocks and metadata: no crash, and nothing unsigned accepted. Full size: tests/long."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import mutations

EXAMPLES = 80
EDITS = st.lists(
    st.tuples(st.sampled_from(["set", "insert", "delete", "double", "cut"]), st.floats(0, 1), st.binary(max_size=6)),
    min_size=1,
    max_size=6,
)
quick = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


def mutate(data: bytes, edits: list[tuple[str, float, bytes]]) -> bytes:
    """Some bytes changed, put in, taken out, repeated, or the end cut off."""
    raw = bytearray(data)
    for kind, where, piece in edits:
        at = int(where * len(raw))
        if kind == "set":
            raw[at : at + len(piece)] = piece
        elif kind == "insert":
            raw[at:at] = piece
        elif kind == "delete":
            del raw[at : at + 1 + len(piece)]
        elif kind == "double":
            raw[at:at] = raw[at : at + 64]
        else:
            del raw[at:]
    return bytes(raw)


def play(kind: str, edits: list[tuple[str, float, bytes]]) -> None:
    seed, case = mutations.CASES[kind]
    case(mutate(seed(), edits))


def play_metadata(name: str, edits: list[tuple[str, float, bytes]]) -> None:
    mutations.metadata_case(name, mutate(mutations.metadata_seeds()[name], edits))


@pytest.mark.parametrize("kind", sorted(mutations.CASES))
@quick
@given(edits=EDITS)
def test_mutated(kind: str, edits: list[tuple[str, float, bytes]]) -> None:
    play(kind, edits)


@quick
@given(data=st.data(), edits=EDITS)
def test_mutated_metadata(data: st.DataObject, edits: list[tuple[str, float, bytes]]) -> None:
    play_metadata(data.draw(st.sampled_from(sorted(mutations.metadata_seeds()))), edits)
