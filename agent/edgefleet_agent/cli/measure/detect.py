"""`edgefleet-agent detect`: prints the device profile of this machine, with the evidence."""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_agent.machine.detect import ProfileMatch
from edgefleet_agent.service.profile_choice import fitting
from edgefleet_contract.encoding.number_text import json_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `detect`."""
    parser.add_argument(
        "--root",
        type=Path,
        default=Path("/"),
        metavar="DIR",
        help="Root folder with proc, sys, dev and etc of another machine (default: %(default)s)",
    )
    parser.add_argument("--all", action="store_true", help="List all profiles and what each lacks")
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the profile; exit code 3 if none fits."""
    found = fitting(arguments.root)
    best = found[0]
    if arguments.json:
        print(json_text({**_plain(best), "others": [_plain(match) for match in found[1:]]}, indent=1, ascii_only=False))
        return 0
    print(f"{best.profile.name}: {best.profile.title}")
    for word, proof in best.proofs.items():
        print(f"  {word}: {proof}")
    for match in found[1:]:
        if match.fits:
            print(f"{match.profile.name} also matches, but {best.profile.name} is more specific")
        elif arguments.all:
            lacks = ", ".join(f"{word} {required}" for word, required in match.missing.items())
            print(f"{match.profile.name} does not match: no {lacks}")
    print('The agent uses this profile from its next start. To override it, set profile = "NAME" or "none" in agent.toml')
    return 0


def _plain(match: ProfileMatch) -> dict[str, object]:
    profile = match.profile
    return {
        "profile": profile.name,
        "title": profile.title,
        "fits": match.fits,
        "match": match.proofs,
        "missing": match.missing,
        "accelerators": [{"runtime": each.runtime, "device": each.device} for each in profile.accelerators],
    }
