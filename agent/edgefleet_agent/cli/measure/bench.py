"""`edgefleet-agent bench`: measures the speed of one variant of a package with given settings: the runtime alone, without
pictures.

`edgefleet model analyze` calls it once for each setting, in separate processes, so that threads and memory of one runtime do not
affect the next.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.isolated.child_process import resident_with_processes
from edgefleet_agent.cli.support.argument_types import count, profile_name
from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.pipeline.model.loaded_model import read_package
from edgefleet_agent.pipeline.model.variant_order import ordered_choices
from edgefleet_agent.service.profile_choice import device_runtimes, own_profile, unused_accelerator
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_agent.vision.heads.output_tensors import check_numbers
from edgefleet_agent.vision.image.constant_arrays import constant_arrays, repeated
from edgefleet_contract.core.command_line import seconds
from edgefleet_contract.core.errors import InputError, MissingError, ModelError
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.manifest import Manifest, Variant
from edgefleet_contract.package.profile import VariantChoice, variant_choices

WARM_RUNS = 3
SECONDS_MAX = 600
RUNS_MAX = 1_000_000
SIDE_MAX = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `bench`."""
    parser.add_argument("package", type=Path, metavar="DIR", help="Package folder (contains model.toml)")
    placement = parser.add_argument_group("placement")
    placement.add_argument("--variant", metavar="V", help="Package variant (default: best match for this device)")
    placement.add_argument(
        "--backend", metavar="B", help="Runtime: lite_rt, onnx_runtime, open_vino or that of a plug-in (default: best match)"
    )
    placement.add_argument(
        "--device", default="", metavar="D", help="Compute device: cpu, edgetpu, cuda, npu, ... (default: best match)"
    )
    placement.add_argument(
        "--profile", type=profile_name, metavar="P", help="Device profile that selects the variant (default: the detected one)"
    )
    placement.add_argument("--strict", action="store_true", help="Fail if the device cannot be used, instead of taking another")
    load = parser.add_argument_group("load")
    load.add_argument("--threads", type=count, default=0, metavar="N", help="Number of threads per instance (default: up to 4)")
    load.add_argument(
        "--streams", type=count, default=1, metavar="N", help="Concurrent requests per instance (OpenVINO) (default: %(default)s)"
    )
    load.add_argument("--instances", type=count, default=1, metavar="N", help="Number of model instances (default: %(default)s)")
    load.add_argument(
        "--batch", type=count, default=1, metavar="N", help="Batch size, if the model has a dynamic batch (default: %(default)s)"
    )
    load.add_argument(
        "--seconds",
        type=seconds(0.001, SECONDS_MAX),
        default=3.0,
        metavar="S",
        help="Duration of the measurement in seconds (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure the variant and print the result.

    Raises:
        EdgefleetError: the text gives the remedy.
    """
    if not min(arguments.streams, arguments.instances, arguments.batch):
        raise InputError("--streams, --instances and --batch must be at least 1")
    manifest = read_package(arguments.package)
    profile = arguments.profile or own_profile("").name
    ways = _ways(manifest, arguments, profile)
    chosen = arguments.variant or arguments.device or arguments.backend
    missing = "" if chosen else unused_accelerator(profile, ways[0].device)
    if missing and arguments.strict:
        raise MissingError(f"{manifest.id}: {missing}; add one with `edgefleet model import FILE --into DIR`")
    before_bytes, began_s = resident_with_processes(), time.perf_counter()
    way, reason, first = _load_first(arguments, ways)
    sessions = [first, *(_load(arguments, way, strict=arguments.strict) for _ in range(arguments.instances - 1))]
    load_ms = (time.perf_counter() - began_s) * 1000
    try:
        constants = constant_arrays(way.variant.inputs or manifest.inputs, first.inputs)
        inputs = repeated(constants, first.inputs, arguments.batch)
        inputs |= {spec.name: _example(spec, arguments.batch) for spec in first.inputs if spec.name not in constants}
        durations_ms, took_s = _measure(sessions, arguments.streams, inputs, arguments.seconds)
        memory_bytes = max(0, resident_with_processes() - before_bytes)
        placement = sessions[0].placement
    finally:
        for session in sessions:
            session.close()
    p50, p95, p99 = np.percentile(durations_ms, [50, 95, 99])
    found = {
        "variant": way.variant.name,
        "runtime": placement.runtime,
        "version": placement.version,
        "device": placement.device,
        "fell_back": placement.fell_back or bool(reason or missing),
        "fallback_reason": reason or missing or (placement.detail if placement.fell_back else ""),
        **{name: getattr(arguments, name) for name in ("threads", "streams", "instances", "batch")},
        "latency_ms": {"p50": round(float(p50), 3), "p95": round(float(p95), 3), "p99": round(float(p99), 3)},
        "per_s": round(len(durations_ms) * arguments.batch / took_s, 2),
        "load_ms": round(load_ms, 1),
        "memory_bytes": memory_bytes,
        "runs": len(durations_ms),
    }
    print(json_text(found) if arguments.json else _text(manifest.id, found))
    return 0


def _text(what: str, found: dict[str, Any]) -> str:
    latency = found["latency_ms"]
    fallback = f" ({found['fallback_reason']})" if found["fell_back"] else ""
    return (
        f"{what}: {found['variant']} on {found['runtime']} {found['version']}, {found['device']}{fallback}\n"
        f"{found['per_s']:.1f} inferences/s, latency {latency['p50']:.2f} ms (p95 {latency['p95']:.2f},"
        f" p99 {latency['p99']:.2f}), {found['memory_bytes'] / 1e6:.0f} MB, loaded in {found['load_ms']:.0f} ms"
    )


def _ways(manifest: Manifest, arguments: argparse.Namespace, name: str) -> list[VariantChoice]:
    """Choices of variant, runtime and device to measure, best first: the requested ones; the others as a device of the profile
    chooses them. Several only if neither variant nor device was requested. name: of the profile."""
    profile = find_profile(name)
    runtimes = [arguments.backend] if arguments.backend else device_runtimes(name)
    ways = variant_choices(manifest, profile, runtimes) if profile else []
    if arguments.variant:
        # Users may measure variants that no profile would choose.
        ways = [way for way in ways if way.variant.name == arguments.variant] or _plain(
            manifest.variant(arguments.variant), runtimes
        )
    fits = [way for way in ways if arguments.device in ("", way.device)]
    if fits:
        return fits[:1] if arguments.variant or arguments.device else fits
    if arguments.device and arguments.variant and ways:
        ways[0].device = arguments.device
        return ways[:1]
    return ordered_choices(manifest, runtimes, name, arguments.variant, arguments.device)


def _plain(variant: Variant, runtimes: list[str]) -> list[VariantChoice]:
    found = []
    for runtime in runtimes:
        if runtime in variant.runtimes:
            options = variant.options.get(runtime, {})
            options = dict(options) if isinstance(options, dict) else {}
            found.append(
                VariantChoice(variant=variant, runtime=runtime, device=str(options.get("device", "cpu")), options=options)
            )
    return found


def _load_first(arguments: argparse.Namespace, ways: list[VariantChoice]) -> tuple[VariantChoice, str, Session]:
    """Load the first choice that works here: the choice, the reason why those before it do not (empty: it is the first), and the
    session."""
    reason = ""
    for way in ways:
        last = way is ways[-1] or way.device == "cpu"
        try:
            return way, reason, _load(arguments, way, strict=arguments.strict or not last)
        except (MissingError, ModelError) as cause:
            if last or arguments.strict:
                raise
            reason = reason or str(cause)
    raise AssertionError("the last choice returns or raises")


def _load(arguments: argparse.Namespace, way: VariantChoice, *, strict: bool) -> Session:
    backend = find_backend(way.runtime, way.variant)
    options = {key: value for key, value in way.options.items() if key not in ("device", "streams")}
    if arguments.streams > 1:
        options["streams"] = arguments.streams
    load = LoadOptions(device=way.device, threads=arguments.threads, strict=strict, options=options)
    return backend.load(tuple(arguments.package / path for path in way.variant.files), load)


def _measure(sessions: list[Session], streams: int, inputs: Mapping[str, Array], seconds: float) -> tuple[list[float], float]:
    """Milliseconds of every run, and seconds of the whole measurement. Each stream of each instance has its own thread."""
    for session in sessions:
        for _ in range(WARM_RUNS):
            check_numbers(session.infer(inputs))
    rows: list[list[float]] = []
    faults: list[ModelError] = []
    start = threading.Barrier(len(sessions) * streams)

    def call(session: Session, row: list[float]) -> None:
        try:
            start.wait()
            end_s = time.perf_counter() + seconds
            while len(row) < RUNS_MAX:
                began_s = time.perf_counter()
                session.infer(inputs)
                done_s = time.perf_counter()
                row.append((done_s - began_s) * 1000)
                if done_s >= end_s:
                    return
        except ModelError as cause:
            faults.append(cause)

    threads = []
    for session in sessions:
        for _ in range(streams):
            rows.append([])
            threads.append(threading.Thread(target=call, args=(session, rows[-1])))
    began_s = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return [value for row in rows for value in row], time.perf_counter() - began_s


def _example(spec: TensorSpec, batch: int) -> Array:
    """Input values similar to those of pictures: the speed may depend on them (denormals, zeros)."""
    if batch > 1 and (not spec.shape or spec.shape[0] != -1):
        raise InputError(f"input {spec.name!r} has the fixed batch of {list(spec.shape)}; export the model with a dynamic batch")
    shape = (batch if index == 0 and side == -1 else max(side, 1) for index, side in enumerate(spec.shape))
    numbers = np.random.default_rng(1).integers(0, 127, tuple(shape))
    if spec.dtype.kind not in "fiub":
        raise InputError(f"input {spec.name!r} is text; only numeric inputs can be measured")
    return np.ascontiguousarray(numbers / 127 if spec.dtype.kind == "f" else numbers, spec.dtype)
