"""The device profiles shipped with the agent, and those added in /etc/edgefleet/device_profiles."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding import toml
from edgefleet_contract.package.profile import ACCELERATOR_ONLY, Profile

OWN = Path("/etc/edgefleet/device_profiles")
FILE_BYTES_MAX = 64 * 1024
FILES_MAX = 256


def folders() -> list[Path]:
    """Folders of profiles, the user's own first."""
    return [OWN, Path(__file__).resolve().parents[1] / "device_profiles"]


def every_profile(places: list[Path] | None = None) -> dict[str, Profile]:
    """All profiles by name; if two share a name, the one of the first folder counts.

    Raises:
        InputError: one of them is not valid.
    """
    found: dict[str, Profile] = {}
    for place in folders() if places is None else places:
        for path in sorted(place.glob("*.toml"))[:FILES_MAX]:
            profile = _read(path)
            found.setdefault(profile.name, profile)
    return found


def find_profile(name: str) -> Profile | None:
    """The profile `name`; None if it does not exist.

    Raises:
        InputError: it is not valid.
    """
    for place in folders():
        path = place / f"{name}.toml"
        if name and "/" not in name and path.is_file():
            return _read(path)
    return None


def usual_runtimes(profile: Profile | None, installed: list[str]) -> list[str]:
    """The installed runtimes in the order of the profile, then those that it does not name, which run on the CPU."""
    if profile is None:
        return installed
    named = list(dict.fromkeys(each.runtime for each in profile.accelerators))
    return [name for name in named if name in installed] + [
        name for name in installed if name not in named and name not in ACCELERATOR_ONLY
    ]


def _read(path: Path) -> Profile:
    data = read_if_there(path, FILE_BYTES_MAX)
    if data is None:
        raise InputError(f"{path}: cannot be read, or larger than {FILE_BYTES_MAX} bytes")
    try:
        return toml.read(data.decode(), Profile, str(path))
    except UnicodeDecodeError as cause:
        raise InputError(f"{path}: not UTF-8 text") from cause
