"""The state of the device in words and numbers: reports and telemetry for the server, and the snapshot for `status`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from edgefleet_agent.core.disk_faults import DiskState, disk_state
from edgefleet_agent.machine.vitals import Vitals, VitalsProbe
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.slot_report import WaitingOffer, report_slots
from edgefleet_agent.updates.state import Observed
from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.wire.messages import PipelineGauges, Reported, SlotReport, Stream, Telemetry
from edgefleet_contract.wire.reason_codes import DISK_FAULT, DISK_READ_ONLY, Reason

AWAITED_TELEMETRY_S = 5.0
WINDOW_S_MAX = 5.0
"""How long a due sample waits for the worker's gauges: without them it would report that nothing runs."""
VITALS_S = 2.0
TEXT_CHARS_MAX = 2000
MEMORY_CHARS_MAX = 500
MEMORY_FAULT_S = 86_400.0
"""For how long a restart of the worker for its memory is a fault of the device."""


class StatusReporter:
    """Reports one device, once a turn. boot: identity of this start. telemetry_s: seconds between two samples. now: monotonic
    seconds. `disk_fault`: what the loop knows of the disk."""

    def __init__(self, device: Device, probe: VitalsProbe, boot: str, telemetry_s: float, now: float) -> None:
        self._device = device
        self._probe = probe
        self._boot = boot
        self._telemetry_s = telemetry_s
        self._sampled_s = now
        self._vitals_s = -VITALS_S
        self._vitals: Vitals = probe.sample()
        self._slots: Mapping[str, SlotReport] = {}
        self._warning = volatile_warning("state folder", device.options.folder)

    @property
    def temperature_c(self) -> float | None:
        """Of the last vitals, in °C; None where the machine has no sensor."""
        return self._vitals.temperature_c

    def report(self, observed: Observed, disk_fault: str, now: float, wall: float) -> None:
        """Send a report, and a sample of telemetry if one is due; sooner if a trial waits for server contact.

        Raises:
            StoreError: the disk cannot keep the sample.
        """
        device, worker = self._device, self._device.processes.worker
        self._slots = report_slots(desired_state.effective(device), observed, self._slots, wall, self._waiting_offer())
        if now - self._vitals_s >= VITALS_S:
            self._vitals_s, self._vitals = now, self._probe.sample()
        every_s = min(self._telemetry_s, AWAITED_TELEMETRY_S) if worker.trials.awaits_server else self._telemetry_s
        due_s = self._sampled_s + every_s
        if now >= due_s + (WINDOW_S_MAX if worker.gauges.expected else 0.0):
            device.link.uplink.keep(Stream.TELEMETRY, [self._sample(now - self._sampled_s, wall)], wall)
            self._sampled_s = now
        report = Reported(
            device=device.id,
            boot=self._boot,
            version=0,
            generation=desired_state.generation(device),
            sent_at=wall,
            slots=dict(self._slots),
            pipelines=self._pipelines(),
            disk_free_bytes=observed.disk_free_bytes,
            fault=self._faults(disk_fault, wall),
            authorities=device.link.renewal.authorities,
        )
        device.link.uplink.turn(report, now, wall)

    def snapshot(self, disk_fault: str, wall: float) -> dict[str, Any]:
        """The status that `edgefleet-agent status` shows, as plain data."""
        device, worker, uplink = self._device, self._device.processes.worker, self._device.link.uplink
        port = worker.port
        return {
            "device": device.id,
            "connected": uplink.connected,
            "generation": desired_state.generation(device),
            "slots": {slot: to_plain(report) for slot, report in self._slots.items()},
            "pipelines": self._pipelines(),
            "sources": self._sources(),
            "worker": {
                "up": port.up,
                "restarts": port.restarts,
                "crashes": port.crashes,
                "rss_bytes": worker.rss_bytes,
                "private_bytes": worker.memory.bytes,
                "memory_ceiling_bytes": worker.memory.ceiling,
            },
            "trust": device.trust.signatures.summary,
            "certificate_expires_at": device.link.renewal.expires_at,
            "outbox": {"records": uplink.outbox.waiting, "lost": uplink.outbox.lost, "damaged_files": uplink.outbox.files_lost},
            "supervisor_rss_bytes": self._vitals.rss_bytes,
            "disk_free_bytes": self._vitals.disk_free_bytes,
            "stores": device.disk.texts(),
            "warnings": [self._warning] if self._warning else [],
            "connection_fault": device.state.connection_fault or uplink.line.tls_fault,
            "fault": self._faults(disk_fault, wall),
        }

    def _waiting_offer(self) -> WaitingOffer | None:
        """The document that the server has offered and the disk does not take yet."""
        offered, folder = self._device.state.offered, self._device.options.folder
        if offered is None:
            return None
        state = disk_state(folder)
        reason = {DiskState.FULL: Reason.NO_SPACE.value, DiskState.READ_ONLY: DISK_READ_ONLY}.get(state, DISK_FAULT)
        return WaitingOffer(offered, reason, f"{folder}: {state.value}; the update begins when the disk takes its state")

    def _faults(self, disk_fault: str, wall: float) -> str:
        """All faults of the device itself, in one text."""
        state = self._device.state
        found = (
            state.connection_fault,
            self._device.link.uplink.line.tls_fault,
            *state.missing_factories.values(),
            *self._device.disk.sentences(),
            *state.sink_faults,
            *self._device.processes.worker.part_faults.values(),
            self._memory_fault(wall),
            self._device.trust.signatures.fault,
            disk_fault,
        )
        return "; ".join(text for text in found if text)[:TEXT_CHARS_MAX]

    def _memory_fault(self, wall: float) -> str:
        """The fault of the worker's memory now, or within the last day; "" for none."""
        memory, last = self._device.processes.worker.memory, self._device.state.memory_fault
        if now := memory.overrun or memory.warning:
            return now
        if last is None or wall - last.at > MEMORY_FAULT_S:
            return ""
        return f"the worker was restarted for its memory: {last.detail}"

    def _pipelines(self) -> dict[str, str]:
        """State of each pipeline in a few words."""
        worker, pipelines = self._device.processes.worker, self._device.pipelines
        gauges = worker.gauges.last.pipelines if worker.gauges.last else {}
        states = {}
        for name, spec in pipelines.specs().items():
            absent = [slot for slot in spec.slots() if slot not in worker.running]
            if name in gauges:
                states[name] = gauges[name].state or "running"
            elif not worker.port.up:
                states[name] = "worker is down"
            elif absent:
                states[name] = f"waiting for slot {absent[0]}"
            else:
                states[name] = worker.pipelines.detail[:200] or "starting"
        return states | pipelines.errors()

    def _sources(self) -> dict[str, dict[str, Any]]:
        """The reasons for which sources give nothing now and gave nothing before, by pipeline; those without any are left out."""
        last = self._device.processes.worker.gauges.last
        return {
            name: {"reason": one.reason, "reasons": to_plain(one.reasons)}
            for name, one in (last.pipelines.items() if last is not None else ())
            if one.reason or one.reasons
        }

    def _sample(self, window_s: float, wall: float) -> Telemetry:
        worker, outbox, vitals = self._device.processes.worker, self._device.link.uplink.outbox, self._vitals
        gauges = worker.gauges.take()
        pipelines = gauges.pipelines if gauges is not None else {}
        return Telemetry(
            at=wall,
            window_s=gauges.window_s if gauges else round(window_s, 3),
            pipelines={name: _of_window(one, wall - window_s) for name, one in pipelines.items()},
            cpu_percent=vitals.cpu_percent,
            supervisor_rss_bytes=vitals.rss_bytes,
            worker_rss_bytes=worker.rss_bytes,
            temperature_c=vitals.temperature_c,
            disk_free_bytes=vitals.disk_free_bytes,
            outbox_records=outbox.waiting,
            outbox_lost=outbox.lost,
            outbox_damaged_files=outbox.files_lost,
            worker_restarts=worker.port.restarts,
            worker_private_bytes=worker.memory.bytes,
            worker_ceiling_bytes=worker.memory.ceiling,
            memory_fault=self._memory_fault(wall)[:MEMORY_CHARS_MAX],
            shadows=gauges.shadows if gauges else {},
        )


def _of_window(gauges: PipelineGauges, since_at: float) -> PipelineGauges:
    """The gauges with the reasons that were present since then: the server has the earlier ones."""
    present = [reason for reason in gauges.reasons if not reason.until or reason.until > since_at]
    return gauges if len(present) == len(gauges.reasons) else replace(gauges, reasons=present)
