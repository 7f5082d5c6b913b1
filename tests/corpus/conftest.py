"""Every test of a recorded format runs for each recorded version: a later version adds a folder."""

from __future__ import annotations

import pytest

from tests.corpus.folder import folders


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`recorded`: the folder of a version."""
    if "recorded" in metafunc.fixturenames:
        every = folders()
        metafunc.parametrize("recorded", every, ids=[path.name for path in every])
