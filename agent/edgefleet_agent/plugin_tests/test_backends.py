"""The contract of runtimes (`edgefleet_agent.backends.base`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Backend, LoadOptions
from edgefleet_agent.core import plugins
from edgefleet_agent.machine.probe_models import run_trial
from edgefleet_agent.plugin_tests.examples import installed
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.model_kinds import known_formats

NAMES = installed("backends")


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each installed backend, without the containment of its faults."""
    made = plugins.load("backends", request.param)()
    assert isinstance(made, Backend)
    assert made.name == request.param, "the name of the backend is that of its entry point"
    return made


@pytest.fixture
def model(backend: Backend, tmp_path: Path) -> Path:
    """The trial model of the backend."""
    found = backend.trial_model(tmp_path)
    if found is None:
        pytest.skip("no model; write Backend.trial_model, which `edgefleet-agent doctor` uses as well")
    return found


def test_what_it_declares(backend: Backend) -> None:
    assert backend.installed(), f"one of {backend.needs} has to be installed"
    assert backend.formats
    assert backend.formats <= set(known_formats()), "a format that is not built in needs an entry point in edgefleet.formats"
    assert backend.devices()[-1] == "cpu"


def test_files_that_are_no_models_are_refused(backend: Backend, tmp_path: Path) -> None:
    suffix = known_formats()[min(backend.formats)].suffixes[0]
    with pytest.raises(ModelError):
        backend.load((tmp_path / f"missing{suffix}",), LoadOptions())
    for content in (b"", b"\x00" * 64, b"{}", b"\xff" * 4096):
        (tmp_path / f"bad{suffix}").write_bytes(content)
        with pytest.raises(ModelError):
            backend.load((tmp_path / f"bad{suffix}",), LoadOptions())


def test_a_model_runs_and_wrong_inputs_are_refused(backend: Backend, model: Path) -> None:
    session = backend.load((model,), LoadOptions(threads=1))
    try:
        assert session.placement.runtime == backend.name
        assert not session.placement.fell_back
        run_trial(session, backend.name)
        (spec,) = session.inputs
        wrong_inputs: list[dict[str, Array]] = [
            {},
            {"nothing": np.zeros(8, spec.dtype)},
            {spec.name: np.zeros((1, 9), spec.dtype)},
            {spec.name: np.zeros((1, 8), np.complex64)},
        ]
        for wrong in wrong_inputs:
            with pytest.raises(ModelError):
                session.infer(wrong)
        run_trial(session, backend.name)
        read_only = np.zeros((1, 8), spec.dtype)
        read_only.flags.writeable = False
        session.infer({spec.name: read_only})
    finally:
        session.close()


def test_unknown_options_are_refused(backend: Backend, model: Path) -> None:
    with pytest.raises(ModelError, match="colour"):
        backend.load((model,), LoadOptions(options={"colour": 1}))


def test_an_unknown_device_is_never_claimed(backend: Backend, model: Path) -> None:
    with pytest.raises((MissingError, ModelError)):
        backend.load((model,), LoadOptions(device="no-such-device", strict=True))
    try:
        session = backend.load((model,), LoadOptions(device="no-such-device"))
    except (MissingError, ModelError):
        return
    assert session.placement.fell_back
    session.close()
