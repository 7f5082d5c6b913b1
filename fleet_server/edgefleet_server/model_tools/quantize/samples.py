"""Calibration data: images of a folder, or windows of a time series in CSV; and the outputs of variants for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.agent_process import agent_lines

Array = npt.NDArray[Any]

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
SAMPLES_MAX = 512
"""Limit of used samples; above a few hundred, ranges hardly change."""
HELD_OUT_EVERY = 4
"""Every n-th picture is held out for measuring if no other pictures are given."""
SAMPLES_WARN = 32
"""Fewer calibration samples give a warning: ranges may be too narrow."""
LIMIT_S = 1800.0


@dataclass(frozen=True, slots=True)
class Samples:
    """pictures, or windows first..first+count of a series."""

    pictures: tuple[Path, ...] = ()
    series: Path | None = None
    channels: tuple[str, ...] = ()
    first: int = 0
    count: int = SAMPLES_MAX

    def __len__(self) -> int:
        return self.count if self.series else len(self.pictures)

    def names(self) -> tuple[str, ...]:
        """A name of each sample, for people."""
        if self.series is None:
            return tuple(path.name for path in self.pictures)
        return tuple(f"{self.series.name} window {self.first + number}" for number in range(self.count))


def split(
    source: Path, held_out: Path | None, channels: tuple[str, ...], windows: Callable[[Samples], int]
) -> tuple[Samples, Samples]:
    """(for calibration, for measuring) from folders of pictures or CSV files. `windows` counts those of a series.

    Raises:
        InputError: no usable data, or too little to hold out some for measuring.
    """
    if source.is_file():
        every = Samples(series=source, channels=channels)
        total = windows(every)
        if held_out is not None:
            other = Samples(series=held_out, channels=channels)
            return Samples(series=source, channels=channels, count=total), Samples(
                series=held_out, channels=channels, count=windows(other)
            )
        count = total // HELD_OUT_EVERY
        if not count:
            raise InputError(f"{source}: {total} windows; give at least {HELD_OUT_EVERY}, or another series with --held-out")
        first = total - count
        return Samples(series=source, channels=channels, count=first), Samples(
            series=source, channels=channels, first=first, count=count
        )
    pictures = _pictures(source)
    if held_out is not None:
        return Samples(pictures[:SAMPLES_MAX]), Samples(_pictures(held_out)[:SAMPLES_MAX])
    measured = pictures[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    if not measured:
        raise InputError(f"{source}: {len(pictures)} pictures; give at least {HELD_OUT_EVERY}, or others with --held-out")
    used = tuple(path for path in pictures if path not in measured)
    return Samples(used[:SAMPLES_MAX]), Samples(measured[:SAMPLES_MAX])


def _pictures(folder: Path) -> tuple[Path, ...]:
    found = tuple(sorted(path.resolve() for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES))
    if not found:
        raise InputError(f"{folder}: no pictures ({', '.join(SUFFIXES)}); give a folder of calibration pictures or a .csv")
    return found


@dataclass(frozen=True, slots=True)
class Answered:
    """Results of a variant for samples: outputs as real numbers and answers, one row per sample."""

    outputs: Sequence[dict[str, Array]]
    answers: Sequence[list[dict[str, Any]]]


def inputs_of(
    package: Path, variant: str, runtime: str, samples: Samples, into: Path, on_progress: Callable[[int], None]
) -> list[Path]:
    """The preprocessed inputs of the model for every sample, one file each, from the agent (`load` reads one).

    Raises:
        InputError: the agent failed; the text is its error.
    """
    _run(package, variant, runtime, samples, into, ["--inputs"], on_progress)
    return sorted(into.glob("*.npz"))


def outputs_of(
    package: Path, variant: str, runtime: str, samples: Samples, into: Path, on_progress: Callable[[int], None]
) -> Answered:
    """Outputs of the variant for every sample.

    Raises:
        InputError: the agent failed; the text is its error.
    """
    rows = _run(package, variant, runtime, samples, into, [], on_progress)
    return Answered([load(path) for path in sorted(into.glob("*.npz"))], [row["answers"] for row in rows])


def load(path: Path) -> dict[str, Array]:
    """The arrays of one file by the names of their tensors."""
    with np.load(path, allow_pickle=False) as file:
        return {key.removeprefix("t:"): file[key] for key in file.files}


def _run(
    package: Path, variant: str, runtime: str, samples: Samples, into: Path, more: list[str], on_progress: Callable[[int], None]
) -> list[dict[str, Any]]:
    into.mkdir(parents=True)
    listing = samples.series or into / "samples.txt"
    if samples.series is None:
        listing.write_text("".join(f"{path}\n" for path in samples.pictures), encoding="utf-8")
    command = [
        "outputs",
        str(package),
        "--variant",
        variant,
        "--runtime",
        runtime,
        "--samples",
        str(listing),
        "--into",
        str(into),
    ]
    command += ["--from", str(samples.first), "--count", str(len(samples)), *more]
    if samples.channels:
        command += ["--channels", *samples.channels]
    return list(_counted(agent_lines(command, LIMIT_S), on_progress))


def _counted(lines: Iterator[dict[str, Any]], on_progress: Callable[[int], None]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        on_progress(number)
        yield line
