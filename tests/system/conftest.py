"""Fixtures for tests over a whole fleet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_server.simulate.conveyor.video import SiteCamera, write_site
from tests.fleet_server.dashboard.conftest import axe, browser, built_ui, foreign_requests, open_page
from tests.system.site import Deployment

__all__ = ["axe", "browser", "built_ui", "foreign_requests", "open_page"]


@pytest.fixture(scope="session")
def cameras(tmp_path_factory: pytest.TempPathFactory) -> list[SiteCamera]:
    """Two short rendered conveyor clips, for every test of the run."""
    return write_site(tmp_path_factory.mktemp("site"), cameras=2, seconds=6.0, seed=3)


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    """A running server with its broker; agents are added by the test."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        pytest.skip("no mosquitto: apt-get install mosquitto")
    deployment = Deployment(tmp_path)
    try:
        deployment.start_server()
        yield deployment
    finally:
        deployment.stop()
