"""Settings in agent.toml, and the error texts of wrong ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from edgefleet_agent.settings import FILE_BYTES_MAX, read_pipelines, read_settings
from edgefleet_contract.core.errors import InputError, PipelineError

PIPELINE = '[source]\nkind = "file"\nuri = "a.mp4"\n[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'


def test_paths_are_taken_from_the_files_folder(tmp_path: Path) -> None:
    config = tmp_path / "agent.toml"
    tables = '[factory]\ndetector = "f"\n[ep_libraries]\nchip = "lib/c.so"\n[link]\nreconnect_max_s = 5\n'
    config.write_text(f'device = "cam-1"\nstate = "s"\npipelines = "/p"\n{tables}')
    settings = read_settings(config)
    assert (settings.state, settings.pipelines) == (str(tmp_path / "s"), "/p")
    assert settings.factory == {"detector": str(tmp_path / "f")}
    assert settings.ep_libraries == {"chip": str(tmp_path / "lib/c.so")}
    assert (settings.telemetry_s, settings.link.reconnect_max_s, settings.broker) == (10.0, 5.0, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "device"),
        ('device = "Cam 1"', "device"),
        ('device = "c"\nbrokr = "x"', "unknown setting 'brokr'; known are device, state, broker"),
        ('device = "c"\n[link]\nfoo = 1', r"\[link\]: unknown setting 'foo'; known are reconnect_min_s"),
        ('device = "c"\ntelemetry_s = 0', "telemetry_s"),
        ('device = "c"\n[sinks.a]\nkind = "jsonl"\npath = "x"', r"\[sinks.a\]: unknown setting 'path'; known are kind, options"),
        ('device = "c"\n[sinks.a]\noptions = {}', "kind"),
        ('device = "c"\n[factory]\n"../x" = "y"', "factory"),
        ("device = ", "not valid TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, problem: str) -> None:
    config = tmp_path / "agent.toml"
    config.write_text(text)
    with pytest.raises(InputError, match=problem) as error:
        read_settings(config)
    assert len(str(error.value).splitlines()) == 1
    assert str(config) in str(error.value)


def test_a_file_that_is_not_there_or_no_text_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="specify another with --config"):
        read_settings(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_settings(tmp_path / "x.toml")


def test_pipelines_are_read_and_find_the_media_beside_them(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('name = "a"\n' + PIPELINE)
    (tmp_path / "b.toml").write_text('name = "b"\n' + PIPELINE.replace("a.mp4", "rtsp://cam/1"))
    (tmp_path / "a.mp4").touch()
    found = read_pipelines(str(tmp_path))
    assert found.errors == {}
    assert {name: spec.source.uri for name, spec in found.specs.items()} == {"a": str(tmp_path / "a.mp4"), "b": "rtsp://cam/1"}
    (tmp_path / "c.toml").write_text('name = "a"\n' + PIPELINE)
    (tmp_path / "d.toml").write_text("name = ")
    (tmp_path / "e.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "f.toml").write_text("name = 'f'\na = " + "[" * 5_000 + "]" * 5_000)
    (tmp_path / "g.toml").mkdir()
    os.mkfifo(tmp_path / "h.toml")
    found = read_pipelines(str(tmp_path))
    assert set(found.specs) == {"a", "b"}, "a broken file costs its own pipeline only"
    assert "duplicate pipeline name 'a'" in found.errors["c"]
    assert "not valid TOML" in found.errors["d"]
    assert "not UTF-8" in found.errors["e"]
    assert "nested too deeply" in found.errors["f"]
    assert "is a folder" in found.errors["g"]
    assert "h.toml" in found.errors["h"]
    with pytest.raises(PipelineError, match="pipeline folder"):
        read_pipelines(str(tmp_path / "none"))
    assert read_pipelines("").specs == {}


def test_settings_that_are_missing_or_too_long_have_their_own_texts(tmp_path: Path) -> None:
    """Before `enroll` or `init` there are none."""
    path = tmp_path / "agent.toml"
    with pytest.raises(InputError, match=r"no such file; `edgefleet-agent enroll` makes it .* `edgefleet-agent init`"):
        read_settings(path)
    path.write_bytes(b"#" * (FILE_BYTES_MAX + 1))
    with pytest.raises(InputError, match=f"larger than {FILE_BYTES_MAX} bytes; specify another"):
        read_settings(path)
