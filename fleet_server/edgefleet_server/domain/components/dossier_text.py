"""The dossier as Markdown, for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, Final

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#])")


def markdown(found: Mapping[str, Any]) -> str:
    """The text of a dossier's JSON data."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Mapping[str, Any]) -> Iterable[str]:
    component, affected, unknown = found["component"], found["affected"], found["unknown"]
    yield f"# {found['regulation']['title']}: {_text(component['name'])}"
    yield ""
    version, act = _text(found["product"]["server_version"]), found["regulation"]["act"]
    yield f"What edgefleet {version} knows, for {act}. It was not sent to anyone."
    yield ""
    yield f"- versions asked for: {_text(component['versions_asked_for'])}"
    yield f"- newest fact in this dossier: {_time(found['newest_fact_at'])}"
    if "aware_at" in found:
        yield f"- aware since: {_time(found['aware_at'])}"
    yield ""
    yield "## Affected"
    yield ""
    yield f"- devices that have it now: {affected['devices_now']}"
    yield f"- of these, devices on which it runs: {affected['devices_where_it_runs']}"
    yield f"- of these, devices on which it is merely installed: {affected['devices_where_it_is_installed']}"
    yield f"- devices that only had it before: {affected['devices_earlier_only']}"
    yield f"- first seen: {_time(affected['first_seen_at'])}"
    yield f"- the server itself: {', '.join(map(_text, affected['server_itself'])) or 'does not have it'}"
    for title, key in (("version", "by_version"), ("site", "by_site"), ("country", "by_country")):
        yield from _table((title, "devices"), [(name or "(no label)", count) for name, count in affected[key].items()])
    yield "## Unknown"
    yield ""
    yield f"- devices of the fleet without a bill: {unknown['devices_without_a_bill']} of {unknown['devices_in_fleet']}"
    yield f"- devices whose bill has not all entries: {unknown['devices_with_an_incomplete_bill']}"
    yield f"- versions that cannot be compared: {', '.join(map(_text, unknown['versions_that_cannot_be_compared'])) or 'none'}"
    yield f"- libraries are {unknown['use_of_libraries']}"
    yield ""
    yield "## To be filled in by people"
    yield ""
    for each in found["to_fill_by_people"]:
        yield f"- [ ] {each['field']}: {each['what']}"
    yield ""
    if "measures" in found:
        yield "## Measures since then"
        rows = [(_time(each["at"]), f"{each['source']} {each['number']}", each["text"]) for each in found["measures"]]
        yield from _table(("time", "source", "what"), rows)
        yield f"Left out for want of room: {unknown['measures_left_out']}."
        yield ""
    yield "## Devices"
    devices = [
        (
            each["device"], each["kind"], each["version"], each["use"], _time(each["since_at"]),
            "" if each["current"] else _time(each["until_at"]), each.get("site", ""), each.get("country", ""),
        )
        for each in found["devices"]
    ]  # fmt: skip
    yield from _table(("device", "kind", "version", "use", "since", "until", "site", "country"), devices)
    yield "## Attached bills"
    yield ""
    for each in found["attachments"]:
        yield f"- {each['file']} (SHA-256 {each['sha256']})"
    yield f"- left out for want of room: {unknown['bills_left_out']}"


def _table(headings: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterable[str]:
    yield ""
    yield f"| {' | '.join(headings)} |"
    yield f"| {' | '.join('---' for _ in headings)} |"
    for row in rows:
        yield f"| {' | '.join(_text(cell) for cell in row)} |"
    yield ""


def _text(value: object) -> str:
    """A value that cannot be read as markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(value).split()))


def _time(at: float | None) -> str:
    return "unknown" if at is None else datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
