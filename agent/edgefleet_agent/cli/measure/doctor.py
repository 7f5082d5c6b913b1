"""`edgefleet-agent doctor`: tests the runtimes and devices of this machine by running them.

A vendor library may kill the process that loads it (a libedgetpu of the wrong version does), so each use of one runs in a child
process: `doctor --probe WHAT` makes one check and prints one JSON object; its exit status is a result, too.
"""

from __future__ import annotations

import argparse
import ctypes
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from edgefleet_agent.backends.base import Backend, LoadOptions
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.cli.support.argument_types import runtime_name
from edgefleet_agent.core import plugins
from edgefleet_agent.machine.accelerator_check import Check, Probed, ask, need, runtime_fix
from edgefleet_agent.machine.probe_models import FLOAT_ONLY, run_trial, write_trial_model
from edgefleet_agent.machine.profiles import every_profile, find_profile
from edgefleet_agent.service.profile_choice import device_runtimes, fitting
from edgefleet_contract.core.errors import EdgefleetError, InputError, ManifestError, MissingError
from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.hosted_runtimes import HOST_FILES
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import Profile, variant_choices

STATE = Path("/var/lib/edgefleet")
PACKAGES_MAX = 64
PLUG_INS = ("heads", "sources", "sensors", "sinks")
PLUG_INS_MAX = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `doctor`."""
    parser.add_argument("--profile", metavar="P", help="Device profile to check (default: the detected one)")
    parser.add_argument("--runtime", type=runtime_name, metavar="R", help="Test only this runtime")
    parser.add_argument(
        "--package", type=Path, metavar="DIR", help="Also run this package on the device that the profile selects"
    )
    parser.add_argument(
        "--state", type=Path, default=STATE, metavar="DIR", help="State folder with the installed packages (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="Print JSON")
    parser.add_argument("--probe", metavar="WHAT", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Print all checks; exit code 3 if a requirement of the profile is missing."""
    if arguments.probe:
        print(json_text(to_plain(probe(arguments.probe))))
        return 0
    profile = _profile(arguments.profile)
    package = arguments.package or compiled_package(profile, arguments.state)
    checks = examine(profile, package, arguments.runtime) + _state_folder(arguments.state)
    ok = all(check.ok for check in checks if check.needed)
    if arguments.json:
        rows = [{"needed": True, **to_plain(check)} for check in checks]
        print(json_text({"profile": profile.name, "ok": ok, "checks": rows}, indent=1, ascii_only=False))
    else:
        print(f"{profile.name}: {profile.title}")
        for check in checks:
            mark = "ok     " if check.ok else "MISSING" if check.needed else "no     "
            print(f"  {mark} {check.what}{': ' + check.detail if check.detail else ''}")
            if check.fix and not check.ok and check.fix not in check.detail:
                print(f"          {check.fix}")
    return 0 if ok else MissingError.exit_code


def examine(profile: Profile, package: Path | None = None, only: str | None = None) -> list[Check]:
    """Checks the profile's requirements and devices, then the other devices of the installed runtimes, then the other plug-ins,
    then `package` if given."""
    checks = _twins() + [need(what, fix) for what, fix in profile.needs.items()]
    for runtime in dict.fromkeys([each.runtime for each in profile.accelerators] + plugins.names("backends")):
        if only not in (None, runtime):
            continue
        named = [each.device for each in profile.accelerators if each.runtime == runtime]
        try:
            made = find_backend(runtime)
        except EdgefleetError as cause:
            checks.append(Check(what=runtime, ok=False, detail=str(cause), needed=bool(named)))
            continue
        if not made.installed():
            if runtime in HOST_FILES and not named and only is None:
                continue  # listed on machines with their device only
            fix = _runtime_fix(runtime, made)
            checks.append(Check(what=runtime, ok=False, detail="not installed", fix=fix, needed=bool(named)))
            continue
        listed = ask(runtime)
        if listed.error:
            fix = "" if runtime in HOST_FILES else "reinstall the library"  # the errors of those say what to do
            checks.append(Check(what=runtime, ok=False, detail=listed.error, fix=fix, needed=bool(named)))
            continue
        for device in dict.fromkeys([*named, *listed.devices]):
            checks.append(_try(runtime, device, needed=device in named))
    checks += _plug_ins() if only is None else []
    if package is not None:
        done = ask(f"package:{profile.name}:{package.resolve()}")
        checks.append(Check(what=f"package {package}", ok=not done.error, detail=done.error or done.detail))
    return checks


def compiled_package(profile: Profile, state: Path) -> Path | None:
    """An installed package that is compiled for an accelerator which runs no other models, to test it with a real inference. None
    if there is none, or if the profile has no such accelerator."""
    dedicated = {(each.runtime, each.device) for each in profile.accelerators if each.dedicated}
    for file in sorted(state.glob("packages/*/model.toml"))[:PACKAGES_MAX] if dedicated else ():
        try:
            manifest = read_manifest(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError, ManifestError):
            continue  # the service reports the damage
        way = next(iter(variant_choices(manifest, profile, [runtime for runtime, _ in dedicated])), None)
        if (
            way is not None
            and (way.runtime, way.device) in dedicated
            and all((file.parent / one).is_file() for one in way.variant.files)
        ):
            return file.parent
    return None


def probe(what: str) -> Probed:
    """Run one check, in the child process. `RUNTIME`: list its devices. `RUNTIME@DEVICE`: one inference there (see
    `_open_edge_tpu`). `library:NAME`: load it. `plug-in:TABLE:NAME`: import it. `package:PROFILE:DIR`: run it once."""
    kind, _, rest = what.partition(":")
    try:
        if kind == "library":
            ctypes.CDLL(rest)
            return Probed(detail="found")
        if kind == "plug-in":
            table, _, name = rest.partition(":")
            plugins.load(table, name, InputError)
            return Probed(detail="can be imported")
        if kind == "package":
            return _run_package(*rest.split(":", 1))
        runtime, _, device = what.partition("@")
        return _infer(runtime, device) if device else Probed(devices=_devices(runtime))
    except (EdgefleetError, OSError) as cause:
        return Probed(error=str(cause))


def _devices(runtime: str) -> list[str]:
    """The devices of a runtime, and those that it would list if they worked."""
    made = find_backend(runtime)
    listed = made.devices()
    lacking = [one for one in made.also_tested() if not any(each == one or each.startswith(f"{one}:") for each in listed)]
    return [*listed, *lacking]


def _infer(runtime: str, device: str) -> Probed:
    with tempfile.TemporaryDirectory() as folder:
        made = find_backend(runtime)
        own = runtime in plugins.installed("backends") or not made.formats & {"onnx", "tflite"}
        model = made.trial_model(Path(folder)) if own else write_trial_model(runtime, Path(folder))
        if model is None:
            return Probed(detail=f"{made.probe(device)}; no inference was run: pass a package with --package")
        if device.startswith("edgetpu"):
            return _open_edge_tpu(model, device)
        # TensorRT computes a quantized model in float by default.
        options = {"precision": "int8"} if device.startswith("tensorrt") else {}
        session = made.load((model,), LoadOptions(device=device, threads=1, strict=True, options=options))
        began_s = time.perf_counter()
        run_trial(session, f"{runtime} on {device}")
        took_ms = (time.perf_counter() - began_s) * 1000
        where, number = session.placement.device, session.placement.version
        session.close()
    kind = "f32" if runtime in FLOAT_ONLY else "int8"
    return Probed(detail=f"version {number}, one {kind} inference on {where} in {took_ms:.1f} ms")


def _open_edge_tpu(model: Path, device: str) -> Probed:
    """Tests an Edge TPU without a compiled model, which only Google's compiler can make: the device opens, and the runtime works
    beside it. Only a compiled model (a package) shows that library and runtime are compatible."""
    from edgefleet_agent.backends.lite_rt.backend import open_beside
    from edgefleet_agent.backends.lite_rt.devices import library_version

    session = open_beside(model, device)
    run_trial(session, f"lite_rt beside {device}")
    session.close()
    works = f"opens with {library_version()}, compatible with LiteRT {session.placement.version}"
    return Probed(detail=f"{works}; to run an inference, pass a compiled model with --package")


def _run_package(profile: str, folder: str) -> Probed:
    # Imported here: a probe of a library needs neither OpenCV nor the decoders.
    from edgefleet_agent.cli.measure.selftest import examine as selftest

    verdict = selftest(Path(folder), runtimes=device_runtimes(profile), variant=None, profile=profile, threads=0, strict=True)
    where = f"{verdict.variant} on {verdict.runtime}, {verdict.device}, {verdict.latency_ms:.1f} ms per frame"
    return Probed(detail=where) if verdict.ok else Probed(error=f"{verdict.reason.value}: {verdict.detail}")


def _try(runtime: str, device: str, *, needed: bool) -> Check:
    done = ask(f"{runtime}@{device}")
    text, _, fix = done.error.partition(": ")
    return Check(
        what=f"{runtime} on {device}", ok=not done.error, detail=done.error or done.detail, fix=fix if text else "", needed=needed
    )


def _plug_ins() -> list[Check]:
    """Imports the installed plug-ins that are no runtimes, each in a child process."""
    found = [(table, name, origin) for table in PLUG_INS for name, origin in plugins.installed(table).items()]
    checks = []
    for table, name, origin in found[:PLUG_INS_MAX]:
        done = ask(f"plug-in:{table}:{name}")
        what = f"{table.removesuffix('s')} {name} of {origin}"
        checks.append(Check(what=what, ok=not done.error, detail=done.error or done.detail, needed=False))
    return checks


def _runtime_fix(runtime: str, made: Backend) -> str:
    """Says how a runtime is installed; of a plug-in only the Python modules are known."""
    return f"install {' or '.join(made.needs)}" if runtime in plugins.installed("backends") else runtime_fix(runtime)


def _twins() -> list[Check]:
    """Reports distributions that write into the same folder and break each other."""
    both = [name for name in ("onnxruntime", "onnxruntime-gpu", "onnxruntime-openvino") if _distribution(name)]
    if len(both) < 2:
        return []
    fix = f"pip uninstall {' '.join(both)}, then install one of them"
    return [Check(what="onnxruntime", ok=False, detail=f"installed twice: {', '.join(both)}", fix=fix)]


def _state_folder(state: Path) -> list[Check]:
    """Reports a state folder in memory."""
    warning = volatile_warning("state folder", state)
    return [Check(what="state folder", ok=False, detail=warning, needed=False)] if warning else []


def _distribution(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _profile(name: str | None) -> Profile:
    if name:
        profile = find_profile(name)
        if profile is None:
            raise MissingError(f"--profile {name}: no such device profile; known are {', '.join(every_profile())}")
        return profile
    return fitting()[0].profile
