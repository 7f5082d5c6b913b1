"""`edgefleet-agent check`: checks settings and pipelines, a device's own or those of the fleet, before a device gets them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from edgefleet_agent import settings as configuration
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.service.settings_check import check_settings, pipeline_faults
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import EdgefleetError, InputError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.pipeline.fleet_pipeline import OWN_SOURCE, FleetPipeline, read_fleet_pipeline
from edgefleet_contract.pipeline.possible import check_possible
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event

FILE_BYTES_MAX = 256 * 1024
PIPELINE_KEYS = frozenset({"source", "stages", "rules", "for"})
PACKAGE_KEYS = frozenset({"variants", "head"})
SETTINGS_KEYS = frozenset(each.encode_name for each in msgspec.structs.fields(configuration.Settings)) - {"unknown_fields"}
"""Keys by which a file is recognized, those of pipelines first."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="Settings file, pipeline file, or folder of these, recognized by their content (default: the settings file, "
        f"${configuration.CONFIG_VARIABLE} or {configuration.SYSTEM_FILE})",
    )
    parser.add_argument("--json", action="store_true", help="Print JSON")


@dataclass(slots=True)
class _Checked:
    """The result of one file. valid: what is printed if it has no fault."""

    faults: list[str]
    notes: list[str] = field(default_factory=list)
    valid: str = ""


def run(arguments: argparse.Namespace) -> int:
    """Check all files; exit code 2 if one of them is invalid. Models and sources are not opened."""
    names: set[str] = set()
    runner = Runner(_NoListener())
    found = {str(path): _checked(path, runner, names) for path in _files(arguments.files or [configuration.default_path()])}
    runner.close()
    wrong = any(each.faults for each in found.values())
    if arguments.json:
        rows = [
            {"file": path, "ok": not each.faults, "error": (each.faults or [""])[0], "errors": each.faults, "notes": each.notes}
            for path, each in found.items()
        ]
        print(json_text(rows, ascii_only=False))
        return PipelineError.exit_code if wrong else 0
    for path, each in found.items():
        if not each.faults:
            print(f"{path}: {each.valid}: valid")
        for note in each.notes:
            print(f"  note: {note}")
    for each in found.values():
        for text in each.faults:
            print(f"edgefleet-agent: {text}", file=sys.stderr)
    return PipelineError.exit_code if wrong else 0


def check_text(text: str, where: str, device: str = "") -> str:
    """Error of a fleet document, for `device`, or without it for all devices that the document names; "" if it is valid."""
    runner = Runner(_NoListener())
    try:
        _check_document(read_fleet_pipeline(text, where), runner, device)
    except EdgefleetError as error:
        return str(error)
    finally:
        runner.close()
    return ""


def _check_document(document: FleetPipeline, runner: Runner, device: str) -> None:
    for each in (device,) if device else ("", *document.devices):
        spec = document.for_device(each)
        if spec is not None:
            runner.check(_with_any_source(spec))


def _with_any_source(spec: PipelineSpec) -> PipelineSpec:
    """The pipeline with a synthetic source instead of one that is defined on the device and unknown here."""
    return spec if spec.source.kind != OWN_SOURCE else replace(spec, source=SourceSpec(kind="synthetic", fps=spec.source.fps))


def _checked(path: Path, runner: Runner, names: set[str]) -> _Checked:
    """The result of a file. The name of a valid pipeline is added to `names`."""
    try:
        text = text_of(path)
        plain = toml.parse(text, str(path), PipelineError)
        if PACKAGE_KEYS & plain.keys() and not PIPELINE_KEYS & plain.keys():
            raise InputError(f"{path}: is the model.toml of a package; `edgefleet model validate {path.parent}` checks it")
        if SETTINGS_KEYS & plain.keys() and not PIPELINE_KEYS & plain.keys():
            return _checked_settings(path, text, runner)
        spec = _pipeline(path, text, plain, runner)
    except _SeveralFaultsError as several:
        return _Checked(several.texts)
    except EdgefleetError as error:
        return _Checked([str(error)])
    if spec.name in names:
        return _Checked([f"{spec.at('name')}: duplicate pipeline name {spec.name!r}; choose another name"])
    names.add(spec.name)
    return _Checked([], valid=f"{spec.name}, {len(spec.stages)} stages, {len(spec.rules)} rules")


class _SeveralFaultsError(PipelineError):
    """Several wrong keys of one file."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(texts[0])
        self.texts = texts


def _pipeline(path: Path, text: str, plain: dict[str, Any], runner: Runner) -> PipelineSpec:
    """The checked pipeline of a file.

    Raises:
        EdgefleetError: it is invalid.
    """
    source = plain.get("source")
    if "for" in plain or (isinstance(source, dict) and source.get("kind") == OWN_SOURCE):
        document = read_fleet_pipeline(text, str(path))
        _check_document(document, runner, "")
        for spec in (document.spec, *filter(None, map(document.for_device, document.devices))):
            check_possible(spec)
        return document.spec
    faults = pipeline_faults(text, str(path))
    if len(faults) > 1:
        raise _SeveralFaultsError(faults)
    spec = read_pipeline(text, str(path))
    runner.check(spec)
    check_possible(spec)
    return spec


def _checked_settings(path: Path, text: str, runner: Runner) -> _Checked:
    report = check_settings(path, text, runner)
    parts = [f"settings of {report.device}"]
    parts += [f"pipeline {name}" for name in report.pipelines] + [f"package {name}" for name in report.packages]
    return _Checked(report.faults, report.notes if not report.faults else [], ", ".join(parts))


def _files(given: list[Path]) -> list[Path]:
    files = [each for path in given for each in (sorted(path.glob("*.toml")) if path.is_dir() else [path])]
    if not files:
        raise InputError(
            f"no *.toml in {', '.join(map(str, given))}; specify a settings file, a pipeline file, or a folder of them"
        )
    return files


def text_of(path: Path) -> str:
    """Read a pipeline file.

    Raises:
        PipelineError: it is missing, too long, or not text.
    """
    data = read_if_there(path, FILE_BYTES_MAX)
    if data is None:
        raise PipelineError(
            f"{path}: no such file, or larger than {FILE_BYTES_MAX} bytes; specify a settings file or a pipeline file"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise PipelineError(f"{path}: not UTF-8 text; specify a pipeline file") from cause


class _NoListener:
    """A listener of pipelines that never run."""

    def on_event(self, event: Event) -> None:
        """Does nothing: no pipeline runs."""

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Does nothing: no pipeline runs."""
