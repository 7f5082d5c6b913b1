"""10,000 mutated documents, manifests, descriptors, blocks and files of metadata."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import mutations
from tests.contract.encoding.test_hostile_bytes import EDITS, play, play_metadata

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]
full = settings(max_examples=2000, suppress_health_check=list(HealthCheck), deadline=None)


@pytest.mark.parametrize("kind", sorted(mutations.CASES))
@full
@given(edits=EDITS)
def test_mutated(kind: str, edits: list[tuple[str, float, bytes]]) -> None:
    play(kind, edits)


@full
@given(data=st.data(), edits=EDITS)
def test_mutated_metadata(data: st.DataObject, edits: list[tuple[str, float, bytes]]) -> None:
    play_metadata(data.draw(st.sampled_from(sorted(mutations.metadata_seeds()))), edits)
