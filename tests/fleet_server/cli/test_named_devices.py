"""Commands that name devices: a name with a slip is an error, without a question."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from edgefleet_server.cli.rollouts.plan_options import window_of
from edgefleet_server.core.errors import InputError
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.server_process import ServerProcess


@pytest.mark.system
def test_a_device_that_does_not_exist(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text('name = "gate"\n[source]\nkind = "synthetic"\n[[stages]]\nname = "m"\nkind = "motion"\n')
    for line in (
        ["device", "decommission", "line-99"],
        ["rollout", "create", "spotter@1.0.0", "--device", "line-99"],
        ["pipeline", "set", str(file), "--device", "line-99"],
    ):
        done = template().run(line, {**os.environ, "EDGEFLEET_SERVER": str(server.state()["url"])})
        assert done.returncode != 0, line
        assert "no device 'line-99'" in done.stderr, (line, done.stderr)
    assert server.get("/pipelines")["items"] == []


@pytest.mark.parametrize("text", ["25:00-05:00", "22:00", "22:00-5:00", "22:00-05:00@moonday,x"])
def test_a_wrong_window_names_the_option_and_its_form(text: str) -> None:
    with pytest.raises(InputError, match=r"--window .*: must be HH:MM-HH:MM\[@DAYS\], for example 22:00-05:00@mon,tue"):
        window_of(text, "UTC")
