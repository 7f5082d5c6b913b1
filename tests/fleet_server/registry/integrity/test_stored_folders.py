"""The check of the folders under a running server: what it logs, and when."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from edgefleet_server.db.backend.engine import Database
from edgefleet_server.jobs.retention import RetentionJobs
from edgefleet_server.jobs.scheduler import FILES_S, JobScheduler
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.integrity import stored_folders
from edgefleet_server.registry.integrity.stored_folders import StoredFolders


def test_each_change_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = BlobStore(tmp_path / "blobs")
    store.open()
    folders = StoredFolders({"nothing is taken": store.folders})
    with caplog.at_level(logging.WARNING):
        folders.check()
        assert caplog.messages == []
        (tmp_path / "blobs").rename(tmp_path / "aside")
        for _ in range(3):
            folders.check()
        (tmp_path / "aside").rename(tmp_path / "blobs")
        for _ in range(3):
            folders.check()
    lost, back = caplog.messages
    assert lost.startswith(f"{tmp_path / 'blobs'} is missing: nothing is taken; put it back, or restore the last backup")
    assert back == f"{tmp_path / 'blobs'} is there and writable again"


def test_a_read_only_folder_has_another_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_folders.os, "access", lambda *_: False)  # root may write anywhere
    expected = f"{tmp_path} cannot be written: nothing is taken; {stored_folders.READ_ONLY}"
    assert StoredFolders({"nothing is taken": [tmp_path]}).faults() == [expected]


def test_the_job_of_the_databases_files_checks_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = Database(tmp_path / "fleet.db")
    jobs = RetentionJobs.__new__(RetentionJobs)
    jobs.jobs = []
    folders = StoredFolders({"nothing is taken": [tmp_path / "gone"]})
    scheduler = JobScheduler(database, jobs, lambda: None, folders)
    job = next(each for each in scheduler.jobs if each.name == "stored files")
    assert job.every_s == FILES_S
    job.work(0.0)
    assert "gone is missing" in caplog.text
    database.close()
