"""Fixtures of all tests."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import order, share
from tests.packages import package

__all__ = ["data", "package"]

# Machines are noisy: how long an example takes says nothing about whether it is right. A gate that decides about a change looks
# at the same examples every time; at a developer's desk they are new ones on every run.
settings.register_profile(
    "project", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("project")

ROOT = Path(__file__).resolve().parent.parent
BYTES_IN_NAME = 8


def data_folder() -> Path | None:
    """The folder of real models and media, or None where this machine has none."""
    folder = Path(os.environ.get("EDGEFLEET_TEST_DATA") or ROOT.parent / "shared")
    return folder if (folder / "DATA.md").is_file() else None


@pytest.fixture(autouse=True)
def _signals_stay_as_they_are() -> Iterator[None]:
    """Fail a test that leaves a signal blocked in this process: every program that it starts later would inherit that, and not
    end on SIGTERM."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    after = signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert after == before


def pytest_addoption(parser: pytest.Parser) -> None:
    share.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    share.configure(config)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name long bytes by their argument: compressed ones hold the time, and workers that collect in another second refuse to
    run."""
    return argname if isinstance(val, bytes) and len(val) > BYTES_IN_NAME else None


@pytest.hookimpl(trylast=True)  # what -m and -k leave
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    order.mix_files(items)
    share.select(config, items)


@pytest.hookimpl(tryfirst=True)  # before fixtures
def pytest_runtest_setup(item: pytest.Item) -> None:
    share.skip_late(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    share.summary(terminalreporter)


@pytest.fixture(scope="session")
def data() -> Path:
    """Real models, pictures and clips (`EDGEFLEET_TEST_DATA`, default `../shared`)."""
    folder = data_folder()
    if folder is None:
        pytest.skip("no test data: set EDGEFLEET_TEST_DATA to a folder that has DATA.md, models/ and media/")
    return folder


@pytest.fixture(autouse=True)
def _fault_hook() -> Iterator[None]:
    """A command that a test runs in this process may leave its hook, which ends the process at a fault of a thread."""
    hook = threading.excepthook
    yield
    threading.excepthook = hook
