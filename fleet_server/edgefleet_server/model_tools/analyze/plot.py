"""Plots latency against throughput: characters for a terminal, SVG for a page. Up and to the left is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from edgefleet_server.model_tools.analyze.sweep import SweepMeasurement, front

COLUMNS, ROWS = 64, 16
MARKS = "oxv+sdph*"
COLOURS = ("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f", "#374151")
WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 230, 40, 56


def text_plot(rows: Sequence[SweepMeasurement], winner: SweepMeasurement | None) -> str:
    """A grid of characters; a letter for each variant and runtime, `#` for the winner."""
    good = [row for row in rows if not row.fault]
    if not good:
        return ""
    groups = _groups(good)
    high_ms, high_s = _high([row.p95_ms for row in good]), _high([row.per_s for row in good])
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    for row in sorted(good, key=lambda each: each is winner):
        column = min(COLUMNS - 1, round(row.p95_ms / high_ms * (COLUMNS - 1)))
        line = min(ROWS - 1, round(row.per_s / high_s * (ROWS - 1)))
        mark = MARKS[groups.index(_group(row)) % len(MARKS)]
        grid[ROWS - 1 - line][column] = "#" if row is winner else mark
    lines = [f"{high_s:>8.4g} ┤" + "".join(grid[0])]
    lines += [f"{'a second' if index == ROWS // 2 else '':>8} │" + "".join(line) for index, line in enumerate(grid[1:-1], 1)]
    lines += [f"{0:>8} ┤" + "".join(grid[-1]), " " * 9 + "└" + "─" * COLUMNS]
    lines.append(" " * 9 + "0" + f"p95 in ms {high_ms:.4g}".rjust(COLUMNS))
    legend = "   ".join(f"{MARKS[index % len(MARKS)]} {name}" for index, name in enumerate(groups))
    return "\n".join([*lines, f"{legend}   # best"])


def svg_plot(title: str, rows: Sequence[SweepMeasurement], winner: SweepMeasurement | None) -> str:
    """An SVG image: a point for each setting with a tooltip, the Pareto front as a line, the winner with a ring."""
    good = [row for row in rows if not row.fault]
    groups = _groups(good)
    high_ms, high_s = _high([row.p95_ms for row in good]), _high([row.per_s for row in good])

    def x(value: float) -> float:
        return round(LEFT + value / high_ms * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - value / high_s * (HEIGHT - TOP - BOTTOM), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" font-weight="600">{escape(title)}</text>',
        *_axes(high_ms, high_s, x, y),
    ]
    edge = " ".join(f"{x(row.p95_ms)},{y(row.per_s)}" for row in front(good))
    parts.append(f'<polyline points="{edge}" fill="none" stroke="#9ca3af" stroke-dasharray="4 3"/>')
    for row in good:
        colour = COLOURS[groups.index(_group(row)) % len(COLOURS)]
        ring = ' stroke="#111827" stroke-width="2.5"' if row is winner else ""
        size = 7 if row is winner else 4.5
        place = f'cx="{x(row.p95_ms)}" cy="{y(row.per_s)}" r="{size}"'
        parts.append(f'<circle {place} fill="{colour}"{ring}><title>{escape(_label(row))}</title></circle>')
    for index, name in enumerate(groups):
        top = TOP + 18 * index + 8
        parts.append(f'<circle cx="{WIDTH - RIGHT + 22}" cy="{top - 4}" r="4.5" fill="{COLOURS[index % len(COLOURS)]}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 34}" y="{top}">{escape(name)}</text>')
    if winner is not None:
        top = TOP + 18 * len(groups) + 22
        for offset, line in enumerate(("best (ringed):", *_label(winner).split(", "))):
            parts.append(f'<text x="{WIDTH - RIGHT + 16}" y="{top + 16 * offset}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _axes(high_ms: float, high_s: float, x: Callable[[float], float], y: Callable[[float], float]) -> list[str]:
    parts = []
    for step in range(6):
        across, up = high_ms * step / 5, high_s * step / 5
        parts.append(f'<line x1="{x(0)}" x2="{x(high_ms)}" y1="{y(up)}" y2="{y(up)}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(up) + 4}" text-anchor="end" fill="#4b5563">{up:.4g}</text>')
        below = HEIGHT - BOTTOM + 18
        parts.append(f'<text x="{x(across)}" y="{below}" text-anchor="middle" fill="#4b5563">{across:.4g}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="{x(high_ms / 2)}" y="{HEIGHT - 14}" text-anchor="middle">p95 of a run in ms</text>')
    parts.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">samples a second</text>')
    return parts


def _label(row: SweepMeasurement) -> str:
    setting = row.setting
    return (
        f"{setting.variant} on {setting.runtime} ({setting.device}), {setting.threads or 'usual'} threads,"
        f" {setting.streams} streams, {setting.instances} instances, batch {setting.batch},"
        f" {row.p95_ms:.2f} ms, {row.per_s:.1f} a second"
    )


def _groups(rows: Sequence[SweepMeasurement]) -> list[str]:
    return sorted({_group(row) for row in rows})


def _group(row: SweepMeasurement) -> str:
    device = "" if row.setting.device == "cpu" else f" {row.setting.device}"
    return f"{row.setting.variant} {row.setting.runtime}{device}"


def _high(values: Sequence[float]) -> float:
    """A round number above all values."""
    top = max([*values, 1e-6])
    unit = 10.0 ** (len(f"{top:.0f}") - 1) if top >= 1 else 0.1
    return next(step * unit for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 20) if step * unit >= top)
