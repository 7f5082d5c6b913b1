"""The list of differences from Triton is that of its record, and our side still answers as recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

from tests.long import test_triton_core, test_triton_repositories
from tests.long.triton_differences import Probe, Served, recorded, table, written_table


def test_the_list_is_written_from_the_record() -> None:
    assert written_table() == table(recorded()), "run the long tests of Triton with EDGEFLEET_WRITE_DOCS=1"


def check(section: str, probes: list[Probe], served: Served) -> None:
    expected = [(what, ours) for what, _, ours in recorded()[section]]
    assert [(probe.what, probe.outcome(served)) for probe in probes] == expected


def test_our_side_answers_requests_as_recorded(tmp_path: Path) -> None:
    test_triton_core.put_both(tmp_path / "theirs", tmp_path / "ours")
    with test_triton_core.served_here(tmp_path / "ours") as served:
        check("protocol", test_triton_core.PROBES, served)


def test_our_side_serves_repositories_as_recorded(tmp_path: Path) -> None:
    test_triton_repositories.put_all(tmp_path)
    with test_triton_repositories.served_here(tmp_path, "explicit", ["--load-model=plain"]) as (served, _):
        check("repositories", test_triton_repositories.PROBES, served)
