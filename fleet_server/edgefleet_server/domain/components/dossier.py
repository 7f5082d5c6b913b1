"""The dossier about a component: what this server knows of what Article 14 of Regulation (EU) 2024/2847 asks for.

It states facts with their evidence, says what is unknown, and lists what only people can say. It has no time of its own and no
secret: the same facts give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from edgefleet_server.domain.components.dossier_text import markdown
from edgefleet_server.domain.components.spans import ComponentSpan

Stage = Literal["24h", "72h"]
ACT: Final = "Regulation (EU) 2024/2847 (Cyber Resilience Act), Article 14"
TITLES: Final[Mapping[Stage, str]] = {"24h": "Early warning (within 24 hours)", "72h": "Notification (within 72 hours)"}
_EARLY: Final = (
    ("aware_at", "when the manufacturer became aware: the 24 and 72 hours run from then"),
    ("subject", "an actively exploited vulnerability, or a severe incident"),
    ("unlawful_or_malicious", "of an incident: whether unlawful or malicious acts are suspected"),
    ("member_states", "Member States in which the product has been made available; labels only say where devices are"),
    ("contact", "manufacturer and contact for the CSIRT and ENISA"),
)
_FULL: Final = (
    ("vulnerability", "general nature of the vulnerability, with its CVE number if there is one"),
    ("exploit_or_incident", "general nature of the exploit, or nature and first assessment of the incident"),
    ("measures_of_users", "corrective or mitigating measures that users can take"),
    ("relevance_of_measures", "which of the listed measures are about this case, and others outside of this server"),
    ("sensitivity", "how sensitive the notified information is"),
)
TO_FILL: Final[Mapping[Stage, tuple[tuple[str, str], ...]]] = {"24h": _EARLY, "72h": (*_EARLY, *_FULL)}
_DATE: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Measure:
    """A change that was made. `source`: `audit` or `timeline`, with the number of its entry or rollout. `names_it`: its text has
    the name of the component or of an affected device."""

    at: float
    source: str
    number: int
    text: str
    names_it: bool


@dataclass(frozen=True, slots=True)
class DossierFacts:
    """Facts of a dossier. labels: of each affected device; measures_left_out, bills_left_out: number of those that a
    dossier has no room for."""

    component: str
    version: str
    stage: Stage
    aware_at: float | None
    server_version: str
    on_server: Sequence[tuple[str, str]]
    spans: Sequence[ComponentSpan]
    uncompared: Sequence[str]
    devices: int
    unknown: int
    incomplete: int
    labels: Mapping[str, Mapping[str, str]]
    measures: Sequence[Measure]
    measures_left_out: int
    bills_left_out: int


def document(facts: DossierFacts) -> dict[str, Any]:
    """The dossier as JSON data."""
    now = [span for span in facts.spans if span.current]
    having = {span.device for span in now}
    before = {span.device for span in facts.spans} - having
    running = {span.device for span in now if span.use == "running"}
    times = [span.since_at for span in facts.spans]
    ended = [span.until_at for span in facts.spans if span.until_at is not None]
    found: dict[str, Any] = {
        "schema": "edgefleet-dossier-1",
        "regulation": {"act": ACT, "stage": facts.stage, "title": TITLES[facts.stage]},
        "component": {"name": facts.component, "versions_asked_for": facts.version or "all"},
        "product": {"name": "edgefleet", "server_version": facts.server_version},
        "newest_fact_at": max([*times, *ended, *(measure.at for measure in facts.measures)], default=None),
        "affected": {
            "devices_now": len(having),
            "devices_earlier_only": len(before),
            "devices_where_it_runs": len(running),
            "devices_where_it_is_installed": len(having - running),
            "first_seen_at": min(times, default=None),
            "by_version": dict(sorted(Counter(f"{each.kind} {each.version}" for each in now).items())),
            "by_site": _by_label(facts, having, "site"),
            "by_country": _by_label(facts, having, "country"),
            "server_itself": [f"{kind} {version}" for kind, version in facts.on_server],
        },
        "unknown": {
            "devices_in_fleet": facts.devices,
            "devices_without_a_bill": facts.unknown,
            "devices_with_an_incomplete_bill": facts.incomplete,
            "versions_that_cannot_be_compared": list(facts.uncompared),
            "bills_left_out": facts.bills_left_out,
            "use_of_libraries": "installed beside the agent; whether a program loads it is not known",
        },
        "devices": [{**asdict(span), "use": span.use, **_place(facts, span.device)} for span in facts.spans],
        "to_fill_by_people": [{"field": name, "what": what} for name, what in TO_FILL[facts.stage]],
    }
    if facts.aware_at is not None:
        found["aware_at"] = facts.aware_at
        found["to_fill_by_people"] = found["to_fill_by_people"][1:]
    if facts.stage == "72h":
        found["measures"] = [asdict(measure) for measure in facts.measures]
        found["unknown"]["measures_left_out"] = facts.measures_left_out
    return found


def archive(facts: DossierFacts, bills: Mapping[str, bytes]) -> bytes:
    """The dossier as a zip file: JSON, Markdown, bills by their path, and the SHA-256 of each."""
    found = document(facts)
    found["attachments"] = [{"file": path, "sha256": hashlib.sha256(bills[path]).hexdigest()} for path in sorted(bills)]
    files = {
        "dossier.json": (json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode(),
        "dossier.md": markdown(found).encode(),
        **{path: bills[path] for path in sorted(bills)},
    }
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in files.items())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in {**files, "SHA256SUMS": sums.encode()}.items():
            entry = zipfile.ZipInfo(path, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            made.writestr(entry, data)
    return buffer.getvalue()


def _place(facts: DossierFacts, device: str) -> dict[str, str]:
    return {key: value for key, value in sorted(facts.labels.get(device, {}).items()) if key in ("site", "country")}


def _by_label(facts: DossierFacts, devices: set[str], key: str) -> dict[str, int]:
    """Devices by a label; those without one under an empty text."""
    return dict(sorted(Counter(facts.labels.get(device, {}).get(key, "") for device in devices).items()))
