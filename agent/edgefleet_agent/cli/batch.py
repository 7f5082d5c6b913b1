"""`edgefleet-agent batch`: runs a model over an archive of pictures, videos and tables."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import sys
import time
from pathlib import Path

from edgefleet_agent.backends.base import default_threads
from edgefleet_agent.batch.executors import by_processes, by_ray
from edgefleet_agent.batch.predictor import BatchJob, describe
from edgefleet_agent.batch.result_store import ResultStore
from edgefleet_agent.batch.work_units import cut, find_files, fingerprint
from edgefleet_agent.cli.support.argument_types import check_no_file_options, count, parameter, positive_count
from edgefleet_agent.core import plugins
from edgefleet_contract.core.command_line import fraction
from edgefleet_contract.core.errors import InputError, MediaError
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.manifest import MANIFEST_FILE

PROGRESS_S = 10.0
"""Interval of progress lines if stderr is not a terminal, in seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `batch`."""
    parser.add_argument("patterns", nargs="+", metavar="PATTERN", help="File, folder, or pattern such as 'archive/**/*.jpg'")
    group = parser.add_argument_group("model")
    model = group.add_mutually_exclusive_group(required=True)
    model.add_argument("--package", type=Path, metavar="DIR", help="Package folder (contains model.toml)")
    model.add_argument("--model", type=Path, metavar="FILE", help="Bare model file; requires --head for images and videos")
    group.add_argument(
        "--head", default="", metavar="NAME", help="Model family of a bare file: ssd, yolox, detection_output, ..."
    )
    group.add_argument(
        "--param", type=parameter, action="append", default=[], metavar="K=V", help="Head parameter of a bare file; repeatable"
    )
    group.add_argument("--labels", type=Path, metavar="FILE", help="Label file of a bare file, one label per line")
    group.add_argument("--backend", default="", metavar="B", help="Runtime (default: best match)")
    group.add_argument(
        "--min-score", type=fraction, default=0.5, metavar="S", help="Confidence threshold of detections (default: %(default)s)"
    )
    group.add_argument(
        "--top",
        type=positive_count,
        default=5,
        metavar="K",
        help="Number of classes kept for a classifier (default: %(default)s)",
    )
    group.add_argument(
        "--every", type=positive_count, default=1, metavar="N", help="Analyze every N-th video frame (default: %(default)s)"
    )
    execution = parser.add_argument_group("execution")
    execution.add_argument(
        "--processes", type=count, default=0, metavar="N", help="Number of processes (default: number of cores, at most 4)"
    )
    execution.add_argument(
        "--ray", nargs="?", const="", metavar="ADDRESS", help="Run on the Ray cluster at ADDRESS (default: start Ray locally)"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--output", type=Path, required=True, metavar="FILE", help="Result file (.jsonl or .parquet)")
    output.add_argument("--json", action="store_true", help="Print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Process all pending files. Exit code 2 if a file could not be read: its record has the reason."""
    if arguments.model is not None and arguments.head and arguments.head not in plugins.names("heads"):
        raise InputError(f"--head {arguments.head}: must be one of {', '.join(plugins.names('heads'))}")
    if arguments.package is not None:
        check_no_file_options(arguments.package, arguments.labels, arguments.head, arguments.param)
    files = find_files(arguments.patterns)
    units = cut(files)
    job = BatchJob(
        package=str(arguments.package.resolve()) if arguments.package else "",
        model=str(arguments.model.resolve()) if arguments.model else "",
        head=arguments.head,
        labels=str(arguments.labels.resolve()) if arguments.labels else "",
        params=dict(arguments.param),
        runtime=arguments.backend,
        min_score=arguments.min_score,
        top=arguments.top,
        every=arguments.every,
    )
    if job.model and not job.head and any(unit.kind != "table" for unit in units):
        raise InputError(f"--model requires --head for images and videos: one of {', '.join(plugins.names('heads'))}")
    store = ResultStore(arguments.output, fingerprint(files, describe(job) + _model_digest(job)))
    done = store.done()
    left = [unit for unit in units if unit.number not in done]
    processes = min(arguments.processes or default_threads(), max(len(left), 1))
    progress = Progress(len(units), len(done))
    began_s = time.monotonic()
    if left:
        engine = by_processes(left, job, processes) if arguments.ray is None else by_ray(left, job, processes, arguments.ray)
        with contextlib.closing(engine):  # at Ctrl-C, too
            for number, found in engine:
                store.save(number, found)
                progress.step()
    records, unreadable = store.finish(len(units))
    progress.end()
    summary = {
        "output": str(arguments.output),
        "files": len(files),
        "records": records,
        "resumed_pieces": len(done),
        "unreadable": unreadable,
        "seconds": round(time.monotonic() - began_s, 1),
    }
    if arguments.json:
        print(json_text(summary))
    else:
        took = f"{records} records from {len(files)} files in {summary['seconds']} s, {unreadable} unreadable"
        print(f"{arguments.output}: {took}")
    return MediaError.exit_code if unreadable else 0


class Progress:
    """Progress in pieces, on stderr: one changing line on a terminal, a line every `PROGRESS_S` elsewhere."""

    def __init__(self, total: int, done: int) -> None:
        self._total, self._done, self._before = total, done, done
        self._began_s = time.monotonic()
        self._printed_s = 0.0
        if done:
            print(f"resuming: {done} of {total} chunks already done", file=sys.stderr)

    def step(self) -> None:
        """Count one more piece."""
        self._done += 1
        now_s = time.monotonic()
        terminal = sys.stderr.isatty()
        if now_s - self._printed_s < (0.2 if terminal else PROGRESS_S) and self._done < self._total:
            return
        self._printed_s = now_s
        left_s = (now_s - self._began_s) / (self._done - self._before) * (self._total - self._done)
        text = f"{self._done}/{self._total} chunks, {left_s:.0f} s left"
        print(f"\r{text:60}" if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line."""
        if sys.stderr.isatty():
            print(file=sys.stderr)


def _model_digest(job: BatchJob) -> str:
    """Digest of the model's manifest or file, as a part of the job's identity."""
    file = Path(job.package) / MANIFEST_FILE if job.package else Path(job.model)
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1024 * 1024):
            digest.update(block)
    return digest.hexdigest()
