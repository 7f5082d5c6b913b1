"""Vibration of a rolling bearing, healthy or damaged, as an accelerometer on its housing would record it.

Physics, after McFadden and Smith (1984) and Randall and Antoni (2011): a spall is run over at a rate that geometry and shaft
speed give; each time the structure rings at its own resonances and dies away; rolling elements slip, so that the rate wanders by
a percent or two. What the shaft turns past the load is loud once a turn (inner race), what the cage carries once a turn of the
cage (ball). Around it: imbalance and misalignment, mains hum, gear mesh, coloured noise, and now and then a knock that means
nothing.

Pure but for the dice, which the caller brings: the same seed is the same machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RATE_HZ = 8000
LABELS = ("normal", "outer_race", "inner_race", "ball")
SHAFT_HZ = 24.7
"""A four-pole motor at 50 Hz under load; a machine is within 2 % of it."""
BPFO, BPFI, BSF2, FTF = 3.585, 5.415, 4.714, 0.398
"""Passes of a ball over the outer and inner race, of a spot on a ball over either, and turns of the cage, each a turn of the
shaft: nine balls, a quarter of the pitch circle thick, as a 6205."""

Series = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Machine:
    """One machine: what stays the same from window to window. severity: of its damage, in standard deviations of the noise."""

    shaft_hz: float
    resonances_hz: tuple[float, float]
    damping: float
    imbalance: tuple[float, float, float]
    hum: float
    mesh_hz: float
    mesh: float
    colour: float
    knocks_hz: float
    gain: float
    severity: float


def machine(dice: np.random.Generator) -> Machine:
    """Any of them."""
    return Machine(
        shaft_hz=SHAFT_HZ * dice.uniform(0.98, 1.02),
        resonances_hz=(dice.uniform(1800, 2800), dice.uniform(2800, 3600)),
        damping=dice.uniform(0.03, 0.09),
        imbalance=(dice.uniform(0.2, 2.0), dice.uniform(0.1, 1.0), dice.uniform(0.0, 0.5)),
        hum=dice.uniform(0.0, 0.5),
        mesh_hz=dice.uniform(300, 900),
        mesh=dice.uniform(0.0, 1.5),
        colour=dice.uniform(0.0, 0.6),
        knocks_hz=dice.choice([0.0, 0.0, 1.0, 4.0]),
        gain=float(np.exp(dice.normal(0.0, 0.7))),
        severity=float(np.exp(dice.uniform(np.log(2.0), np.log(12.0)))),
    )


def vibration(dice: np.random.Generator, of: Machine, label: str, points: int) -> Series:
    """A stretch of (points,) at `RATE_HZ`."""
    times = np.arange(points) / RATE_HZ
    turn = 2 * np.pi * of.shaft_hz * times + dice.uniform(0, 2 * np.pi)
    signal = sum(
        (amplitude * np.sin(order * turn + dice.uniform(0, 2 * np.pi)) for order, amplitude in enumerate(of.imbalance, 1)),
        np.zeros(points),
    )
    signal += of.hum * np.sin(2 * np.pi * 100 * times + dice.uniform(0, 2 * np.pi))
    signal += of.mesh * (1 + 0.3 * np.sin(turn)) * np.sin(2 * np.pi * of.mesh_hz * times + dice.uniform(0, 2 * np.pi))
    white = dice.normal(0.0, 1.0, points)
    signal += white + of.colour * np.convolve(dice.normal(0.0, 1.0, points), np.ones(8) / np.sqrt(8), "same")
    moments = [(at, of.severity * dice.lognormal(0.0, 0.3)) for at in _poisson(dice, of.knocks_hz, points)]
    if label != "normal":
        moments += _passes(dice, of, label, points)
    return of.gain * (signal + _rung(of, moments, points))


def _passes(dice: np.random.Generator, of: Machine, label: str, points: int) -> list[tuple[float, float]]:
    """(second, strength) of each time that the damage is run over."""
    order = {"outer_race": BPFO, "inner_race": BPFI, "ball": BSF2}[label]
    period_s = 1.0 / (order * of.shaft_hz)
    turns_hz = {"outer_race": 0.0, "inner_race": of.shaft_hz, "ball": FTF * of.shaft_hz}[label]
    phase, at_s = dice.uniform(0, 2 * np.pi), -dice.uniform(0, period_s)
    found = []
    while at_s < points / RATE_HZ:
        load = 1.0 if not turns_hz else 0.25 + 0.75 * max(0.0, np.cos(2 * np.pi * turns_hz * at_s + phase)) ** 1.5
        found.append((at_s, of.severity * load * dice.lognormal(0.0, 0.15)))
        at_s += period_s * (1.0 + dice.normal(0.0, 0.012))
    return found


def _poisson(dice: np.random.Generator, rate_hz: float, points: int) -> list[float]:
    length_s = points / RATE_HZ
    return dice.uniform(0, length_s, dice.poisson(rate_hz * length_s)).tolist()


def _rung(of: Machine, moments: list[tuple[float, float]], points: int) -> Series:
    """The structure's answer to blows."""
    signal = np.zeros(points + 400)
    decay = np.arange(400) / RATE_HZ
    for at_s, strength in moments:
        begin = int(np.floor(at_s * RATE_HZ)) + 1
        if not -400 < begin < points:
            continue
        rest = begin / RATE_HZ - at_s + decay
        blow = sum(
            (np.exp(-of.damping * 2 * np.pi * hz * rest) * np.sin(2 * np.pi * hz * rest) for hz in of.resonances_hz),
            np.zeros(400),
        )
        first = max(0, -begin)
        signal[begin + first : begin + 400] += strength * blow[first:]
    return signal[:points]
