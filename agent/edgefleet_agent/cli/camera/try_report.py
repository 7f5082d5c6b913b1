"""Output of `try`: a line or a JSON object for each event, and the counts at the end."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from edgefleet_agent.cli.camera.quick_pipeline import CROSSINGS, VISITS
from edgefleet_agent.cli.support.progress import ProgressLine
from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase


@dataclass(frozen=True, slots=True)
class Measured:
    """A finished run."""

    totals: Totals
    elapsed_s: float


class TryReport:
    """The listener of the one pipeline.

    recorded: the source is a file, and a fault of it ends the run. fault: the present one of the source; empty if there is none.
    delivering: frames have come, so that a live source may be away for a time. `model`: set before the first event.
    """

    model: LoadedModel

    def __init__(self, spec: PipelineSpec, source: str, *, recorded: bool, as_json: bool, progress: ProgressLine) -> None:
        self.fault = ""
        self.delivering = False
        self._recorded = recorded
        self._json = as_json
        self._source = source
        self._progress = progress
        self._crossing = any(rule.name == CROSSINGS for rule in spec.rules)
        self._directions = [way for line in spec.lines for way in (line.forward, line.backward)]
        self._crossings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._visits: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._broken: OSError | None = None

    def on_event(self, event: Event) -> None:
        """Prints one event of the pipeline."""
        if event.phase is EventPhase.NEW:
            if not self._crossing and not self._json and event.rule == VISITS:
                self._print(f"{event.start_s or 0.0:8.1f} s  {event.label} #{event.track_id} appears")
            return
        if event.rule == VISITS:
            self._visits[event.label] += 1
        elif event.rule == CROSSINGS:
            self._crossings[event.direction][event.label] += 1
        if self._json:
            self._print(json_text(to_plain(event), compact=True, ascii_only=False))
        elif event.rule == CROSSINGS:
            where = f"{event.start_s or 0.0:8.1f} s  {event.label} #{event.track_id}"
            self._print(f"{where} crosses {event.direction} ({event.direction} {event.count})")
        elif not self._crossing:
            end_s = event.end_s or 0.0
            self._print(f"{end_s:8.1f} s  {event.label} #{event.track_id} leaves after {end_s - (event.start_s or 0.0):.1f} s")

    def begin(self) -> None:
        """Frames have come. A fault that came right after the first of them is printed now."""
        with self._lock:
            first, fault, self.delivering = not self.delivering, self.fault, True
        if first and not self.model.labels:
            self.note("no labels: classes are called class 0, class 1, ...; give them with --labels FILE")
        if first and fault and not self._recorded:
            self.note(fault)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Prints a fault of the source, or that it is over."""
        del pipeline
        with self._lock:
            self.fault, delivering = "" if over else text, self.delivering
        if delivering and not self._recorded:
            self.note(text)

    def note(self, text: str) -> None:
        """Print a line for people, on stderr."""
        with self._lock:
            self._progress.clear()
            with contextlib.suppress(OSError):  # there is no other place to report it
                print(f"edgefleet-agent: {text}", file=sys.stderr, flush=True)

    def summarize(self, measured: Measured, min_score: float) -> None:
        """Print the counts."""
        totals, elapsed_s, model = measured.totals, max(measured.elapsed_s, 1e-6), self.model
        analyzed, placement = totals.processed + totals.quiet, model.placement
        crossings = {way: dict(self._crossings[way]) for way in self._directions}
        if self._json:
            summary: dict[str, Any] = {
                "kind": "summary",
                "source": self._source,
                "frames": totals.captured,
                "analyzed": analyzed,
                "detections": totals.detections,
                "seconds": round(elapsed_s, 3),
                "fps": round(analyzed / elapsed_s, 2),
                **({"crossings": crossings} if self._crossing else {}),
                "visits": dict(self._visits),
                "model": model.manifest.id,
                "runtime": placement.runtime,
                "device": placement.device,
            }
            self._print(json_text(summary, compact=True, ascii_only=False))
            return
        self._print("")
        for way, labels in crossings.items():
            self._print(f"{way:9} {_counted(labels)}")
        self._print(f"{'seen':9} {_counted(self._visits)}")
        if not self._visits and analyzed:
            hint = f"no visit, in spite of {totals.detections} boxes; " if totals.detections else "nothing was found; "
            self._print(f"{hint}a lower --min-score (now {min_score:g}) finds more, without --classes everything counts")
        elif self._crossing and not any(crossings.values()):
            self._print("none crossed the line; it counts the middle of a box's lower edge: see docs/count-people.md")
        self._print(f"{analyzed} of {totals.captured} frames analyzed in {elapsed_s:.1f} s, {analyzed / elapsed_s:.1f} a second")
        fell_back = f" ({placement.detail})" if placement.fell_back else ""
        self._print(f"{model.manifest.name} on {placement.runtime} {placement.version}, {placement.device}{fell_back}")

    def _print(self, text: str) -> None:
        with self._lock:
            self._progress.clear()
            try:
                if self._broken is None:
                    print(text, flush=True)
            except OSError as error:  # in a thread of the pipeline
                self._broken = error

    def check_output(self) -> None:
        """Report that an earlier line could not be printed.

        Raises:
            OSError: of stdout; `run_program` handles it.
        """
        if self._broken is not None:
            raise self._broken


def _counted(labels: dict[str, int]) -> str:
    if not labels:
        return "0"
    total = sum(labels.values())
    return f"{total} ({', '.join(f'{label} {count}' for label, count in sorted(labels.items(), key=lambda pair: -pair[1]))})"
