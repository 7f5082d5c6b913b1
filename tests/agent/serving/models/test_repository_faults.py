"""The repository's folder away, and files that break while their model is served: what the index says."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.models.repository_poller import RepositoryPoller
from edgefleet_agent.serving.protocol.errors import CallError
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model


class Site:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.catalogue = ModelRegistry()
        self.repository = FolderRepository([root], self.catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))

    def index(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Model and version -> state and reason."""
        return {(row["name"], row["version"]): (row["state"], row["reason"]) for row in self.repository.index(ready=False)}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    root = tmp_path / "models"
    put_model(root, "add", onnx_file.add())
    made = Site(root)
    assert made.repository.load_all() == []
    yield made
    made.catalogue.close()


def test_a_folder_that_is_away(site: Site) -> None:
    site.root.rename(site.root.with_name("away"))
    state, reason = site.index()["add", "1"]
    assert state == "READY"
    assert str(site.root) in reason
    assert "No such file or directory" in reason
    with pytest.raises(CallError, match=r"failed to load 'add': .*models: cannot be read"):
        site.repository.load("add")
    assert site.catalogue.versions("add") == ["1"]
    site.repository.unload("add")
    site.root.with_name("away").rename(site.root)
    assert site.index() == {("add", "1"): ("UNAVAILABLE", "unloaded")}


def test_polls_warn_once(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    poller = RepositoryPoller(site.repository, 0.05)
    caplog.set_level(logging.INFO)
    site.root.rename(site.root.with_name("away"))
    for _ in range(3):
        poller._poll_or_report()
    site.root.with_name("away").rename(site.root)
    for _ in range(3):
        poller._poll_or_report()
    lines = [record.message for record in caplog.records if "polled" in record.message]
    assert len(lines) == 2, lines
    assert lines[1] == "the repository can be polled again"
    assert site.index()["add", "1"] == ("READY", "")


def test_the_reason_of_one_version_is_not_that_of_another(site: Site) -> None:
    (site.root / "add" / "2").mkdir()
    (site.root / "add" / "2" / "model.onnx").write_bytes(b"broken")
    with pytest.raises(CallError):
        site.repository.reload("add")
    assert site.index()["add", "1"] == ("READY", "")
    assert "model.onnx" in site.index()["add", "2"][1]
    fresh = Site(site.root)
    assert fresh.repository.load_all()
    assert fresh.index()["add", "1"][1] == "unloaded, as version 2 cannot be loaded"
    assert "model.onnx" in fresh.index()["add", "2"][1]


def test_a_broken_configuration_shows_in_the_index(site: Site) -> None:
    (site.root / "add" / "config.pbtxt").write_text("max_batch_size: many")
    with pytest.raises(CallError):
        site.repository.reload("add")
    state, reason = site.index()["add", "1"]
    assert state == "READY"
    assert "config.pbtxt" in reason
    (site.root / "add" / "config.pbtxt").unlink()
    site.repository.reload("add")
    assert site.index()["add", "1"] == ("READY", "")
