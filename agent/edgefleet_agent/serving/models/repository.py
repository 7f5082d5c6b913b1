"""Repository of models in folders.

A model is a folder of versions; a version is a package (`model.toml`) or holds a bare model file (`model.onnx`, `model.tflite`,
`model.xml`). `config.pbtxt` or `serving.toml` beside the versions configures serving (see `model_settings`):

    models/part_inspector/serving.toml
    models/part_inspector/1.0.0/model.toml, inspector.tflite
    models/part_inspector/1.1.0/model.toml, inspector.tflite

A folder with a `model.toml` is one version of the model of that name, and a file is a model of its own. Callers refer to models
by name, never by path.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Literal

from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.config.config_json import read_config
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.config.pbtxt import PATH
from edgefleet_agent.serving.engine.ensembles import EnsemblePool
from edgefleet_agent.serving.engine.media_calls import FRONTS
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel, version_key
from edgefleet_agent.serving.models.memory_eviction import REASON, ModelCache
from edgefleet_agent.serving.models.model_folders import FoundModel, ModelFolders
from edgefleet_agent.serving.models.model_settings import ModelSettings, ensemble_of, from_json, read_settings
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository_index import UNLOADED, LoadFaults
from edgefleet_agent.serving.models.uploaded_models import UploadedModel, UploadedModels
from edgefleet_agent.serving.models.version_opener import VersionOpener, files_bytes_of, models_of
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.errors import EdgefleetError, InputError, MissingError, ModelError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.malloc import malloc_trim

log = logging.getLogger(__name__)

ControlMode = Literal["", "none", "explicit", "poll"]


class FolderRepository:
    """Loads models from folders into a catalogue. One `load` or `unload` at a time; requests continue meanwhile.

    memory_bytes: limit of all models together, 0 for no limit; the least recently called models are evicted. splits: model ->
    version -> share, if `serving.toml` has none. sent_bytes: limit of uploaded files; 0: uploads are refused. control: callers
    may load and unload ("", `explicit`); or the files decide (`poll`, see `RepositoryPoller`); or neither (`none`).

    Raises:
        InputError: a folder does not exist, or a file is no model.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        catalogue: ModelRegistry,
        device: LoadTarget,
        memory_bytes: int = 0,
        splits: Mapping[str, Mapping[str, int]] | None = None,
        sent_bytes: int = 0,
        control: ControlMode = "",
    ) -> None:
        self._catalogue = catalogue
        self._opener = VersionOpener(catalogue, device)
        self._lock = threading.Lock()
        self._folders = ModelFolders(folders)
        self._control = control
        self._explicit: set[str] = set()
        self._notes: list[str] = []
        self._splits = splits or {}
        self._reasons = LoadFaults()
        self._sent = UploadedModels(sent_bytes)
        self._cache = ModelCache(memory_bytes)
        catalogue.fault_of = self._fault
        if memory_bytes:
            catalogue.on_unknown = lambda model: self._cache.reload(model, self._bring_back)

    def load_all(self, chosen: Collection[str] | None = None) -> list[str]:
        """Load the models `chosen` at the start, all if it is None. Returns one line for each folder that holds none, for each
        model that could not be loaded, and for each difference between files; the others are served.

        Raises:
            InputError: the folders hold no model.
        """
        names = list(self._found())
        if not names:
            raise InputError(self._folders.no_model())
        faults = [f"failed to load '{name}': no such model" for name in chosen or () if name not in names]
        with self._lock:
            for name in names:
                if chosen is not None and name not in chosen:
                    continue
                if chosen is not None:
                    self._explicit.add(name)
                # An ensemble loads its parts, so it may have been served, or have failed, already.
                if not self._catalogue.versions(name) and name not in self._reasons:
                    with contextlib.suppress(CallError):
                        self._load(name, None, None)
                if name in self._reasons:
                    faults.append(f"failed to load '{name}': {self._reasons.text(name)}")
        notes, self._notes = self._notes, []
        return [*self._folders.ignored(), *faults, *notes]

    def index(self, *, ready: bool) -> list[dict[str, str]]:
        """All versions, on disk or served, with their states."""
        try:
            on_disk = {name: list(model.versions) for name, model in self._found().items()}
        except UnavailableError as error:
            return self._reasons.index(self._catalogue, {}, ready=ready, away=str(error))
        return self._reasons.index(self._catalogue, on_disk, ready=ready)

    def _fault(self, model: str) -> str:
        """The reason why a model could not be loaded; empty if that was not tried."""
        reason = self._reasons.text(model)
        return "" if reason in (UNLOADED, REASON) else reason

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None:
        """Load, or reload, the versions that the policy chooses, then switch to them. On failure the served versions stay.

        config: JSON, instead of `serving.toml`. files: `VERSION/NAME` -> content, instead of the repository's; the next `load`
        without files returns to those.

        Raises:
            CallError: an unknown model, a configuration that is not valid, files that are refused, or a version that cannot be
                loaded.
        """
        self._check_control()
        requested = read_config(config) if config is not None else None
        with self._lock:
            before = self._sent.models.get(model)
            sent = self._sent.take(model, files, requested) if files else None
            try:
                self._load(model, requested, sent)
            except CallError:
                self._sent.discard(sent)
                raise
            self._explicit.add(model)
            self._sent.models.pop(model, None)
            if sent is not None:
                self._sent.models[model] = sent
            self._sent.discard(before)

    def reload(self, model: str, unchanged: Collection[str] = ()) -> None:
        """Load a model again because its files changed. On failure the served versions stay.

        unchanged: versions whose files are those that are served, with the same configuration; they stay open.

        Raises:
            CallError: it cannot be loaded.
        """
        with self._lock:
            served = self._catalogue.served_versions(model)
            self._load(model, None, None, reused={version: served[version] for version in unchanged if version in served})
            notes, self._notes = self._notes, []
        for note in notes:
            log.warning("%s", note)

    def retire(self, model: str) -> None:
        """Stop serving a model whose files were removed."""
        with self._lock:
            self._unload(model)
            self._reasons.clear(model)

    def _check_control(self) -> None:
        """Refuse `load` and `unload` where callers do not decide.

        Raises:
            CallError: the control mode is `none` or `poll`.
        """
        if self._control in ("none", "poll"):
            why = "polling is enabled" if self._control == "poll" else "model control mode is NONE"
            raise CallError(Code.UNAVAILABLE, f"explicit model load / unload is not allowed if {why}")

    def _bring_back(self, model: str) -> None:
        """Load an evicted model again."""
        with self._lock:
            sent = self._sent.models.get(model)
            self._load(model, None, sent)

    def _load(
        self,
        model: str,
        requested: ServingConfig | None,
        sent: UploadedModel | None,
        above: tuple[str, ...] = (),
        reused: Mapping[str, ServedModel] | None = None,
    ) -> None:
        """Load a model. above: the ensembles that it is loaded for. reused: served versions that stay open."""
        found = self._found_for(model, sent)
        if found is None:
            raise CallError(Code.INVALID, f"failed to load '{model}', failed to poll from model repository: no such model")
        fresh: list[ServedModel] = []
        opening = ""
        reused = reused or {}
        before_bytes = rss_bytes()
        try:
            settings = self._settings(model, found, requested, sent)
            config, versions = settings.config, found.versions
            chosen = config.version_policy.choose(sorted(versions, key=version_key))
            if not versions:
                raise InputError(
                    f"{found.folder}: contains no version; add a folder with a number as its name, which holds the model"
                )
            if not chosen:
                raise InputError(settings.source.locate(f"version_policy: selects none of {', '.join(versions)}"))
            for version in config.version_policy.missing(versions):
                text = f"version_policy.specific: version {version} is not there; the others are served"
                self._notes.append(f"model '{model}': {settings.source.locate(text)}")
            try:
                with as_runtime_fault("unexpected exception"):
                    for version in chosen:
                        if version in reused:
                            continue
                        opening = version
                        self._load_parts(versions[version], config, (*above, model))
                        # One by one: versions opened before a failure have to be closed.
                        served = self._opener.open(versions[version], model, version, config)
                        fresh.append(served)
                    opening = ""
                    files_bytes = sum(files_bytes_of(versions[version]) for version in chosen)
            except ModelError:
                raise  # about the file, not about a field of the configuration
            except (InputError, MissingError) as cause:
                raise type(cause)(settings.source.locate(str(cause)) if PATH.match(str(cause)) else str(cause)) from cause
        except (EdgefleetError, OSError) as cause:
            for served in fresh:
                served.engine.close()
            self._reasons.put(model, opening, str(cause))
            raise CallError(Code.INVALID, f"failed to load '{model}': {fault_text(cause)}") from cause
        self._reasons.clear(model)
        self._notes += settings.differences
        stay = [reused[version] for version in chosen if version in reused]
        self._cache.admitted(model, max(rss_bytes() - before_bytes, files_bytes), reused=bool(stay))
        self._switch(model, [*fresh, *stay], config)
        log.info("model %s: versions %s are served%s", model, ", ".join(chosen), "" if sent is None else ", as uploaded")
        self._load_changed_ensembles(model)

    def _load_changed_ensembles(self, model: str) -> None:
        """Load the ensembles again that a model is a step of, where it has other tensors now. One that does not fit any more is
        unavailable until it is loaded again."""
        for name in self._catalogue.names():
            for served in self._catalogue.served_versions(name).values():
                if isinstance(served.engine, EnsemblePool) and model in served.engine.changed_steps():
                    try:
                        self._load(name, served.config, self._sent.models.get(name))
                    except CallError as error:
                        log.warning("model %s: %s", name, error)
                    break

    def _found_for(self, model: str, sent: UploadedModel | None) -> FoundModel | None:
        if sent is not None:
            return FoundModel(sent.folder, dict(sent.versions))
        try:
            return self._folders.find().get(model)
        except UnavailableError as cause:
            raise CallError(Code.UNAVAILABLE, f"failed to load '{model}': {cause}") from cause

    def _settings(
        self, model: str, found: FoundModel, requested: ServingConfig | None, sent: UploadedModel | None
    ) -> ModelSettings:
        given = requested or (sent.config if sent is not None else None)
        if given is None:
            return read_settings(model, found.folder, found.versions)
        if given.name and given.name != model:
            raise InputError(f"parameter 'config': name: '{given.name}' must be the name of the model, '{model}'")
        return from_json(given)

    def _load_parts(self, version: Path, config: ServingConfig, above: tuple[str, ...]) -> None:
        """Load the models of an ensemble's steps that are not served."""
        manifest = ensemble_of(version, config)
        for step in manifest.ensemble.step if manifest is not None else ():
            if step.model in above:
                raise InputError(f"ensemble_scheduling: '{step.model}' cannot be a step of itself")
            if not self._catalogue.versions(step.model) and self._found_for(step.model, self._sent.models.get(step.model)):
                self._load(step.model, None, self._sent.models.get(step.model), above)

    def _switch(self, model: str, fresh: list[ServedModel], config: ServingConfig) -> None:
        """Serve these versions instead of those before."""
        self._retire(self._catalogue.replace(model, fresh))
        for suffix, fronts in self._opener.fronts(fresh).items():
            self._retire(self._catalogue.replace(model + suffix, fronts))
        shares = config.split or self._splits.get(model, {})
        served = self._catalogue.versions(model)
        self._catalogue.set_split(model, {version: share for version, share in shares.items() if version in served})
        self._make_room(model)

    def unload(self, model: str, *, dependents: bool = False) -> None:
        """Unload a model; queued requests are still answered. dependents: unload the models of an ensemble's steps, too, except
        those that were loaded by their own name.

        Raises:
            CallError: the model is unknown.
        """
        self._check_control()
        with self._lock:
            if not self._catalogue.versions(model) and model not in self._found():
                raise CallError(Code.INVALID, f"failed to unload '{model}': no such model")
            parts = models_of(self._catalogue, model) if dependents else set()
            self._unload(model)
            for name in sorted(parts - self._explicit):
                self._unload(name)

    def _unload(self, model: str) -> None:
        self._explicit.discard(model)
        self._reasons.put(model, "", UNLOADED)
        self._cache.evicted(model, comes_back=False)
        self._retire([old for each in _with_fronts(model) for old in self._catalogue.replace(each, [])])
        self._sent.discard(self._sent.models.pop(model, None))

    def _make_room(self, arrived: str) -> None:
        """Evict the least recently called models until all fit. Models of ensembles' steps and busy models stay."""
        needed = {step for name in self._catalogue.names() for step in models_of(self._catalogue, name) if step != name}
        called_ms: dict[str, int] = {}
        for name in self._catalogue.names():
            served = [self._catalogue.find(name, version) for version in self._catalogue.versions(name)]
            if name not in needed and not any(each.engine.pending for each in served):
                called_ms[name] = max(each.statistics.last_inference_ms for each in served)
        for model in self._cache.choose_evictions(arrived, called_ms):
            self._cache.evicted(model, comes_back=True)
            self._reasons.put(model, "", REASON, self._catalogue.versions(model))
            self._retire([old for each in _with_fronts(model) for old in self._catalogue.replace(each, [])])
            log.info("model %s: %s", model, REASON)

    def _retire(self, old: list[ServedModel]) -> None:
        for served in old:
            threading.Thread(target=_close, args=(served,), name=f"retire:{served.signature.model}", daemon=True).start()

    def close(self) -> None:
        """Remove uploaded files. Close the catalogue first."""
        self._sent.close()

    def found(self) -> dict[str, FoundModel]:
        """The models on disk.

        Raises:
            UnavailableError: a folder cannot be read.
        """
        return self._folders.find()

    def _found(self) -> dict[str, FoundModel]:
        """The models on disk, overridden by uploaded ones."""
        sent = {name: FoundModel(each.folder, dict(each.versions)) for name, each in self._sent.models.items()}
        return {**self._folders.find(), **sent}


def _close(served: ServedModel) -> None:
    served.engine.close()
    malloc_trim()


def _with_fronts(model: str) -> tuple[str, ...]:
    return (model, *(model + suffix for suffix in FRONTS))
