"""Sweeps the sensible settings of a package on this device, each measured in a separate process, and selects the best."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal

from edgefleet_contract.package.manifest import Manifest, Tuning, Variant
from edgefleet_contract.package.profile import names_profile
from edgefleet_server.core.errors import EdgefleetError, InputError
from edgefleet_server.model_tools.agent_process import agent_lines
from edgefleet_server.registry.importers.read_model import read_model_file

SETTINGS_MAX = 256
SLACK_S = 300.0
"""Extra time for loading, on top of the measuring: a first TensorRT engine takes minutes."""
BATCHES = (1, 2, 4, 8)
NEARLY = 0.05
"""Figures with a smaller relative difference count as equal."""

LOAD_PER_CORE_MAX = 0.3
SPREAD_PERCENT_MAX = 15.0

Objective = Literal["latency", "throughput"]


@dataclass(frozen=True, slots=True)
class SweepSetting:
    """One row of the sweep before it is measured."""

    variant: str
    runtime: str
    device: str
    threads: int
    streams: int = 1
    instances: int = 1
    batch: int = 1


@dataclass(frozen=True, slots=True)
class SweepMeasurement:
    """One row of the sweep after its measurement. p95_rounds_ms: the p95 of each round. fault: the reason why there are no
    figures."""

    setting: SweepSetting
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    per_s: float = 0.0
    memory_bytes: int = 0
    load_ms: float = 0.0
    p95_rounds_ms: tuple[float, ...] = ()
    fault: str = ""

    @property
    def spread_percent(self) -> float:
        """The p95 of the slowest round beyond that of the fastest one."""
        rounds = self.p95_rounds_ms
        return 100.0 * (max(rounds) / min(rounds) - 1.0) if rounds and min(rounds) > 0 else 0.0

    def plain(self) -> dict[str, Any]:
        """For `--json`."""
        row = asdict(self)
        return {**row.pop("setting"), **row, "spread_percent": round(self.spread_percent, 1)}

    def uploaded(self) -> dict[str, Any]:
        """For the registry."""
        return {name: value for name, value in self.plain().items() if name not in ("p95_rounds_ms", "spread_percent")}


@dataclass(frozen=True, slots=True)
class SweepLimits:
    """Limits of a setting; 0: no limit."""

    latency_ms: float = 0.0
    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """Values to sweep; empty: those that suit the machine."""

    variants: Sequence[str] = ()
    runtimes: Sequence[str] = ()
    threads: Sequence[int] = ()
    streams: Sequence[int] = ()
    instances: Sequence[int] = ()
    batches: Sequence[int] = field(default_factory=tuple)


def detect() -> dict[str, Any]:
    """Profile and accelerators of this machine, from `edgefleet-agent detect`.

    Raises:
        InputError: no profile fits.
    """
    # It prints one object over many lines.
    (found,) = agent_lines(["detect", "--json"], 60.0, whole=True)
    return found


def settings(
    package: Path, manifest: Manifest, profile: str, accelerators: Sequence[dict[str, str]], grid: Grid
) -> list[SweepSetting]:
    """The rows to measure.

    Raises:
        InputError: no setting fits this device, or there are too many.
    """
    rows: list[SweepSetting] = []
    for variant in manifest.variants:
        if (grid.variants and variant.name not in grid.variants) or (variant.profiles and not names_profile(variant, profile)):
            continue
        open_batch = all(tensor.shape[:1] == (-1,) for tensor in read_model_file(package / variant.files[0]).inputs)
        if not open_batch and any(batch > 1 for batch in grid.batches):
            raise InputError(
                f"--batch: {variant.name} of {manifest.id} has a fixed batch; leave the option out, or export the model with"
                " an open batch"
            )
        for accelerator in accelerators:
            runtime, device = accelerator["runtime"], accelerator["device"]
            if (
                runtime in variant.runtimes
                and (not grid.runtimes or runtime in grid.runtimes)
                and _made_for(variant, runtime, device)
            ):
                rows += _rows(variant.name, runtime, device, grid, open_batch=open_batch)
    if not rows:
        raise InputError(f"{manifest.id}: no variant fits {profile} with its runtimes; `edgefleet model show` lists what it has")
    if len(rows) > SETTINGS_MAX:
        raise InputError(
            f"{len(rows)} settings are over the limit of {SETTINGS_MAX}; choose fewer with --threads, --batch, --variant"
        )
    return rows


def _made_for(variant: Variant, runtime: str, device: str) -> bool:
    options = variant.options.get(runtime, {})
    required = str(options.get("device", "")) if isinstance(options, dict) else ""
    return not required or required == device


def _rows(variant: str, runtime: str, device: str, grid: Grid, *, open_batch: bool) -> Iterator[SweepSetting]:
    cores = len(os.sched_getaffinity(0))
    powers = [2**power for power in range(5) if 2**power <= cores]
    if device != "cpu":
        # An accelerator does its own scheduling; threads of the CPU only feed it.
        threads, streams, instances = grid.threads or (0,), grid.streams or (1, 2), grid.instances or (1, 2)
    else:
        threads, streams, instances = grid.threads or powers, grid.streams or powers, grid.instances or powers
    streams = streams if runtime == "open_vino" else (1,)
    batches = (grid.batches or BATCHES) if open_batch else (1,)
    for count, flow, copies, batch in product(threads, streams, instances, batches):
        explicit = bool(grid.threads or grid.streams or grid.instances)
        # OpenVINO shares its threads among its streams; copies of a model do not share.
        if explicit or device != "cpu" or (count * copies <= cores and flow <= count and not (flow > 1 and copies > 1)):
            yield SweepSetting(variant, runtime, device, count, flow, copies, batch)


def measure(package: Path, setting: SweepSetting, seconds: float) -> SweepMeasurement:
    """Measure one setting in a separate process. A failure gives a row with a fault, not an error."""
    command = [
        "bench",
        str(package),
        "--variant",
        setting.variant,
        "--backend",
        setting.runtime,
        "--device",
        setting.device,
        "--json",
    ]
    for name in ("threads", "streams", "instances", "batch"):
        command += [f"--{name}", str(getattr(setting, name))]
    try:
        (found,) = agent_lines([*command, "--seconds", str(seconds)], seconds + SLACK_S)
    except EdgefleetError as cause:
        return SweepMeasurement(setting, fault=str(cause))
    if found["fell_back"]:
        return SweepMeasurement(
            setting, fault=f"runs on {found['device']}, not on {setting.device}; `edgefleet-agent doctor` says why"
        )
    latency = found["latency_ms"]
    figures = (latency["p50"], latency["p95"], found["per_s"], found["memory_bytes"], found["load_ms"])
    return SweepMeasurement(setting, *figures, p95_rounds_ms=(latency["p95"],))


def sweep(
    package: Path, rows: Sequence[SweepSetting], seconds: float, rounds: int, on_progress: Callable[[int, str], None]
) -> list[SweepMeasurement]:
    """Measure all rows one after another, `rounds` times. The best round of each counts, because other load on the machine can
    only make a run slower."""
    found: dict[SweepSetting, SweepMeasurement] = {}
    for number, setting in enumerate([*rows] * rounds):
        on_progress(number, f"{setting.variant} on {setting.runtime}, {setting.threads} threads")
        before = found.get(setting)
        if before is None or not before.fault:
            found[setting] = _better(before, measure(package, setting, seconds))
    on_progress(len(rows) * rounds, "")
    return [found[setting] for setting in rows]


def _better(before: SweepMeasurement | None, after: SweepMeasurement) -> SweepMeasurement:
    if before is None or before.fault or after.fault:
        return after
    return replace(
        after,
        p50_ms=min(before.p50_ms, after.p50_ms),
        p95_ms=min(before.p95_ms, after.p95_ms),
        per_s=max(before.per_s, after.per_s),
        memory_bytes=max(before.memory_bytes, after.memory_bytes),
        load_ms=min(before.load_ms, after.load_ms),
        p95_rounds_ms=(*before.p95_rounds_ms, *after.p95_rounds_ms),
    )


def load_warnings(found: Sequence[SweepMeasurement], load: float, cores: int) -> list[str]:
    """Sentences about other work on this machine, by which the figures may be wrong. load: processes that ran or waited before
    the sweep, as in `uptime`."""
    texts = []
    if load > LOAD_PER_CORE_MAX * cores:
        texts.append(f"this machine was busy: a load of {load:.1f} on {cores} cores; stop other work and measure again")
    wide = [row for row in found if row.spread_percent > SPREAD_PERCENT_MAX]
    if wide:
        most = max(row.spread_percent for row in wide)
        texts.append(
            f"the rounds of {len(wide)} of {len(found)} settings differ by more than {SPREAD_PERCENT_MAX:g} %,"
            f" by up to {most:.0f} %: other work, or a processor that gets hot; measure again with more --rounds"
        )
    return texts


def best(rows: Sequence[SweepMeasurement], objective: Objective, limits: SweepLimits) -> SweepMeasurement | None:
    """The winner: for `latency` the lowest p95 (of equal ones the most throughput), for `throughput` the most samples a second
    among those within the limits. Settings that differ by less than `NEARLY` are equal: then the one with less memory wins,
    because a difference within the measurement error does not justify more memory."""
    fit = [
        row
        for row in rows
        if not row.fault
        and (not limits.latency_ms or row.p95_ms <= limits.latency_ms)
        and (not limits.memory_bytes or row.memory_bytes <= limits.memory_bytes)
    ]
    if not fit:
        return None
    if objective == "latency":
        least_ms = min(row.p95_ms for row in fit)
        near = [row for row in fit if row.p95_ms <= least_ms * (1 + NEARLY)]
    else:
        most = max(row.per_s for row in fit)
        near = [row for row in fit if row.per_s >= most * (1 - NEARLY)]
    return min(near, key=lambda row: (row.memory_bytes, row.p95_ms))


def front(rows: Sequence[SweepMeasurement]) -> list[SweepMeasurement]:
    """The Pareto front: the rows that no other row beats in both latency and throughput, the lowest latency first."""
    ranked = sorted((row for row in rows if not row.fault), key=lambda row: (row.p95_ms, -row.per_s))
    found: list[SweepMeasurement] = []
    for row in ranked:
        if not found or row.per_s > found[-1].per_s:
            found.append(row)
    return found


def tuning(profile: str, row: SweepMeasurement) -> Tuning:
    """The winner as an entry of the manifest."""
    return Tuning(profile=profile, **asdict(row.setting), latency_ms=row.p95_ms, per_s=row.per_s)
