"""`edgefleet model quantize DIR --data PICTURES`: int8 variants with their errors; no server needed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from edgefleet_contract.core.command_line import finite
from edgefleet_server.cli.client import print_json, print_table
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.model_tools.agent_process import require_agent
from edgefleet_server.model_tools.progress_bar import Progress
from edgefleet_server.model_tools.quantize.accuracy import TRUTH_SCORE_MIN
from edgefleet_server.model_tools.quantize.flavours import EDGE_TPU, FLAVOURS
from edgefleet_server.model_tools.quantize.job import AGREEMENT_MIN, QuantizeRequest, Report, Row, quantize
from edgefleet_server.model_tools.quantize.onnx_int8 import METHODS
from edgefleet_server.model_tools.quantize.operating_point import OperatingPoint

LOST_SHOWN: Final = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("package", type=Path, metavar="DIR", help="Package with a float variant")
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR|CSV", help="Calibration data: folder of pictures, or time series"
    )
    parser.add_argument("--held-out", type=Path, metavar="DIR|CSV", help="Evaluation data (default: a quarter of --data)")
    parser.add_argument(
        "--channels", nargs="+", default=[], metavar="NAME", help="Columns of a time series (default: all numeric columns)"
    )
    parser.add_argument(
        "--flavour",
        action="append",
        default=[],
        choices=[*FLAVOURS, EDGE_TPU.name],
        help=f"Quantization scheme {REPEATABLE} (default: all)",
    )
    parser.add_argument("--method", choices=METHODS, default="minmax", help="Calibration method for ONNX (default: %(default)s)")
    parser.add_argument(
        "--agreement-min",
        type=finite,
        default=AGREEMENT_MIN,
        metavar="X",
        help="Minimum agreement with the float variant (default: %(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=finite,
        default=TRUTH_SCORE_MIN,
        metavar="SCORE",
        help="Of a detector: the score from which its boxes will be used, for precision and recall (default: %(default)s)",
    )
    parser.add_argument("--drop-bad", action="store_true", help="Drop variants below the limit instead of failing")
    parser.add_argument("--version", default="", help="Version of the new package (default: the next minor version)")
    parser.add_argument("--into", type=Path, metavar="DIR", help="Output folder (default: next to the package)")
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    require_agent("model quantize")
    package: Path = arguments.package.resolve()
    report = quantize(
        QuantizeRequest(
            package=package,
            calibration=arguments.data,
            into=arguments.into or package.parent.parent,
            held_out=arguments.held_out,
            version=arguments.version,
            flavours=tuple(dict.fromkeys(arguments.flavour)),
            channels=tuple(arguments.channels),
            method=arguments.method,
            agreement_min=arguments.agreement_min,
            threshold=arguments.threshold,
            drop_bad=arguments.drop_bad,
        ),
        partial(Progress, quiet=arguments.json),
    )
    if arguments.json:
        print_json(report.plain())
    else:
        _print(report)
    return 0


def _print(report: Report) -> None:
    print_table(("VARIANT", "STATE", "SIZE", "AGREEMENT", "COSINE", "DATA", "NOTE"), [_cells(row) for row in report.rows])
    for row in report.rows:
        if row.accuracy is not None and row.accuracy.at is not None:
            print(f"{row.variant} {row.accuracy.at.sentence()}")
            for text in _lost_boxes(row.accuracy.at, report.held_out):
                print(f"  lost: {text}")
    for note in report.notes:
        print(f"note: {note}")
    if report.folder:
        print(f"{report.folder}: {report.id}")
        print(f"next: edgefleet model validate {report.folder}")


def _lost_boxes(at: OperatingPoint, held_out: Sequence[str]) -> list[str]:
    """The lost boxes of most score, in words."""
    rows = sorted(at.lost, key=lambda each: -each.score)
    texts = [
        f"{held_out[each.sample]}: {each.label} {each.score:.2f}, now "
        + (f"{each.found_score:.2f}" if each.found_score else "no box")
        for each in rows[:LOST_SHOWN]
    ]
    return [*texts, f"{len(rows) - LOST_SHOWN} others (--json)"] if len(rows) > LOST_SHOWN else texts


def _cells(row: Row) -> list[object]:
    size = f"{row.length_bytes / 1e6:.2f} MB"
    if row.float_bytes:
        size += f" of {row.float_bytes / 1e6:.2f}"
    if row.accuracy is None:
        return [row.variant, row.state.replace("_", " "), size, "-", "-", "-", row.note]
    accuracy = row.accuracy
    cosine = min(accuracy.cosine.values(), default=0.0)
    on = f"{accuracy.samples} samples, {accuracy.truths} boxes" if accuracy.measure == "map50" else f"{accuracy.samples} samples"
    return [row.variant, row.state, size, f"{accuracy.measure} {accuracy.agreement:.3f}", f"{cosine:.4f}", on, row.note]
