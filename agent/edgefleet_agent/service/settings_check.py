"""Checks an agent's settings file, the pipelines and the packages that it names, before a device runs with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent.core import plugins
from edgefleet_agent.local_api.http_server import check_address
from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.pipeline.model.loaded_model import installed_runtimes, read_package
from edgefleet_agent.pipeline.model.text_files import read_labels
from edgefleet_agent.pipeline.model.variant_order import ordered_choices
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.service.profile_choice import NONE
from edgefleet_agent.settings import FILE_BYTES_MAX, PIPELINES, PIPELINES_MAX, Settings, checked_settings, read_settings
from edgefleet_agent.sinks.base import SinkContext
from edgefleet_agent.sinks.host import options_fault
from edgefleet_agent.sources.credentials import FILE_VARIABLE, with_credentials
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import EdgefleetError, InputError, ManifestError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import from_plain
from edgefleet_contract.encoding.toml_faults import faults_of
from edgefleet_contract.encoding.toml_lines import line_of, lines_of
from edgefleet_contract.package.manifest import Manifest
from edgefleet_contract.pipeline.nodes import check_model_labels
from edgefleet_contract.pipeline.possible import check_possible
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline

INTERNAL = ("file", "places")
"""Fields of a pipeline that its file does not have."""
MODELS = ("detection", "classification", "anomaly")
"""Tasks whose labels a stage may name."""
NAMED_FILES = (
    ("trust_root",),
    ("secrets",),
    ("serving", "tls_cert"),
    ("serving", "tls_key"),
    ("serving", "tls_client_ca"),
    ("serving", "api_keys"),
    ("serving", "mqtt_password_file"),
    ("serving", "mqtt_ca"),
    ("local_api", "api_key_file"),
    ("local_api", "mqtt", "password_file"),
    ("link", "blobs_token"),
    ("link", "password_file"),
    ("enroll", "ca"),
)
"""Settings that name a file which has to exist."""


@dataclass(slots=True)
class SettingsReport:
    """The result of a check. faults: each a line, with file and line number. notes: facts that no fault follows from. pipelines,
    packages: the valid ones."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    device: str = ""
    pipelines: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)


def pipeline_faults(text: str, where: str) -> list[str]:
    """Every wrong key of a pipeline's file; empty if each is right by itself."""
    return faults_of(toml.parse(text, where, PipelineError), PipelineSpec, lines_of(text), where, INTERNAL)


def check_settings(path: Path, text: str, runner: Runner) -> SettingsReport:
    """Check the file `path` of this content, and what it names. Opens no model, camera or connection."""
    report, lines = SettingsReport(), lines_of(text)
    try:
        plain = toml.parse(text, str(path))
        report.faults = faults_of(plain, Settings, lines, str(path))
        settings = _without_faults(plain, path) if report.faults else read_settings(path)
    except InputError as error:
        report.faults = report.faults or [str(error)]
        return report
    report.device = settings.device
    check = _Check(path, lines, report)
    check.files(settings)
    check.choices(settings)
    packages = check.packages(settings)
    check.pipelines(settings, packages, runner)
    report.faults.sort(key=lambda text: _place(text, path))
    return report


def _without_faults(plain: dict[str, Any], path: Path) -> Settings:
    """The settings that are right by themselves: what they name is checked, too."""
    right: dict[str, Any] = {"device": "unknown"}
    for key, value in plain.items():
        if not faults_of({**right, key: value}, Settings, {}, ""):
            right[key] = value
    return checked_settings(from_plain(right, Settings), path)


def _place(text: str, path: Path) -> tuple[bool, int]:
    """Sorts faults of the settings file by their lines, and those of other files after them."""
    own = re.match(rf"{re.escape(str(path))}:(?:(\d+):)?", text)
    return own is None, int(own[1] or 0) if own else 0


class _Check:
    """Collects the faults of what one settings file names."""

    def __init__(self, path: Path, lines: dict[str, int], report: SettingsReport) -> None:
        self._path = path
        self._lines = lines
        self._report = report

    def _fault(self, key: tuple[str, ...], text: str) -> None:
        line = line_of(self._lines, *key)
        at = self._path if line is None else f"{self._path}:{line}"
        self._report.faults.append(f"{at}: {'.'.join(key)}: {text}")

    def files(self, settings: Settings) -> None:
        """Check that named files exist."""
        for key in NAMED_FILES:
            value: object = settings
            for part in key:
                value = getattr(value, part)
            if isinstance(value, str) and value and not Path(value).is_file():
                self._fault(key, f"no such file {value}; create it or remove the setting")

    def choices(self, settings: Settings) -> None:
        """Check names of runtimes, sinks and the profile, the address of the local API, and the token of `[enroll]`."""
        enroll = settings.enroll
        if enroll.url and not enroll.token_file:
            self._fault(("enroll", "url"), "the token is missing; add token_file")
        if enroll.token_file and not Path(enroll.token_file).is_file() and not (Path(settings.state) / "identity").exists():
            self._fault(("enroll", "token_file"), f"no such file {enroll.token_file}; write the token into it")
        known = ", ".join(plugins.names("backends"))
        for name in settings.runtimes:
            if name not in plugins.names("backends"):
                self._fault(("runtimes",), f"unknown runtime {name!r}; known are {known}")
        for name, sink in settings.sinks.items():
            if sink.kind not in plugins.names("sinks"):
                known = ", ".join(plugins.names("sinks"))
                self._fault(("sinks", name, "kind"), f"unknown kind {sink.kind!r}; known are {known}")
            elif fault := options_fault(sink.kind, SinkContext(name, settings.device, sink.options, self._path.resolve().parent)):
                text = fault.removeprefix(f"sink {name!r}: ").removeprefix("options: ")
                self._fault(("sinks", name, "options"), text)
        try:
            if settings.profile not in ("", NONE) and find_profile(settings.profile) is None:
                self._fault(("profile",), f"no device profile {settings.profile!r}; `edgefleet-agent detect --all` lists them")
        except InputError as error:
            self._fault(("profile",), str(error))
        try:
            if settings.local_api.http:
                check_address(settings.local_api.http, bool(settings.local_api.api_key_file))
        except InputError as error:
            self._fault(("local_api", "http"), str(error))

    def packages(self, settings: Settings) -> dict[str, tuple[Manifest, tuple[str, ...]]]:
        """Check the packages of the slots. Returns manifest and labels of each that can be read, by slot."""
        found: dict[str, tuple[Manifest, tuple[str, ...]]] = {}
        for slot, name in settings.factory.items():
            folder = Path(name)
            try:
                manifest = read_package(folder)
                labels = tuple(manifest.labels) or read_labels(folder / manifest.labels_file if manifest.labels_file else None)
            except ManifestError as error:
                self._fault(("factory", slot), str(error))
                continue
            lacks = next((file for each in manifest.variants for file in each.files if not (folder / file).is_file()), None)
            if lacks is not None:
                self._fault(("factory", slot), f"{folder}: the file {lacks} is missing; copy the package again")
                continue
            found[slot] = manifest, labels
            self._report.packages.append(manifest.id)
            try:
                ordered_choices(manifest, settings.runtimes or installed_runtimes(), "", None, "")
            except EdgefleetError as error:
                self._report.notes.append(f"{manifest.id} does not run on this machine: {error}")
        return found

    def pipelines(self, settings: Settings, packages: dict[str, tuple[Manifest, tuple[str, ...]]], runner: Runner) -> None:
        """Check every pipeline of the folder, with the labels of its packages."""
        if not settings.pipelines:
            text, beside = "no `pipelines`: the device runs those of the fleet only", self._path.resolve().parent / PIPELINES
            if beside.is_dir():
                text += f'; for those of {beside}, add pipelines = "{PIPELINES}" before the first table'
            self._report.notes.append(text)
            return
        folder = Path(settings.pipelines)
        if not folder.is_dir():
            self._fault(("pipelines",), f"no such folder {folder}; create it or remove the setting")
            return
        files = sorted(folder.glob("*.toml"))
        if len(files) > PIPELINES_MAX:
            self._fault(("pipelines",), f"{len(files)} files in {folder}, the limit is {PIPELINES_MAX}; move some elsewhere")
        if not files:
            self._report.notes.append(f"no *.toml in {folder}")
        empty: set[str] = set()
        for file in files[:PIPELINES_MAX]:
            empty |= self._pipeline(file, settings, packages, runner)
        for slot in sorted(empty):
            self._report.notes.append(f"slot:{slot} has no package in [factory]; its pipelines wait until the fleet assigns one")

    def _pipeline(
        self, file: Path, settings: Settings, packages: dict[str, tuple[Manifest, tuple[str, ...]]], runner: Runner
    ) -> set[str]:
        """Check one pipeline. Returns its slots without a package."""
        data = read_if_there(file, FILE_BYTES_MAX)
        try:
            text = (data or b"").decode()
            faults = pipeline_faults(text, str(file))
            if len(faults) > 1:
                self._report.faults += faults
                return set()
            spec = read_pipeline(text, str(file))
            if spec.name in self._report.pipelines:
                raise PipelineError(f"{spec.at('name')}: duplicate pipeline name {spec.name!r}; choose another name")
            spec.source = with_credentials(spec.source, {FILE_VARIABLE: settings.secrets})
            runner.check(spec)
            for number, stage in enumerate(spec.stages):
                slot = stage.model.removeprefix("slot:")
                if stage.model.startswith("slot:") and slot in packages and packages[slot][0].task in MODELS:
                    manifest, labels = packages[slot]
                    check_model_labels(stage.name, stage.labels, labels, manifest.id, spec.at("stages", number, "labels"))
            check_possible(spec)
        except UnicodeDecodeError:
            self._report.faults.append(f"{file}: not UTF-8 text; write it again")
            return set()
        except EdgefleetError as error:
            self._report.faults.append(str(error))
            return set()
        self._report.pipelines.append(spec.name)
        return set(spec.slots()) - set(packages)
