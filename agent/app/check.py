"""`edgefleet-agent check`: whether pipelines can work, before a device gets them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from agent.contract.messages import Event
from agent.contract.pipeline import PipelineSpec, read_pipeline
from agent.errors import EdgefleetError, InputError, PipelineError
from agent.pipeline.runner import Runner

FILE_BYTES_MAX = 256 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`."""
    parser.add_argument("files", nargs="+", type=Path, metavar="P.toml", help="pipelines, or folders of them")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Exit code 2 when one of them cannot work. Models and sources are not opened."""
    specs: dict[str, PipelineSpec] = {}
    runner = Runner(_Nobody())
    found = {str(path): _fault(path, runner, specs) for path in _files(arguments.files)}
    runner.close()
    wrong = [text for text in found.values() if text]
    if arguments.json:
        print(json.dumps([{"file": path, "ok": not text, "error": text} for path, text in found.items()], ensure_ascii=False))
        return PipelineError.exit_code if wrong else 0
    for spec in specs.values():
        print(f"{spec.file}: {spec.name}, {len(spec.stages)} stages, {len(spec.rules)} rules: can work")
    for text in wrong:
        print(f"edgefleet-agent: {text}", file=sys.stderr)
    return PipelineError.exit_code if wrong else 0


def _fault(path: Path, runner: Runner, specs: dict[str, PipelineSpec]) -> str:
    """What is wrong with a file; "" and a place in `specs` where nothing is."""
    try:
        spec = read_pipeline(_text(path), str(path))
        runner.check(spec)
    except EdgefleetError as error:
        return str(error)
    if spec.name in specs:
        return f"{spec.at('name')}: another pipeline is already called {spec.name!r}; give it another name"
    specs[spec.name] = spec
    return ""


def _files(given: list[Path]) -> list[Path]:
    files = [each for path in given for each in (sorted(path.glob("*.toml")) if path.is_dir() else [path])]
    if not files:
        raise InputError(f"no *.toml in {', '.join(map(str, given))}; name a pipeline file, or a folder that has some")
    return files


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
        if len(data) > FILE_BYTES_MAX:
            raise PipelineError(f"{path}: over {FILE_BYTES_MAX} bytes; that is no pipeline")
        return data.decode()
    except OSError as cause:
        raise PipelineError(f"{path}: cannot be read: {cause.strerror}; give a pipeline file") from cause
    except UnicodeDecodeError as cause:
        raise PipelineError(f"{path}: not UTF-8 text; give a pipeline file") from cause


class _Nobody:
    """A listener of pipelines that never run."""

    def on_event(self, event: Event) -> None:
        """Nothing runs."""

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        """Nothing runs."""
