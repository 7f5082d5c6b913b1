"""Warnings of a device for operators: short texts, empty if there are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from edgefleet_contract.encoding.sizes import size
from edgefleet_contract.wire.messages import Reported, SlotPhase, SlotReport, Telemetry
from edgefleet_server.domain import reasons

DISK_FREE_BYTES_MIN: Final = 500_000_000
TEMPERATURE_C_MAX: Final = 85.0
COVERAGE_MIN: Final = 0.5
FAULT_CHARS_MAX: Final = 500


def of_slots(slots: Mapping[str, SlotReport]) -> list[str]:
    """Slots that do not run their committed version, or whose last update failed."""
    texts: list[str] = []
    for name, report in sorted(slots.items()):
        because = reasons.text(report.reason.value)
        if report.detail:
            because += f" ({report.detail[:FAULT_CHARS_MAX]})"
        if report.phase is SlotPhase.ROLLBACK_FAILED:
            texts.append(f"{name}: rollback failed")
        elif report.phase is SlotPhase.ROLLED_BACK:
            texts.append(f"{name}: rolled back: {because}")
        elif report.phase is SlotPhase.REFUSED:
            texts.append(f"{name}: update refused: {because}")
    return texts


def of_report(report: Reported) -> list[str]:
    """Warnings from the state report of a device."""
    fault = [f"device: {report.fault[:FAULT_CHARS_MAX]}"] if report.fault else []
    return fault + of_slots(report.slots)


def of_telemetry(sample: Telemetry) -> list[str]:
    """Warnings from the latest telemetry sample of a device."""
    texts: list[str] = []
    for name, gauges in sorted(sample.pipelines.items()):
        if gauges.state in ("error", "stalled", "source_lost", "failed"):
            why = f": {gauges.reason[:FAULT_CHARS_MAX]}" if gauges.reason else ""
            texts.append(f"pipeline {name}: {gauges.state}{why}")
        elif gauges.coverage < COVERAGE_MIN and gauges.frames_total:
            texts.append(f"pipeline {name}: processes only {100 * gauges.coverage:.0f} % of frames")
    if 0 < sample.disk_free_bytes < DISK_FREE_BYTES_MIN:
        texts.append(f"disk: {size(sample.disk_free_bytes)} free")
    if sample.temperature_c is not None and sample.temperature_c > TEMPERATURE_C_MAX:
        texts.append(f"temperature: {sample.temperature_c:.0f} °C")
    if sample.outbox_lost:
        texts.append(f"outbox: {sample.outbox_lost} records lost")
    if sample.outbox_damaged_files:
        texts.append("outbox: an unknown number of records lost in a damaged file")
    return texts
