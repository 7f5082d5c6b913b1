"""`edgefleet-agent analyze`: runs a pipeline over a video, pictures or a sensor's series, every frame, as fast as possible."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, TextIO

import msgspec

from edgefleet_agent.cli.support.argument_types import local_file
from edgefleet_agent.cli.support.progress import ProgressLine
from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.pipeline.scheduling.runner import AnyRun, Runner
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.service.thread_faults import end_process_on_thread_fault
from edgefleet_agent.sources.cameras.file import OPTIONS as FILE_OPTIONS
from edgefleet_agent.sources.cameras.images import OPTIONS as PICTURE_OPTIONS
from edgefleet_contract.core.command_line import finite
from edgefleet_contract.core.errors import PipelineError, StoreError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text, number_text
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, StageSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges, Running

PROGRESS_S = 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `analyze`."""
    parser.add_argument(
        "video",
        type=local_file,
        metavar="VIDEO",
        help="Video file, folder of pictures or CSV time series; replaces the source of the pipeline",
    )
    parser.add_argument(
        "--pipeline", type=Path, required=True, metavar="P.toml", help="Pipeline file: stages, zones, lines, rules"
    )
    model = parser.add_argument_group("model")
    model.add_argument(
        "--package",
        action="append",
        default=[],
        metavar="[STAGE=]DIR",
        help="Package folder for all detect stages and slots, or NAME=DIR for one stage or slot; repeatable",
    )
    model.add_argument(
        "--min-score", type=finite, metavar="S", help="Confidence threshold that overrides that of all detect stages"
    )
    model.add_argument(
        "--backend", metavar="B", help="Runtime: lite_rt, onnx_runtime, open_vino or that of a plug-in (default: best match)"
    )
    model.add_argument(
        "--threads", type=int, default=0, metavar="N", help="Number of runtime threads (default: chosen by the runtime)"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--evidence", type=Path, metavar="DIR", help="Folder for clips and snapshots, if the pipeline keeps any")
    output.add_argument(
        "--stationary", type=Path, metavar="DIR", help="Folder for the state of stationary objects, kept between runs"
    )
    output.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="Write events as JSON Lines to FILE (default: stdout), then a summary",
    )
    output.add_argument("--all-phases", action="store_true", help="Also print the start of each event (phase new)")


def run(arguments: argparse.Namespace) -> int:
    """Analyze the sources; on a failure prints the events found so far, then the error."""
    end_process_on_thread_fault()
    spec = _pipeline(arguments)
    with _Report(arguments.json, arguments.all_phases) as report:
        evidence = EvidenceFolder(arguments.evidence, sys.maxsize, math.inf) if arguments.evidence is not None else None
        memory = SceneMemory(arguments.stationary) if arguments.stationary is not None else None
        runner = Runner(report, evidence=evidence, memory=memory)
        try:
            models = _load(runner, spec, arguments)
            began_s = time.monotonic()
            runner.set_pipelines([spec])
            pipeline = runner.runs[spec.name]
            _wait(pipeline)
            elapsed_s = time.monotonic() - began_s
            if pipeline.frames_total or pipeline.error is None:
                gauges = pipeline.gauges(max(elapsed_s, 1e-6))
                report.summarize(arguments.video, spec, models, elapsed_s, gauges, pipeline.quiet_total)
            error = pipeline.error
        finally:
            runner.close()
    if error is not None:
        raise error
    return 0


def _pipeline(arguments: argparse.Namespace) -> PipelineSpec:
    """The pipeline file, changed by the command line options. Folders of packages are relative to the file."""
    path: Path = arguments.pipeline
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        why = cause.strerror if isinstance(cause, OSError) else "not UTF-8"
        raise PipelineError(f"{path}: cannot be read: {why}; specify a pipeline file") from cause
    spec = read_pipeline(text, str(path))
    if arguments.min_score is not None and not 0.0 <= arguments.min_score <= 1.0:
        raise PipelineError(f"--min-score {arguments.min_score:g}: must be between 0 and 1")
    source = _recorded(arguments.video, spec.source)
    packages = _packages(arguments.package, spec)
    stages = [_stage(stage, path.parent, packages, arguments) for stage in spec.stages]
    return msgspec.structs.replace(spec, source=source, stages=stages)


def _recorded(path: Path, source: SourceSpec) -> SourceSpec:
    """The recording in place of a source of any kind, with those of its options that recordings have too."""
    options = source.options
    if source.kind in plugins.names("sensors"):
        return SourceSpec(kind="csv", uri=str(path), pace="fast", options=options if source.kind == "csv" else {})
    if path.is_dir():
        known = PICTURE_OPTIONS if source.kind == "images" else ("rotate",)
        shared = {name: value for name, value in options.items() if name in known}
        return SourceSpec(kind="images", uri=str(path), pace="fast", options=shared)
    shared = {name: value for name, value in options.items() if name in FILE_OPTIONS}
    if shared.get("gate") != "packets":  # the others need the camera
        shared.pop("gate", None)
    return SourceSpec(kind="file", uri=str(path), pace="fast", fps=source.fps, options=shared)


def _packages(given: list[str], spec: PipelineSpec) -> dict[str, str]:
    """Package folders by stage or slot; "" is the key of the folder for all others."""
    known = [*(stage.name for stage in spec.stages if stage.model), *spec.slots()]
    packages: dict[str, str] = {}
    for text in given:
        name, separator, folder = text.partition("=")
        if separator and name in known:
            packages[name] = folder
        elif separator and not Path(text).exists():
            raise PipelineError(f"--package {text}: no stage or slot {name!r}; known are {', '.join(known) or 'none'}")
        else:
            packages[""] = text
    return packages


def _stage(stage: StageSpec, beside: Path, packages: dict[str, str], arguments: argparse.Namespace) -> StageSpec:
    if not stage.model:
        return stage
    model = stage.model
    own = packages.get(stage.name) or packages.get(model.removeprefix("slot:"))
    general = packages.get("") if model.startswith("slot:") or stage.kind == "detect" else None
    if own or general:
        model = f"package:{own or general}"
    elif model.startswith("package:"):
        model = f"package:{beside / model.removeprefix('package:')}"
    elif model.startswith("slot:"):
        raise PipelineError(f"stage {stage.name!r}: {model} is available only in the service; specify --package {stage.name}=DIR")
    lowered = arguments.min_score is not None and stage.kind == "detect"
    min_score = arguments.min_score if lowered else stage.min_score
    return msgspec.structs.replace(stage, model=model, min_score=min_score)


def _load(runner: Runner, spec: PipelineSpec, arguments: argparse.Namespace) -> list[LoadedModel]:
    """Loads all models of the pipeline, after a check of the pipeline itself, which is fast."""
    runner.check(spec)
    runtimes = [arguments.backend] if arguments.backend else installed_runtimes()
    models: list[LoadedModel] = []
    for name in dict.fromkeys(stage.model for stage in spec.stages if stage.model):
        folder = Path(name.removeprefix("package:"))

        def open_model(folder: Path = folder) -> LoadedModel:
            models.append(LoadedModel.open(folder, runtimes=runtimes, threads=arguments.threads))
            return models[-1]

        runner.load(name, open_model, lambda m: Running(package=m.manifest.name, version=m.manifest.version, digest=""))
    return models


def _wait(pipeline: AnyRun) -> None:
    progress = ProgressLine()
    while not pipeline.done.wait(PROGRESS_S if progress.shown else None):
        progress.show(pipeline.frames_total, pipeline.frames_expected)
    progress.clear()


class _Report:
    """Prints events as they arrive, as text or as JSON lines. The listener of the one pipeline."""

    def __init__(self, target: str | None, all_phases: bool) -> None:
        self._all_phases = all_phases
        self._events: Counter[str] = Counter()
        self._counts: dict[str, Any] = {}
        self._file: TextIO | None = None
        self._people = target != "-"
        if target == "-":
            self._file = sys.stdout
        elif target is not None:
            try:
                self._file = open(target, "w", encoding="utf-8", buffering=1)  # noqa: SIM115, PTH123 - closed by `__exit__`
            except OSError as cause:
                raise StoreError(f"{target}: cannot be written: {cause.strerror}; choose another file for --json") from cause

    def __enter__(self) -> _Report:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None and self._file is not sys.stdout:
            self._file.close()

    def on_event(self, event: Event) -> None:
        """Prints one event of the pipeline."""
        if event.phase is EventPhase.NEW and not self._all_phases:
            return
        if event.phase is not EventPhase.NEW:
            self._events[event.rule] += 1
            self._count(event)
        if self._file is not None:
            plain = to_plain(event)
            if self._all_phases:
                plain["phase"] = event.phase.value
            self._print(plain)
        if self._people:
            print(_sentence(event))

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Prints a problem that does not stop the analysis."""
        del over
        print(f"edgefleet-agent: {pipeline}: {text}", file=sys.stderr)

    def summarize(
        self,
        video: Path,
        spec: PipelineSpec,
        models: list[LoadedModel],
        elapsed_s: float,
        gauges: PipelineGauges,
        quiet: int,
    ) -> None:
        """Prints the summary line."""
        frames = gauges.frames_total + quiet
        summary = {
            "kind": "summary",
            "video": str(video),
            "pipeline": spec.name,
            "frames": frames,
            "quiet": quiet,
            "seconds": round(elapsed_s, 3),
            "fps": round(frames / elapsed_s, 2),
            "events": {rule.name: self._events[rule.name] for rule in spec.rules},
            "visits": sum(self._events[rule.name] for rule in spec.rules if rule.kind == "visit"),
            "counts": {rule.name: self._counts.get(rule.name, 0) for rule in spec.rules},
            "coverage": gauges.coverage,
            "dropped": gauges.dropped,
            "detections_per_frame": gauges.detections_per_frame,
            "latency_ms": {name: to_plain(stage) for name, stage in gauges.latency.items()},
            "model": ", ".join(model.manifest.id for model in models),
            "variant": models[0].variant.name if models else "",
            "runtime": models[0].placement.runtime if models else "",
            "device": models[0].placement.device if models else "",
        }
        if self._file is not None:
            self._print(summary)
        if self._people:
            _print_summary(spec, summary)

    def _count(self, event: Event) -> None:
        if event.kind == "line":
            self._counts.setdefault(event.rule, {})[event.direction] = event.count
        elif event.kind == "count":
            self._counts[event.rule] = {"total": event.count, **event.data}
        else:
            self._counts[event.rule] = self._events[event.rule]

    def _print(self, plain: dict[str, Any]) -> None:
        print(json_text(plain, compact=True, ascii_only=False), file=self._file, flush=True)


def _sentence(event: Event) -> str:
    """Formats an event as one line of text."""
    if event.start_frame is None:  # an event of a sensor
        span = f"{event.data['from']} to {event.data.get('to', '...')}"
        what = event.data.get("feature", event.label)
        value = event.score if event.score is not None else event.data.get("extreme", 0.0)
        shown, coverage = number_text(value, ".2f"), number_text(event.coverage, ".2f")
        return f"{event.rule:12} {event.kind:8} {span}  {what} {shown}  coverage {coverage}"
    where = event.zone or event.line or "picture"
    place = f"{event.rule:12} {event.kind:6} {where:10}"
    begin = f"{number_text(event.start_s, '8.1f')} s  frame {event.start_frame:>6}"
    if event.phase is EventPhase.NEW:
        return f"{place} {begin}  {event.label} {event.track_id} begins"
    if event.kind == "line":
        return f"{place} {begin}  {event.label} {event.track_id} {event.direction} (count {event.count})"
    end = f"to {number_text(event.end_s, '8.1f')} s  frame {event.end_frame:>6}"
    many = event.kind in ("count", "crowd", "occupancy")
    what = f"count {event.count} {event.data}" if many else f"{event.label} {event.track_id}"
    shown_attributes = "".join(f", {name} {attribute['label']}" for name, attribute in event.data.get("attributes", {}).items())
    return f"{place} {begin}  {end}  {what}{shown_attributes}  coverage {number_text(event.coverage, '.2f')}"


def _print_summary(spec: PipelineSpec, summary: dict[str, Any]) -> None:
    print()
    for rule in spec.rules:
        print(f"{rule.name:12} {rule.kind:6} {json_text(summary['counts'][rule.name])}")
    print(
        f"{summary['frames']} frames in {summary['seconds']:.1f} s: {summary['fps']:.1f} frames/s, coverage {summary['coverage']}"
    )
    if not summary["latency_ms"]:
        return
    stages = ", ".join(f"{name} {stage.get('p50_ms', 0.0):.2f}" for name, stage in summary["latency_ms"].items())
    print(f"median ms: {stages}")
    if summary["quiet"]:
        print(f"{summary['quiet']} frames without motion were not analyzed")
    if summary["model"]:
        print(f"{summary['model']} ({summary['variant']}) on {summary['runtime']}, {summary['device']}")
