"""python-tuf's own tests of updaters, with its repository simulator, against the device's client.

    pytest -m long tests/long/test_tuf_suite.py

The source of the installed version comes from the package index into a temporary folder; nothing of it is in this project. Its
tests of top-level metadata, key rotations, consistent snapshots, delegations and arguments run with `tuf_suite.DeviceUpdater` in
the place of `Updater`. Tests of what a device does not have are listed with the reason; the suite fails if one of them passes, or
if another one fails.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.import_path import import_path

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

SCRIPT = Path(__file__).with_name("tuf_suite.py")
PASSED_MIN = 30

OFFERED = "the device has no fetcher of single files: it gets all offered files at once, and the test counts fetches"
DOWNLOADS = "tests the download of target files; a device fetches blobs by their SHA-256, after this client"
WALKS = "looks up a path that no role lists; a device looks up the paths that the offered roles list, one level deep"
CACHE = (
    "tests the layout of python-tuf's cache; the device's is one file (`trust_files`), with power cuts tested by its own tests"
)
NOT_APPLICABLE = {
    "top_level_update.TestRefresh.test_intermediate_root_cache": CACHE,
    "top_level_update.TestRefresh.test_intermediate_root_cache_poisoning": CACHE,
    "top_level_update.TestRefresh.test_load_metadata_from_cache": CACHE,
    "top_level_update.TestRefresh.test_not_loading_targets_twice": CACHE,
    "top_level_update.TestRefresh.test_max_metadata_lengths": "sets limits; the device's are fixed: `OFFER_BYTES_MAX`",
    "top_level_update.TestRefresh.test_max_root_rotations": "the same: python-tuf's own limit of 256 roots counts",
    "top_level_update.TestRefresh.test_new_targets_fast_forward_recovery": (
        "stricter here: a signed list gets a lower version only with a new targets key, because only its owner can have raised it"
    ),
    "top_level_update.TestRefresh.test_trusted_root_unsigned_without_bootstrap": (
        "refused as well, as a damaged disk that names the remedy, and not as metadata of a server"
    ),
    "consistent_snapshot.TestConsistentSnapshot.test_delegated_roles_update": OFFERED,
    "consistent_snapshot.TestConsistentSnapshot.test_top_level_roles_update": OFFERED,
    "consistent_snapshot.TestConsistentSnapshot.test_download_targets": DOWNLOADS,
    "delegation_graphs.TestDelegationsGraphs.test_graph_traversal": OFFERED,
    "delegation_graphs.TestDelegationsGraphs.test_hash_bins_graph_traversal": OFFERED,
    "delegation_graphs.TestDelegationsGraphs.test_succinct_roles_graph_traversal": OFFERED,
    "delegation_graphs.TestDelegationsGraphs.test_invalid_metadata": WALKS,
    "delegation_graphs.TestDelegationsGraphs.test_shared_delegation_signature_check": WALKS,
    "delegation_graphs.TestTargetFileSearch.test_targetfile_search": OFFERED,
    "delegation_graphs.TestDelegationsGraphs.test_safely_encoded_rolenames": (
        "role names with slashes and dots are refused by the offer of a server (`MetadataFile.name`)"
    ),
    "fetch_target.TestFetchTarget.test_fetch_target": DOWNLOADS,
    "fetch_target.TestFetchTarget.test_download_targets_with_succinct_roles": DOWNLOADS,
    "fetch_target.TestFetchTarget.test_invalid_target_cache": DOWNLOADS,
    "fetch_target.TestFetchTarget.test_invalid_target_download": DOWNLOADS,
    "fetch_target.TestFetchTarget.test_meta_missing_delegated_role": (
        "metadata of a team that is withheld costs that team's packages only, and is no error of the others"
    ),
    "validation.TestUpdater.test_bootstrap_argument_required": "tests arguments of python-tuf's constructor",
    "validation.TestUpdater.test_non_existing_metadata_dir": "tests arguments of python-tuf's constructor",
    "validation.TestUpdater.test_local_target_storage_fail": DOWNLOADS,
}


def pip(*arguments: str) -> None:
    """Run pip, or skip the test where the package index cannot be reached."""
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        pytest.skip(f"the package index does not answer: {ended.stderr.strip().splitlines()[-1:]}")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Test -> "" or its error."""
    folder = tmp_path_factory.mktemp("tuf")
    version = importlib.metadata.version("tuf")
    pip("download", "--no-deps", "--no-build-isolation", "--no-binary", "tuf", "--dest", str(folder), f"tuf=={version}")
    pip("install", "--target", str(folder / "needed"), "freezegun")
    with tarfile.open(next(folder.glob("tuf-*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    own = [part for part in import_path().split(os.pathsep) if Path(part) != SCRIPT.parents[2]]  # both have a package `tests`
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*own, str(folder / "needed")]), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, str(SCRIPT), str(folder / f"tuf-{version}")]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    return dict(json.loads(ended.stdout))


def test_all_tests_that_apply_pass(results: dict[str, str]) -> None:
    failed = {name: why for name, why in results.items() if why}
    assert {name: why for name, why in failed.items() if name not in NOT_APPLICABLE} == {}
    assert len(results) - len(failed) >= PASSED_MIN


def test_the_list_of_tests_that_do_not_apply_is_right(results: dict[str, str]) -> None:
    assert {name for name in NOT_APPLICABLE if not results.get(name)} == set(), "passed, or no longer there"
