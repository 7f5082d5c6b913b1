"""Converts the options of `edgefleet rollout create` to the body of a request."""

from __future__ import annotations

import argparse
import re
from typing import Any, Final

from edgefleet_contract.package.shadow import shadow_slot
from edgefleet_server.cli.client import Client, pairs
from edgefleet_server.cli.parsers import package_of
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.rollout.waves import last_wave_fault

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WAVES: Final = defaults.WAVES_TEXT
WAVES_HELP: Final = WAVES.replace("%", "%%")
"""As in a text of `argparse`."""
REST: Final = frozenset({"rest", "all", "100%"})


def add_term_arguments(create: argparse.ArgumentParser) -> None:
    """Add the options for the terms of a rollout: rate, window, retries, priority."""
    terms = create.add_argument_group("rate and schedule")
    terms.add_argument(
        "--rate",
        metavar="N[xF]",
        help="Updates started per minute; xF = multiply the rate by F after every 100 updated devices (default: no limit)",
    )
    terms.add_argument(
        "--window", metavar="HH:MM-HH:MM[@DAYS]", help="Maintenance window for starting updates, for example 22:00-05:00@mon,tue"
    )
    terms.add_argument(
        "--timezone", default="UTC", help="Time zone of devices without the label `timezone` (default: %(default)s)"
    )
    terms.add_argument(
        "--tries",
        type=int,
        metavar="N",
        help=f"Attempts per device after a full disk or a failed download (default: {defaults.TRIES_MAX})",
    )
    terms.add_argument("--follow", action="store_true", help="Include devices that match later")
    terms.add_argument("--prestage", action="store_true", help="Download to all devices at once, activate wave by wave")
    terms.add_argument(
        "--priority",
        type=int,
        default=defaults.PRIORITY,
        help="Priority over other rollouts for the same device; higher wins (default: %(default)s)",
    )


def plan_of(client: Client, arguments: argparse.Namespace, package: str, version: str) -> dict[str, Any]:
    """The plan: that of the template, changed by the given options.

    Raises:
        InputError: an option is invalid, or there is no such template.
    """
    template = _template(client, arguments.template) if arguments.template else {}
    waves = template.get("waves")
    return {
        "package": package,
        "version": version,
        "slot": shadow_slot(arguments.slot) if arguments.shadow else arguments.slot,
        "parts": [part_of(text) for text in arguments.bundle or []],
        "selector": selector_of(arguments),
        "waves": waves if waves and not arguments.waves else waves_of(arguments.waves or WAVES),
        "gate": _gate(template.get("gate", {}), arguments),
        "policy": {**template.get("policy", {}), **given_options(trial_s=arguments.trial, shadow_s=arguments.shadow_s)},
        "terms": _terms(template.get("terms", {}), arguments),
    }


def selector_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The selector of `add_selector_arguments`; all devices without any of them.

    Raises:
        InputError: a label is not K=V, or a group and a query are given.
    """
    labels = pairs(arguments.label or [], "label")
    some = bool(arguments.device or labels or arguments.query)
    if arguments.group:
        if arguments.query:
            raise InputError("--group and --query exclude each other; put the query into the group")
        return {"group": arguments.group}
    selector = {"all": not some, "ids": arguments.device or [], "labels": labels}
    return {**selector, "query": arguments.query} if arguments.query else selector


def part_of(text: str) -> dict[str, str]:
    """Parse `NAME@VERSION:SLOT`; without a slot, it has the name of the package, as for pipelines.

    Raises:
        InputError: not of that form.
    """
    named, colon, slot = text.partition(":")
    if colon and not slot:
        raise InputError(f"--bundle {text!r}: must be NAME@VERSION:SLOT, for example pose@2.0.0:pose")
    package, version = package_of(named)
    return {"package": package, "version": version, "slot": slot or package}


def waves_of(text: str) -> list[dict[str, Any]]:
    """Parse `5%,20,rest!`: names are derived from the sizes; `!` requires an approval. The last one is `rest`, `all` or `100%`.

    Raises:
        InputError: a part is not a size, or the last one is.
    """
    parts = [part.strip() for part in text.split(",")]
    waves: list[dict[str, Any]] = []
    for index, written in enumerate(parts):
        part, needs_approval = written.rstrip("!"), written.endswith("!")
        name = "canary" if index == 0 and len(parts) > 1 else f"wave {index + 1} ({part})"
        if index == len(parts) - 1:
            if part.lower() not in REST:
                raise InputError(f"--waves {text!r}: {last_wave_fault(part)}")
            waves.append({"name": "rest" if len(parts) > 1 else "all", "approval": needs_approval})
        elif part.endswith("%") and part[:-1].replace(".", "", 1).isdigit():
            waves.append({"name": name, "percent": float(part[:-1]), "approval": needs_approval})
        elif part.isdigit():
            waves.append({"name": name, "count": int(part), "approval": needs_approval})
        else:
            raise InputError(f"--waves {text!r}: {part!r} is neither a percentage nor a number; for example 5%,20,rest")
    return waves


def _template(client: Client, name: str) -> dict[str, Any]:
    known = {item["name"]: item for item in client.rollouts.list_rollout_templates()["items"]}
    if name not in known:
        raise InputError(f"no template {name!r}; must be one of {', '.join(known)}")
    return dict(known[name])


def given_options(**values: Any) -> dict[str, Any]:
    """Those that are not None: the server has the defaults of the others."""
    return {name: value for name, value in values.items() if value is not None}


def _gate(gate: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    given = given_options(
        error_percent_max=arguments.error_percent_max,
        reported_min=arguments.reported_min,
        offline_s=arguments.offline_s,
        soak_s=arguments.soak_s,
        test=arguments.test,
        tolerated_percent=arguments.tolerated,
        confidence_percent=arguments.confidence,
        frames_required=arguments.frames or None,
    )
    return {**gate, **given, **_regressions(gate, arguments)}


def _regressions(gate: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The changed limits; empty if those of the template, or the server's, count."""
    if arguments.agreement_min is not None:
        if arguments.regressions is False:
            raise InputError("--agreement-min is one of the regressions; leave --no-regressions out")
        return {"regressions": {**(gate.get("regressions") or {}), "agreement_percent_min": arguments.agreement_min}}
    if arguments.regressions is None:
        return {}
    return {"regressions": (gate.get("regressions") or {}) if arguments.regressions else None}


def _terms(terms: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    given = given_options(
        retry={"tries_max": arguments.tries} if arguments.tries else None,
        rate=rate_of(arguments.rate) if arguments.rate else None,
        window=window_of(arguments.window, arguments.timezone) if arguments.window else None,
        follow=arguments.follow or None,
        prestage=arguments.prestage or None,
    )
    return {**terms, **given}


def rate_of(text: str) -> dict[str, Any]:
    """Parse `50` or `50x2`.

    Raises:
        InputError: not of that form.
    """
    base, _, factor = text.partition("x")
    try:
        return {"per_minute": int(base), "factor": float(factor or 1.0)}
    except ValueError:
        raise InputError(f"--rate {text!r}: must be N or NxF, for example 50 or 50x2") from None


_CLOCK: Final = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def window_of(text: str, timezone: str) -> dict[str, Any]:
    """Parse `22:00-05:00` or `22:00-05:00@mon,tue`.

    Raises:
        InputError: not of that form.
    """
    clocks, _, days = text.partition("@")
    start, dash, end = clocks.partition("-")
    named = [day.strip().lower()[:3] for day in days.split(",") if day.strip()]
    if not dash or not _CLOCK.fullmatch(start) or not _CLOCK.fullmatch(end) or any(day not in DAYS for day in named):
        raise InputError(f"--window {text!r}: must be HH:MM-HH:MM[@DAYS], for example 22:00-05:00@mon,tue")
    return {"start": start, "end": end, "days": [DAYS.index(day) for day in named], "timezone": timezone}
