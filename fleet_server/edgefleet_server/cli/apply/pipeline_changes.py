"""Pipelines: documents of the files as versions, and their assignments to devices."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Final

from edgefleet_client.schemas.pipelines import NewPipeline
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, pipeline_slot
from edgefleet_server.cli.apply.changes import Change, Outcome
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import FleetPipeline
from edgefleet_server.cli.apply.fleet_files import Entry, read_bounded
from edgefleet_server.cli.apply.rollout_changes import RolloutDefinition, plan_rollout
from edgefleet_server.core.errors import InputError

LINES_MAX: Final = 60
"""Lines of a difference that are shown."""


def plan(context: PlanContext) -> Iterator[Change]:
    """The documents of the files, validated by the server.

    Raises:
        InputError: a file is not readable or not valid, or has another name.
    """
    for entry, pipeline in context.files.of("pipelines", FleetPipeline):
        text = _read(entry, pipeline)
        checked = context.client.pipelines.check_pipeline({"text": text})
        if (problem := checked["problem"]) is not None:
            line = f":{problem['line']}" if problem["line"] else ""
            raise InputError(f"{entry.folder / pipeline.file}{line}: {problem['text']}")
        if checked["name"] != entry.name:
            raise InputError(f"{entry.place}: {pipeline.file} is pipeline {checked['name']!r}, not {entry.name!r}; use one name")
        yield _document(context, entry, pipeline, text)


def assignments(context: PlanContext) -> Iterator[Change]:
    """The rollouts of pipelines, after everything that they depend on."""
    for entry, pipeline in context.files.of("pipelines", FleetPipeline):
        slot = pipeline_slot(entry.name)
        for name, assignment in pipeline.assign.items():
            pending = ("pipeline", entry.name) in context.coming
            definition = RolloutDefinition(
                f"{entry.name}/{name}",
                entry.place,
                slot,
                slot,
                assignment,
                _version(context, entry.name),
                [("pipeline", entry.name)] if pending else [],
            )
            yield plan_rollout(context, definition)


def _version(context: PlanContext, name: str) -> Callable[[], str]:
    return lambda: context.pipeline_versions[name]


def _read(entry: Entry, pipeline: FleetPipeline) -> str:
    file = entry.folder / pipeline.file
    try:
        return read_bounded(file, PIPELINE_BYTES_MAX, f"{entry.place}: {file}", "specify a pipeline file").decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text; specify a pipeline file") from error


def _document(context: PlanContext, entry: Entry, pipeline: FleetPipeline, text: str) -> Change:
    latest = context.pipelines.get(entry.name)
    before = context.client.pipelines.get_pipeline(entry.name)["text"] if latest else ""
    if latest and before == text:
        context.pipeline_versions[entry.name] = latest
        return Change("none", "pipeline", entry.name)
    diff = list(difflib.unified_diff(before.splitlines(), text.splitlines(), lineterm="", n=1))[2:]
    details = diff[:LINES_MAX] + ([f"… {len(diff) - LINES_MAX} more lines"] if len(diff) > LINES_MAX else [])

    def run() -> Outcome:
        body: NewPipeline = {"text": text, "note": pipeline.note}
        _, made = context.client.pipelines.create_pipeline(body)
        context.pipeline_versions[entry.name] = made["version"]
        return None, f"version {made['version']}"

    context.coming.add(("pipeline", entry.name))
    return Change("change" if latest else "create", "pipeline", entry.name, details, run=run)
