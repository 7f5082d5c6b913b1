"""`edgefleet model import FILE|DIR` and `edgefleet model validate DIR`: packages on this machine's disk, no server needed."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, Variant
from edgefleet_contract.package.pixel_scaling import Scaling
from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.agent_process import require_agent
from edgefleet_server.model_tools.convert.run import Conversion, convert, convertible
from edgefleet_server.model_tools.progress_bar import Progress
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, Refused, import_model, read_labels
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.triton_ensemble import Joined

ACTIONS = ("import", "validate")
_VERSION = re.compile(r"\d+(\.\d+)+")
NUMBER_MAX = 1e6
RUN_S_MAX = 300.0
QUIET_S_MAX = 5.0
"""Time limit for loading one variant and running its golden samples."""


def add_arguments(commands: Any) -> None:
    """Add the two actions to those of `edgefleet model`."""
    take = add_command(
        commands,
        "import",
        "Create a package from a model file, an OpenVINO IR or a Triton repository",
        "edgefleet model import detector.onnx --labels labels.txt --name dent_detector",
    )
    what = ".onnx, .ort, .tflite, .xml, .pt2 (ExportedProgram) or .pt (TorchScript) file; folder with config.pbtxt; SavedModel"
    into = "Folder of packages, or a package to add the model to as a variant (default: %(default)s)"
    take.add_argument("source", type=Path, metavar="FILE|DIR", help=what)
    take.add_argument("--into", type=Path, default=Path("firmware_models"), metavar="DIR", help=into)
    take.add_argument("--name", default="", help="Package name (default: file name)")
    take.add_argument("--version", default="", help="Version (default: 1.0.0, or the Triton version)")
    take.add_argument("--head", default="", metavar="FAMILY", help="Model family, if it cannot be derived from the output shapes")
    take.add_argument("--labels", type=Path, metavar="FILE", help="Labels, one per line (default: those in the model)")
    take.add_argument("--param", action="append", default=[], metavar="K=V", help=f"Parameter of the head {REPEATABLE}")
    scaling = "of the pixels, one number or one for each channel (default: that of the file, or the usual one)"
    take.add_argument("--mean", type=_numbers, default=(), metavar="127.5", help=f"Mean {scaling}")
    take.add_argument("--std", type=_numbers, default=(), metavar="127.5", help=f"Standard deviation {scaling}")
    take.add_argument("--licence", default="", metavar="SPDX", help="SPDX license identifier")
    take.add_argument(
        "--input-shape", type=_shape, default=(), metavar="1,3,224,224", help="Input shape, if the model leaves it open"
    )
    take.add_argument(
        "--python", type=Path, metavar="FILE", help="Python interpreter with TensorFlow or PyTorch (default: this one)"
    )
    check = add_command(
        commands,
        "validate",
        "Validate a package: manifest, files, golden samples",
        "edgefleet model validate firmware_models/conveyor_inspector/1.1.0",
    )
    check.add_argument("folder", type=Path, help="Package folder with a model.toml")
    check.add_argument("--edge-tpu", action="store_true", help="Check TFLite files as the Edge TPU compiler does")
    check.add_argument("--no-run", action="store_true", help="Do not run the model")
    for child in (take, check):
        child.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; exit code 2 if a package is not valid.

    Raises:
        EdgefleetError: the text says what to do.
    """
    return _import(arguments) if arguments.action == "import" else _validate(arguments)


def _import(arguments: argparse.Namespace) -> int:
    labels = read_labels(arguments.labels) if arguments.labels else ()
    if arguments.labels and not labels:
        raise InputError(f"{arguments.labels}: no labels; specify a file with one label per line, or leave --labels out")
    is_package = (arguments.into / MANIFEST_FILE).is_file()
    if not is_package and not arguments.into.exists() and _VERSION.fullmatch(arguments.into.name):
        raise InputError(f"{arguments.into}: no such package; --into takes a package, or the folder of all packages")
    request = ImportRequest(
        name=arguments.name,
        version=arguments.version,
        family=arguments.head,
        labels=labels,
        params=dict(_parameter(text) for text in arguments.param),
        licence=arguments.licence,
        scaling=_scaling(arguments.mean, arguments.std),
        input_shape=arguments.input_shape,
    )
    with tempfile.TemporaryDirectory(prefix="edgefleet-import-") as scratch:
        source = arguments.source
        if convertible(source):
            how = Conversion(arguments.python, tuple(arguments.input_shape))
            source, request = convert(source, Path(scratch), how), replace(request, name=request.name or source.stem)
        if is_package:
            made: list[Imported | Joined | Refused] = [add_variant(source, arguments.into, request)]
        else:
            with Progress(f"importing {source.name}", 0, quiet=arguments.json) as bar:
                made = import_model(source, arguments.into, request, lambda done, total: bar.to(done, total=total))
    refused = [each for each in made if isinstance(each, Refused)]
    if arguments.json:
        print_json([_row(each) for each in made])
    else:
        for each in made:
            _print_result(each)
    return InputError.exit_code if refused else 0


def _row(each: Imported | Joined | Refused) -> dict[str, Any]:
    if isinstance(each, Refused):
        return {"source": str(each.source), "refused": each.text}
    row = {"folder": str(each.folder), "notes": list(each.notes)}
    if isinstance(each, Joined):
        return {**row, "id": each.id, "steps": list(each.steps)}
    return {**row, "id": each.manifest.id}


def _print_result(each: Imported | Joined | Refused) -> None:
    if isinstance(each, Refused):
        print(f"refused: {each.text}", file=sys.stderr)
        return
    if isinstance(each, Joined):
        print(f"{each.folder}: {each.id}, an ensemble of {', '.join(each.steps)}")
    else:
        variant = each.manifest.variants[-1]
        print(f"{each.folder}: {each.manifest.id}, head {each.manifest.head.family}, {variant.format} {variant.precision}")
        if len(each.manifest.variants) > 1:
            print(f"  variants: {', '.join(one.name for one in each.manifest.variants)}")
    for note in each.notes:
        print(f"  check: {note}")
    if isinstance(each, Joined):
        print(f"  next: edgefleet-agent serve {each.folder.parent.parent}")
    else:
        print(f"  next: edgefleet model validate {each.folder}")


def _validate(arguments: argparse.Namespace) -> int:
    manifest, findings = lint(arguments.folder, edge_tpu=arguments.edge_tpu)
    broken = {finding.where for finding in findings if finding.level == "error"}
    runs = []
    if not arguments.json:
        for finding in findings:
            print(f"{finding.level:8} {finding.where}: {finding.text}", flush=True)
    if not arguments.no_run and "model.toml" not in broken:
        require_agent("model validate", "or --no-run")
        runs = run_variants(arguments.folder, [variant for variant in manifest.variants if variant.name not in broken])
    failed = bool(broken) or any(each["state"] == "failed" for each in runs)
    if arguments.json:
        rows = [{"level": each.level, "where": each.where, "text": each.text} for each in findings]
        print_json({"id": manifest.id, "ok": not failed, "findings": rows, "runs": runs})
    else:
        _print(manifest, runs, failed)
    return InputError.exit_code if failed else 0


def _print(manifest: Manifest, runs: list[dict[str, str]], failed: bool) -> None:
    for each in runs:
        print(f"{each['state']:8} {each['variant']} on {each['runtime']}: {each['detail']}")
    print(f"{manifest.id} is {'not ' if failed else ''}valid")


def run_variants(folder: Path, variants: Sequence[Variant]) -> list[dict[str, str]]:
    """Run the agent's self-test of each variant on each of its runtimes: rows with `variant`, `runtime`, `state` (passed, failed,
    skipped) and `detail`."""
    return [_run(folder, variant, runtime) for variant in variants for runtime in variant.runtimes]


def _run(folder: Path, variant: Variant, runtime: str) -> dict[str, str]:
    """Run the agent's self-test in a child process: a crash of a runtime ends only the child."""
    row = {"variant": variant.name, "runtime": runtime}
    command = [
        sys.executable,
        "-m",
        "edgefleet_agent",
        "selftest",
        str(folder.resolve()),
        "--variant",
        variant.name,
        "--runtimes",
        runtime,
    ]
    try:
        done = _waited([*command, "--json"], f"{variant.name} on {runtime}")
    except subprocess.TimeoutExpired:
        return {**row, "state": "failed", "detail": f"timeout after {RUN_S_MAX:.0f} s"}
    if done.returncode < 0:
        return {**row, "state": "failed", "detail": f"the runtime crashed (signal {-done.returncode})"}
    try:
        verdict = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return {**row, "state": "failed", "detail": lines[-1] if lines else f"exit code {done.returncode}"}
    # Variants for other kinds of devices cannot be tested on this machine.
    elsewhere = verdict["reason"] == "incompatible" or bool(variant.profiles)
    if not verdict["ok"] and elsewhere:
        return {**row, "state": "skipped", "detail": str(verdict["detail"])}
    if not verdict["ok"]:
        return {**row, "state": "failed", "detail": f"{verdict['reason']}: {verdict['detail']}"}
    return {**row, "state": "passed", "detail": f"{verdict['latency_ms']:.1f} ms per frame on {verdict['device']}"}


def _waited(command: Sequence[str], what: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command, and print what is running if it takes long.

    Raises:
        subprocess.TimeoutExpired: it took longer than `RUN_S_MAX`.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            try:
                output, errors = child.communicate(timeout=QUIET_S_MAX)
            except subprocess.TimeoutExpired:
                print(f"running {what}, at most {RUN_S_MAX:.0f} s ...", file=sys.stderr, flush=True)
                output, errors = child.communicate(timeout=RUN_S_MAX - QUIET_S_MAX)
        except BaseException:
            child.kill()
            raise
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


def _numbers(text: str) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if len(found) not in (1, 3) or not all(abs(each) < NUMBER_MAX for each in found):
        raise argparse.ArgumentTypeError(f"{text!r}: must be one number or three, for example 123.675,116.28,103.53")
    return found


def _scaling(mean: tuple[float, ...], std: tuple[float, ...]) -> Scaling | None:
    if not all(each > 0 for each in std):
        raise InputError(f"--std {','.join(f'{each:g}' for each in std)}: must be above 0")
    return Scaling.of(mean, std) if mean or std else None


def _shape(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not 1 <= len(parts) <= 6 or not all(part.isascii() and part.isdigit() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r}: must be a shape, for example 1,3,224,224")
    return tuple(int(part) for part in parts)


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InputError(f"--param {text!r}: must be name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
