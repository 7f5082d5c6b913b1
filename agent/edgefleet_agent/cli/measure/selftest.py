"""`edgefleet-agent selftest`: tests a package in a separate process before the worker loads it.

The supervisor starts this command as a child process and reads the verdict: a crash of a runtime ends only the child.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from pathlib import Path

import numpy as np

from edgefleet_agent.backends.compile_cache import state_of_cache
from edgefleet_agent.backends.isolated.child_process import resident_with_processes
from edgefleet_agent.cli.check import check_text, text_of
from edgefleet_agent.cli.support.argument_types import count, profile_or_none
from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.model_store.golden_check import GoldenVerdict, differences, lowest_score, over_budget, read_expected
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.service.profile_choice import NONE, device_runtimes, own_profile
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import (
    EdgefleetError,
    ManifestError,
    MediaError,
    MissingError,
    ModelError,
    PipelineError,
    RefusedError,
)
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import MANIFEST_FILE, Budgets, read_manifest
from edgefleet_contract.package.profile import Profile
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_FILE, PIPELINE_TASK
from edgefleet_contract.wire.reason_codes import Reason

ROUNDS_WARM = 3
ROUNDS = 10
EXPECTED_BYTES_MAX = 1024 * 1024
_COMPILED = "EDGEFLEET_SELFTEST_COMPILED"
"""Set in the process that a self-test starts again as."""

_REASONS: dict[type[EdgefleetError], Reason] = {
    ManifestError: Reason.MANIFEST_INVALID,
    MediaError: Reason.MANIFEST_INVALID,
    ModelError: Reason.MODEL_REFUSED,
    MissingError: Reason.INCOMPATIBLE,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `selftest`."""
    parser.add_argument("package", type=Path, metavar="DIR", help="Package folder (contains model.toml)")
    parser.add_argument("--variant", metavar="V", help="Package variant (default: best match for this device)")
    parser.add_argument("--runtimes", metavar="A,B", help="Runtimes in order of preference (default: from the device profile)")
    parser.add_argument(
        "--profile",
        type=profile_or_none,
        metavar="P",
        help="Device profile that selects the variant, or none (default: the detected one)",
    )
    parser.add_argument("--threads", type=count, default=0, metavar="N", help="Number of runtime threads (default: up to 4)")
    parser.add_argument("--device", default="", metavar="ID", help="Device id, to test the pipeline that this device would run")
    parser.add_argument("--strict", action="store_true", help="Refuse the package if the profile's accelerator is missing")
    parser.add_argument(
        "--cache", type=Path, metavar="FOLDER", help="Cache of compiled models, from which the service loads them (default: none)"
    )
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Test the package; exit code 0 if it passed, 5 if it is refused."""
    pipeline = examine_pipeline(arguments.package, arguments.device)
    compiled = state_of_cache(arguments.cache) if arguments.cache is not None else None
    profile = arguments.profile or own_profile("").name
    verdict = pipeline or examine(
        arguments.package,
        runtimes=arguments.runtimes.split(",") if arguments.runtimes else device_runtimes(profile),
        variant=arguments.variant,
        profile="" if profile == NONE else profile,
        threads=arguments.threads,
        strict=arguments.strict,
        cache_dir=arguments.cache,
    )
    if compiled is not None and state_of_cache(arguments.cache) != compiled and not os.environ.get(_COMPILED):
        # Compiling takes memory that running does not: measure in a new process, which loads what was compiled.
        os.environ[_COMPILED] = "1"
        command = [sys.executable, "-m", "edgefleet_agent", *sys.argv[1:]]
        os.execv(command[0], command)  # noqa: S606 (the supervisor goes on watching this process)
    if arguments.json:
        print(encode(verdict).decode())
    else:
        _print(verdict)
    return 0 if verdict.ok else RefusedError.exit_code


def _print(verdict: GoldenVerdict) -> None:
    where = f"{verdict.variant} on {verdict.runtime}, {verdict.device}: " if verdict.variant else ""
    if verdict.ok:
        print(f"passed: {where}{verdict.latency_ms:.1f} ms per frame, {verdict.memory_bytes / 1e6:.0f} MB")
    else:
        print(f"refused: {where}{verdict.reason.value}: {verdict.detail}")


def examine(
    folder: Path,
    *,
    runtimes: list[str],
    variant: str | None,
    profile: str,
    threads: int,
    strict: bool = False,
    cache_dir: Path | None = None,
) -> GoldenVerdict:
    """Load, compare with the golden samples, measure. Everything wrong with the package is a verdict, not an error."""
    rss_before = resident_with_processes()
    try:
        model = LoadedModel.open(
            folder,
            runtimes=runtimes,
            variant=variant,
            profile=profile,
            threads=threads,
            strict=strict,
            cache_dir=cache_dir,
        )
    except tuple(_REASONS) as cause:
        return _verdict(_reason(cause), str(cause), None, 0.0, 0)
    try:
        # Labels of another model. Fewer than classes were always allowed, and a return to such a package has to work.
        if model.label_fault and len(model.labels) > model.classes:
            return _verdict(Reason.MANIFEST_INVALID, f"{model.manifest.id}: {model.label_fault}", model, 0.0, 0)
        frame = _check_golden(folder, model)
        _check_numbers(model)
        latency_ms = _measure(model, frame)
        memory_bytes = max(0, resident_with_processes() - rss_before)
        reason, detail = over_budget(budgets_of(model.manifest.budgets, find_profile(profile)), latency_ms, memory_bytes)
        return _verdict(reason, detail or model.label_fault or model.placement.detail, model, latency_ms, memory_bytes)
    except RefusedError as cause:
        return _verdict(Reason(cause.reason), cause.detail, model, 0.0, 0)
    except tuple(_REASONS) as cause:
        return _verdict(_reason(cause), str(cause), model, 0.0, 0)
    finally:
        model.close()


def examine_pipeline(folder: Path, device: str) -> GoldenVerdict | None:
    """The verdict on a package with a pipeline, for the pipeline that `device` would run; None for a package with a model."""
    try:
        if read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), MANIFEST_FILE).task != PIPELINE_TASK:
            return None
    except (OSError, UnicodeDecodeError, ManifestError):
        return None  # `examine` reports the fault
    try:
        fault = check_text(text_of(folder / PIPELINE_FILE), PIPELINE_FILE, device)
    except PipelineError as cause:
        fault = str(cause)
    return _verdict(Reason.INCOMPATIBLE if fault else Reason.NONE, fault, None, 0.0, 0)


def _check_golden(folder: Path, model: LoadedModel) -> Frame:
    """Compare the answers for all golden samples. Returns the last golden picture, for measuring; a grey one if the package has
    none.

    Raises:
        RefusedError: an answer differs from the golden one. ManifestError, MediaError: a golden file is damaged.
    """
    frame = Frame(0, 0.0, 0.0, 640, 480, "bgr", (np.full((480, 640, 3), 127, np.uint8),))
    for golden in model.manifest.golden:
        expected = read_expected(_read(folder / golden.expect), golden.expect)
        frame = read_picture(folder / golden.input)
        result = model.infer(frame, lowest_score(golden)).result
        found = model_outputs(result, model.label, max(len(expected), 1000), areas=True)
        wrong = differences(expected, found, golden)
        if wrong:
            raise RefusedError(Reason.GOLDEN_MISMATCH.value, wrong)
    return frame


def _check_numbers(model: LoadedModel) -> None:
    """Run a picture of noise: a broken export, or a precision whose range is too small, gives NaN.

    Raises:
        ModelError: an output is not a number.
    """
    noise = np.random.default_rng(0).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    model.invoke(model.prepare(Frame(0, 0.0, 0.0, 640, 480, "bgr", (noise,))))


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(EXPECTED_BYTES_MAX)
    except OSError as cause:
        raise ManifestError(f"{path}: cannot be read: {cause.strerror}") from cause


def _measure(model: LoadedModel, frame: Frame) -> float:
    """Median of a whole frame's milliseconds: preprocessing, runtime, decoding."""
    rounds = [model.infer(frame, 0.5) for _ in range(ROUNDS_WARM + ROUNDS)][ROUNDS_WARM:]
    return statistics.median(done.pre_ms + done.invoke_ms + done.post_ms for done in rounds)


def budgets_of(own: Budgets, profile: Profile | None) -> Budgets:
    """The package's budgets, with the memory budget limited to that of the device profile."""
    limits = [each for each in (own.memory_bytes, profile.memory_bytes if profile is not None else 0) if each]
    return Budgets(latency_ms=own.latency_ms, memory_bytes=min(limits, default=0))


def _reason(cause: BaseException) -> Reason:
    return next(reason for kind, reason in _REASONS.items() if isinstance(cause, kind))


def _verdict(reason: Reason, detail: str, model: LoadedModel | None, latency_ms: float, memory_bytes: int) -> GoldenVerdict:
    return GoldenVerdict(
        ok=reason is Reason.NONE,
        reason=reason,
        detail=detail,
        latency_ms=round(latency_ms, 3),
        memory_bytes=memory_bytes,
        runtime=model.placement.runtime if model else "",
        device=model.placement.device if model else "",
        variant=model.variant.name if model else "",
    )
