"""`edgefleet-agent try`: a detector on a video or camera, without a file: events as they come, counts at the end, a page."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from edgefleet_agent.cli.camera.model_choice import ModelRequest, check_classes, open_detector
from edgefleet_agent.cli.camera.quick_pipeline import classes_argument, line_argument, quick_pipeline
from edgefleet_agent.cli.camera.source_address import RECORDED, add_source_arguments, source_address, source_of
from edgefleet_agent.cli.camera.try_page import ADDRESS, TryPage, open_page
from edgefleet_agent.cli.camera.try_report import Measured, TryReport
from edgefleet_agent.cli.support.argument_types import parameter
from edgefleet_agent.cli.support.progress import ProgressLine
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import AnyRun, Runner
from edgefleet_agent.service.thread_faults import end_process_on_thread_fault
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.command_line import fraction, seconds
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.pipeline.spec import EvidenceSpec
from edgefleet_contract.wire.messages import Running

NAME = "try"
MODEL = "slot:detector"
POLL_S = 0.1
SECONDS_MAX = 100 * 86_400.0
OTHER_STOPS = (signal.SIGTERM, signal.SIGHUP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `try`."""
    add_source_arguments(parser)
    parser.add_argument(
        "--model",
        required=True,
        metavar="MODEL",
        help="Model file (.onnx, .tflite, .xml), package folder, or name of a model that `edgefleet model fetch` has downloaded",
    )
    model = parser.add_argument_group("model file")
    model.add_argument("--labels", type=Path, metavar="FILE", help="Labels of a model file, one a line")
    model.add_argument("--head", default="", metavar="NAME", help="Model family of a model file (default: recognized)")
    model.add_argument(
        "--param", type=parameter, action="append", default=[], metavar="K=V", help="Head parameter of a model file; repeatable"
    )
    model.add_argument(
        "--device",
        default="",
        metavar="D",
        help="Compute device: cpu, edgetpu, cuda, npu, ... (default: by the profile)",
    )
    count = parser.add_argument_group("counting")
    count.add_argument(
        "--line",
        type=line_argument,
        metavar="X1,Y1,X2,Y2",
        help="Line whose crossings are counted, in fractions of width and height from the upper left corner; seen from the first "
        "point to the second, from left to right is forward",
    )
    count.add_argument("--classes", type=classes_argument, default=[], metavar="A,B", help="Labels that count (default: all)")
    count.add_argument(
        "--min-score", type=fraction, default=0.5, metavar="S", help="Confidence threshold of detections (default: %(default)s)"
    )
    count.add_argument(
        "--seconds",
        type=seconds(0.001, SECONDS_MAX),
        metavar="S",
        help="End after this time (default: at the end, or with Ctrl-C)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--page",
        nargs="?",
        const=ADDRESS,
        metavar="ADDRESS",
        help=f"Show the live picture with boxes on a web page, HOST:PORT (default: {ADDRESS}); a file plays at its own speed",
    )
    output.add_argument("--json", action="store_true", help="Print JSON lines: events, then a summary")


def run(arguments: argparse.Namespace) -> int:
    """Run until the source ends, Ctrl-C, or the time is over."""
    end_process_on_thread_fault()
    address = source_address(arguments)
    source = source_of(address, "fast" if arguments.page is None else "realtime")
    spec = quick_pipeline(
        NAME,
        source,
        model=MODEL,
        line=arguments.line,
        classes=arguments.classes,
        min_score=arguments.min_score,
        evidence=EvidenceSpec() if arguments.page is not None else None,
    )
    progress = ProgressLine(enabled=source.kind in RECORDED and arguments.page is None)
    report = TryReport(spec, redact(address), recorded=source.kind in RECORDED, as_json=arguments.json, progress=progress)
    with _stopped_by_signals(), contextlib.ExitStack() as resources:
        page = resources.enter_context(open_page(arguments.page)) if arguments.page is not None else None
        runner = Runner(report, evidence=page.evidence if page else None, observers=page.hub if page else None)
        resources.callback(runner.close)
        report.model = _load(runner, arguments)
        began_s = time.monotonic()
        runner.set_pipelines([spec])
        if page is not None:
            page.hub.switches_of = runner.switches
            print(f"Page: {page.url}", file=sys.stderr if arguments.json else sys.stdout, flush=True)
        pipeline, stopped = runner.runs[NAME], False
        try:
            _wait(pipeline, runner, report, progress, page, arguments.seconds)
        except KeyboardInterrupt:
            stopped = True
        elapsed_s = time.monotonic() - began_s
        progress.clear()
        pipeline.close()  # ends the events that are open
        if pipeline.error is None or pipeline.frames_total:
            report.begin()
            report.summarize(Measured(pipeline.totals(), elapsed_s), arguments.min_score)
        report.check_output()
        if pipeline.error is not None:
            raise pipeline.error
        if page is not None and not stopped and arguments.seconds is None:
            report.note("the video is over; the page stays until Ctrl-C")
            _keep(page, runner)
    return 0


def _load(runner: Runner, arguments: argparse.Namespace) -> LoadedModel:
    """Load the model into the slot of the pipeline."""
    opened: list[LoadedModel] = []

    def open_checked() -> LoadedModel:
        request = ModelRequest(arguments.model, arguments.labels, arguments.head, dict(arguments.param), arguments.device)
        model = open_detector(request)
        try:
            check_classes(arguments.classes, model)
        except InputError:
            model.close()
            raise
        opened.append(model)
        return model

    runner.load(MODEL, open_checked, _running)
    return opened[0]


def _running(model: LoadedModel) -> Running:
    manifest, placement = model.manifest, model.placement
    return Running(
        package=manifest.name, version=manifest.version, digest="", runtime=placement.runtime, placement=placement.device
    )


def _wait(
    pipeline: AnyRun, runner: Runner, report: TryReport, progress: ProgressLine, page: TryPage | None, seconds_max: float | None
) -> None:
    """Wait for the end of the source, or of the time.

    Raises:
        UnavailableError: the source gives no frame; the text gives the reason.
    """
    recorded, ends_s = pipeline.spec.source.kind in RECORDED, time.monotonic() + (seconds_max or SECONDS_MAX)
    while not pipeline.done.wait(min(POLL_S, max(0.0, ends_s - time.monotonic()))):
        report.check_output()
        if pipeline.frames_total:
            report.begin()
        if report.fault and (recorded or not report.delivering):
            raise UnavailableError(report.fault)
        if time.monotonic() >= ends_s:
            return
        progress.show(pipeline.frames_total, pipeline.frames_expected)
        if page is not None:
            page.measure(runner)


def _keep(page: TryPage, runner: Runner) -> None:
    """Keep the page open until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            page.measure(runner)
            time.sleep(POLL_S)


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Treat a request to end, and the end of the terminal, as Ctrl-C: the temporary folder is removed."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in OTHER_STOPS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
