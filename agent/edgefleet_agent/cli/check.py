"""`edgefleet-agent check`: checks pipelines, a device's own or those of the fleet, before a device gets them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import EdgefleetError, InputError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.pipeline.fleet_pipeline import OWN_SOURCE, FleetPipeline, read_fleet_pipeline
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event

FILE_BYTES_MAX = 256 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`."""
    parser.add_argument("files", nargs="+", type=Path, metavar="P.toml", help="Pipeline file or folder of pipeline files")
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check all files; exit code 2 if one of them is invalid. Models and sources are not opened."""
    specs: dict[str, PipelineSpec] = {}
    runner = Runner(_NoListener())
    found = {str(path): _fault(path, runner, specs) for path in _files(arguments.files)}
    runner.close()
    wrong = [text for text in found.values() if text]
    if arguments.json:
        print(json.dumps([{"file": path, "ok": not text, "error": text} for path, text in found.items()], ensure_ascii=False))
        return PipelineError.exit_code if wrong else 0
    for spec in specs.values():
        print(f"{spec.file}: {spec.name}, {len(spec.stages)} stages, {len(spec.rules)} rules: valid")
    for text in wrong:
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


def _fault(path: Path, runner: Runner, specs: dict[str, PipelineSpec]) -> str:
    """Error of a file; "" if it is valid, and then its spec is added to `specs`."""
    try:
        text = text_of(path)
        plain = toml.parse(text, str(path), PipelineError)
        source = plain.get("source")
        if "for" in plain or (isinstance(source, dict) and source.get("kind") == OWN_SOURCE):
            document = read_fleet_pipeline(text, str(path))
            _check_document(document, runner, "")
            spec = document.spec
        else:
            spec = read_pipeline(text, str(path))
            runner.check(spec)
    except EdgefleetError as error:
        return str(error)
    if spec.name in specs:
        return f"{spec.at('name')}: duplicate pipeline name {spec.name!r}; choose another name"
    specs[spec.name] = spec
    return ""


def _files(given: list[Path]) -> list[Path]:
    files = [each for path in given for each in (sorted(path.glob("*.toml")) if path.is_dir() else [path])]
    if not files:
        raise InputError(f"no *.toml in {', '.join(map(str, given))}; specify a pipeline file or a folder of pipeline files")
    return files


def text_of(path: Path) -> str:
    """Read a pipeline file.

    Raises:
        PipelineError: it is missing, too long, or not text.
    """
    data = read_if_there(path, FILE_BYTES_MAX)
    if data is None:
        raise PipelineError(f"{path}: no such file, or larger than {FILE_BYTES_MAX} bytes; specify a pipeline file")
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
