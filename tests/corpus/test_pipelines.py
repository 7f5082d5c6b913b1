"""Recorded pipelines and configuration files are accepted and mean what they meant."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent import settings
from edgefleet_contract.encoding import toml
from edgefleet_contract.pipeline.fleet_pipeline import read_fleet_pipeline
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.pipeline.validate import check_fleet_work
from tests.corpus import options, pipelines, samples
from tests.corpus.folder import read_json


def device_pipelines(recorded: Path) -> list[tuple[PipelineSpec, Path]]:
    paths = sorted((recorded / pipelines.DEVICE).glob("*.toml"))
    return [(read_pipeline(path.read_text(encoding="utf-8"), path.name), path) for path in paths]


def test_pipelines_of_a_device_mean_what_they_meant(recorded: Path) -> None:
    found = device_pipelines(recorded)
    assert found
    for spec, path in found:
        pipelines.check(spec)
        assert samples.contains(pipelines.meaning(spec), read_json(path.with_suffix(".json"))), path.name


def test_options_of_sources_are_still_read(recorded: Path) -> None:
    for spec, path in device_pipelines(recorded):
        given = spec.source.options
        assert samples.contains(pipelines.source_options(spec.source), given), path.name


def test_documents_of_the_fleet_mean_what_they_meant(recorded: Path) -> None:
    found = sorted((recorded / pipelines.FLEET).glob("*.toml"))
    assert found
    for path in found:
        document = read_fleet_pipeline(path.read_text(encoding="utf-8"), path.name)
        check_fleet_work(document)
        assert samples.contains(pipelines.document_meaning(document), read_json(path.with_suffix(".json"))), path.name


def test_the_configuration_file_means_what_it_meant(recorded: Path) -> None:
    path = recorded / pipelines.AGENT
    settings.read_settings(path)  # refuses settings that do not exist
    plain = toml.read(path.read_text(encoding="utf-8"), settings.Settings, str(path))
    assert samples.contains(samples.complete(plain), read_json(path.with_suffix(".json")))


def test_options_of_the_server_are_still_taken(recorded: Path) -> None:
    found = read_json(recorded / options.FILE)
    assert len(found) > 30
    assert samples.contains(options.options(), found)
