"""Choice of the device profile: the one named in the settings, or the detected one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_agent.machine.accelerator_check import Check, need, runtime_fix
from edgefleet_agent.machine.detect import ProfileMatch, gather, matches
from edgefleet_agent.machine.profiles import every_profile, find_profile, folders, usual_runtimes
from edgefleet_agent.machine.vitals import installed_runtimes
from edgefleet_contract.core.errors import InputError, MissingError, ModelError
from edgefleet_contract.model_kinds import format_of
from edgefleet_contract.package.profile import Profile, accelerator_for, device_kind

NONE = "none"
"""Value in the settings and of `--profile`: no profile, independent of the machine."""
COMPILING = ("tensorrt", "migraphx", "gpu", "npu", "openvino", "ep")
"""Kinds of devices for which a model is compiled at its first load."""
ROOT = Path("/")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """The chosen profile. name: empty for none; a name from the settings is used even if no such profile exists, because variants
    may require it. reason: why it was chosen, as text.
    """

    name: str
    profile: Profile | None
    reason: str


def own_profile(configured: str, root: Path = ROOT) -> ProfileChoice:
    """The profile of this machine; `configured` (from the settings) has priority over detection. Never fails: a device with a
    damaged profile still has to be reachable, and computes on its CPU."""
    if configured == NONE:
        return ProfileChoice("", None, "disabled in the settings")
    try:
        if configured:
            profile = find_profile(configured)
            why = "set in the settings" if profile is not None else "set in the settings, but no such profile exists"
            return ProfileChoice(configured, profile, why)
        best = fitting(root)[0]
    except (InputError, MissingError) as error:
        return ProfileChoice(configured, None, str(error))
    return ProfileChoice(best.profile.name, best.profile, f"detected: {proofs(best)}")


def device_runtimes(profile: str) -> list[str]:
    """The runtimes that a device of the profile uses, in its order. Used by the service, and by commands that predict its choice.

    Raises:
        InputError: the profile is not valid.
    """
    return usual_runtimes(find_profile(profile), installed_runtimes())


def file_device(model: Path, runtime: str = "") -> str:
    """The device for a model file without a manifest: an accelerator of this machine's profile for its runtime, or the CPU.

    Raises:
        ModelError: the file is of no known format.
    """
    profile = own_profile("").profile
    usual = runtime or format_of(model, ModelError)[1].runtimes[0]
    return accelerator_for(profile.accelerators, profile.name, usual, None).device if profile is not None else "cpu"


def compiles(profile: Profile | None) -> bool:
    """Whether a device of the profile compiles a model before it runs it, for minutes."""
    known = profile.accelerators if profile is not None else []
    return any(device_kind(each.device) in COMPILING for each in known)


def unused_accelerator(profile: str, device: str) -> str:
    """The reason why a package computes on `device`, which is none of the profile's accelerators; "" if it is one, or there are
    none."""
    known = find_profile(profile)
    accelerators = [each for each in known.accelerators if each.device != "cpu"] if known is not None else []
    if device != "cpu" or not accelerators:
        return ""
    names = " or ".join(dict.fromkeys(f"{each.device} ({each.runtime})" for each in accelerators))
    return f"the package has no variant for {names}, the accelerator of {profile}"


def fitting(root: Path = ROOT) -> list[ProfileMatch]:
    """Matches of all profiles with this machine, best first; the first one fits.

    Raises:
        MissingError: no profile fits.
    """
    try:
        known = every_profile()
    except InputError as error:  # an added profile is invalid: the shipped ones still apply
        log.warning("%s; using the profiles shipped with the agent", error)
        known = every_profile(folders()[1:])
    found = matches(gather(root), list(known.values()))
    if not found or not found[0].fits:
        raise MissingError("no device profile matches this machine; add one to /etc/edgefleet/device_profiles")
    return found


def proofs(match: ProfileMatch) -> str:
    """The hardware that matched the profile, on one line."""
    return ", ".join(f"{word} {proof}" for word, proof in match.proofs.items()) or "no conditions"


class ProfileStatus:
    """The profile in the output of `status`: name, reason, and missing parts of its accelerators. The missing parts are found in
    the background, because libraries are probed in a child process."""

    def __init__(self, own: ProfileChoice, runtimes: Sequence[str]) -> None:
        self._own = own
        self._missing: list[Check] = []
        self._runtimes = frozenset(runtimes)
        log.info("profile %s (%s)", own.name or "none", own.reason)
        if own.profile is not None and any(each.device != "cpu" for each in own.profile.accelerators):
            threading.Thread(target=self._check_runtimes, args=(own.profile,), name="needs", daemon=True).start()

    def plain(self) -> dict[str, Any]:
        """Plain data for the status snapshot."""
        missing = [{"what": each.what, "fix": each.fix} for each in self._missing]
        return {"name": self._own.name, "reason": self._own.reason, "missing": missing}

    def _check_runtimes(self, profile: Profile) -> None:
        required = dict.fromkeys(each.runtime for each in profile.accelerators if each.device != "cpu")
        runtimes = [
            Check(what=f"runtime {name}", ok=False, fix=runtime_fix(name)) for name in required if name not in self._runtimes
        ]
        found = runtimes + [check for what, fix in profile.needs.items() if not (check := need(what, fix)).ok]
        for check in found:
            log.warning("%s: %s is missing: %s", profile.name, check.what, check.fix)
        self._missing = found
