"""Repository of models in folders.

A model is a folder of versions; a version is a package (`model.toml`) or holds a bare model file (`model.onnx`, `model.tflite`,
`model.xml`). `serving.toml` beside the versions configures serving, with Triton's names (see `config.model_config`):

    models/part_inspector/serving.toml
    models/part_inspector/1.0.0/model.toml, inspector.tflite
    models/part_inspector/1.1.0/model.toml, inspector.tflite

A folder with a `model.toml` is one version of the model of that name. Callers refer to models by name, never by path.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.core.malloc import malloc_trim
from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.config.model_config import ServingConfig, config_from_plain, read_config
from edgefleet_agent.serving.engine.ensemble_plan import ensemble_scheduling_to_json, plan_ensemble
from edgefleet_agent.serving.engine.ensembles import EnsemblePool
from edgefleet_agent.serving.engine.media_calls import CLIP_SUFFIX, FRONTS, SUFFIX
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel, index_rows, version_key
from edgefleet_agent.serving.models.memory_eviction import REASON, ModelCache
from edgefleet_agent.serving.models.model_loader import BARE, NAME, TEXT_BYTES_MAX, LoadTarget, open_served, read_package
from edgefleet_agent.serving.models.uploaded_models import UploadedModel, UploadedModels
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import EdgefleetError, InputError, ManifestError
from edgefleet_contract.encoding import toml
from edgefleet_contract.package.ensemble import EnsembleManifest, read_ensemble
from edgefleet_contract.package.manifest import MANIFEST_FILE

log = logging.getLogger(__name__)

CONFIG_FILE = "serving.toml"
ENTRIES_MAX = 1000
"""Limit of models in a repository, and of versions of a model; further ones are ignored."""


class FolderRepository:
    """Loads models from folders into a catalogue. One `load` or `unload` at a time; requests continue meanwhile.

    memory_bytes: limit of all models together, 0 for no limit; the least recently called models are evicted. splits: model ->
    version -> share, if `serving.toml` has none. sent_bytes: limit of uploaded files; 0: uploads are refused.

    Raises:
        InputError: a folder does not exist.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        catalogue: ModelRegistry,
        device: LoadTarget,
        memory_bytes: int = 0,
        splits: Mapping[str, Mapping[str, int]] | None = None,
        sent_bytes: int = 0,
    ) -> None:
        self._catalogue = catalogue
        self._device = device
        self._lock = threading.Lock()
        self._roots = [folder.resolve() for folder in folders]
        self._splits = splits or {}
        self._reasons: dict[str, str] = {}
        self._sent = UploadedModels(sent_bytes)
        self._cache = ModelCache(memory_bytes)
        if memory_bytes:
            catalogue.on_unknown = lambda model: self._cache.reload(model, self._bring_back)
        for root in self._roots:
            if not root.is_dir():
                raise InputError(f"{root}: no such folder; specify a folder with models or a {MANIFEST_FILE}")

    def load_all(self) -> list[str]:
        """Load every model. Returns one line for each folder that holds none or could not be loaded; the others are served.

        Raises:
            InputError: the folders hold no model.
        """
        names = list(self._found())
        if not names:
            raise InputError(f"no model in {', '.join(map(str, self._roots))}; add NAME/VERSION/{MANIFEST_FILE}")
        # Ensembles last, and again while one more could be loaded: they need other models.
        joined = [name for name, versions in self._found().items() if any(map(_ensemble_there, versions.values()))]
        faults = {name: self._fault(name) for name in names if name not in joined}
        while joined:
            tried = {name: self._fault(name) for name in joined}
            left = [name for name in joined if tried[name]]
            faults.update(tried)
            if left == joined:
                break
            joined = left
        return [*self._ignored(), *(faults[name] for name in names if faults[name])]

    def _ignored(self) -> list[str]:
        """One line for each folder of a repository that is no model; hidden ones are left out."""
        lines: list[str] = []
        for root in self._roots:
            if (root / MANIFEST_FILE).is_file() or any(_is_version(folder) for folder in _folders(root)):
                continue
            for folder in sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))[
                :ENTRIES_MAX
            ]:
                if not NAME.fullmatch(folder.name):
                    lines.append(f"{folder} is not served: a model name must be up to 64 letters, digits, '_', '-' and '.'")
                elif not any(_is_version(version) for version in _folders(folder)):
                    lines.append(f"{folder} is not served: it contains no VERSION/{MANIFEST_FILE} and no VERSION/model file")
        return lines

    def _fault(self, model: str) -> str:
        try:
            self.load(model)
        except CallError as error:
            return str(error)
        return ""

    def index(self, *, ready: bool) -> list[dict[str, str]]:
        """All versions, on disk or served, with their states."""
        rows: list[dict[str, str]] = []
        for name, versions in self._found().items():
            served = self._catalogue.served_versions(name)
            for version in sorted({*versions, *served}, key=version_key):
                if version in served:
                    rows += index_rows([served[version]], ready=ready)
                elif not ready:
                    rows.append(
                        {"name": name, "version": version, "state": "UNAVAILABLE", "reason": self._reasons.get(name, "unloaded")}
                    )
        fronts = [each for each in self._catalogue.all() if each.signature.model.endswith(FRONTS)]
        return [*rows, *index_rows(fronts, ready=ready)]

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None:
        """Load, or reload, the versions that the policy chooses, then switch to them. On failure the served versions stay.

        config: JSON, instead of `serving.toml`. files: `VERSION/NAME` -> content, instead of the repository's; the next `load`
        without files returns to those.

        Raises:
            CallError: an unknown model, a configuration that is not valid, files that are refused, or a version that cannot be
                loaded.
        """
        requested = read_config(config) if config is not None else None
        with self._lock:
            before = self._sent.models.get(model)
            sent = self._sent.take(model, files, requested) if files else None
            try:
                self._load(model, requested, sent)
            except CallError:
                self._sent.discard(sent)
                raise
            self._sent.models.pop(model, None)
            if sent is not None:
                self._sent.models[model] = sent
            self._sent.discard(before)

    def _bring_back(self, model: str) -> None:
        """Load an evicted model again."""
        with self._lock:
            sent = self._sent.models.get(model)
            self._load(model, None, sent)

    def _load(self, model: str, requested: ServingConfig | None, sent: UploadedModel | None) -> None:
        versions = sent.versions if sent is not None else self._on_disk().get(model, {})
        if not versions:
            raise CallError(Code.INVALID, f"failed to load '{model}', failed to poll from model repository: no such model")
        fresh: list[ServedModel] = []
        before_bytes = rss_bytes()
        try:
            settings = requested or (sent.config if sent is not None else _read_settings(next(iter(versions.values())).parent))
            chosen = settings.version_policy.choose(sorted(versions, key=version_key))
            if not chosen:
                raise InputError(f"the version policy selects none of {', '.join(versions)}")
            with as_runtime_fault("unexpected exception"):
                # One by one: versions opened before a failure have to be closed.
                fresh.extend(self._open(versions[version], model, version, settings) for version in chosen)
                files_bytes = sum(
                    file.stat().st_size for version in chosen for file in versions[version].iterdir() if file.is_file()
                )
        except EdgefleetError as cause:
            for served in fresh:
                served.engine.close()
            self._reasons[model] = str(cause)
            raise CallError(Code.INVALID, f"failed to load '{model}': {cause}") from cause
        self._reasons.pop(model, None)
        self._cache.admitted(model, max(rss_bytes() - before_bytes, files_bytes))
        self._retire(self._catalogue.replace(model, fresh))
        for suffix, fronts in self._fronts(fresh).items():
            self._retire(self._catalogue.replace(model + suffix, fronts))
        shares = settings.split or self._splits.get(model, {})
        self._catalogue.set_split(model, {version: share for version, share in shares.items() if version in chosen})
        self._make_room(model)
        log.info("model %s: versions %s are served%s", model, ", ".join(chosen), "" if sent is None else ", as uploaded")

    def unload(self, model: str, *, dependents: bool = False) -> None:
        """Unload a model; queued requests are still answered. dependents: unload the models of an ensemble's steps, too.

        Raises:
            CallError: the model is unknown.
        """
        with self._lock:
            if model not in self._found():
                raise CallError(Code.INVALID, f"failed to unload '{model}': no such model")
            for name in (model, *(sorted(_models_of(self._catalogue, model)) if dependents else ())):
                self._reasons[name] = "unloaded"
                self._cache.evicted(name, comes_back=False)
                self._retire([old for each in _with_fronts(name) for old in self._catalogue.replace(each, [])])
                self._sent.discard(self._sent.models.pop(name, None))

    def _make_room(self, arrived: str) -> None:
        """Evict the least recently called models until all fit. Models of ensembles' steps and busy models stay."""
        needed = {step for name in self._catalogue.names() for step in _models_of(self._catalogue, name) if step != name}
        called_ms: dict[str, int] = {}
        for name in self._catalogue.names():
            served = [self._catalogue.find(name, version) for version in self._catalogue.versions(name)]
            if name not in needed and not any(each.engine.pending for each in served):
                called_ms[name] = max(each.statistics.last_inference_ms for each in served)
        for model in self._cache.choose_evictions(arrived, called_ms):
            self._cache.evicted(model, comes_back=True)
            self._reasons[model] = REASON
            self._retire([old for each in _with_fronts(model) for old in self._catalogue.replace(each, [])])
            log.info("model %s: %s", model, REASON)

    def _open(self, folder: Path, model: str, version: str, settings: ServingConfig) -> ServedModel:
        manifest = _ensemble(folder)
        if manifest is None:
            return open_served(folder, model, version, self._device, settings)

        def lookup(step: str, step_version: str) -> TensorSignature:
            if step == model or model in _models_of(self._catalogue, step):
                raise InputError(f"ensemble: '{model}' cannot be a step of itself")
            served = self._catalogue.find(step, step_version)
            if served.decoupled:
                raise InputError(f"ensemble: '{step}' returns several responses per request; a step must return one")
            return served.signature

        plan = plan_ensemble(manifest, model, version, lookup)
        return ServedModel(EnsemblePool(plan, self._catalogue), settings, extra_config=ensemble_scheduling_to_json(plan))

    def _fronts(self, fresh: list[ServedModel]) -> dict[str, list[ServedModel]]:
        """The additional models of packages, by suffix."""
        fronts: dict[str, list[ServedModel]] = {suffix: [] for suffix in FRONTS}
        packages = [served for served in fresh if served.package is not None]
        if packages:
            # OpenCV and FFmpeg are loaded only if packages are served.
            from edgefleet_agent.serving.engine.picture_models import picture_front, picture_model
            from edgefleet_agent.serving.engine.video_models import clip_front

            for served in packages:
                if (model := picture_model(served)) is not None:
                    fronts[SUFFIX].append(picture_front(served, model, self._catalogue))
                    fronts[CLIP_SUFFIX].append(clip_front(served, model, self._catalogue))
        return fronts

    def _retire(self, old: list[ServedModel]) -> None:
        for served in old:
            threading.Thread(target=_close, args=(served,), name=f"retire:{served.signature.model}", daemon=True).start()

    def close(self) -> None:
        """Remove uploaded files. Close the catalogue first."""
        self._sent.close()

    def _found(self) -> dict[str, Mapping[str, Path]]:
        """Model -> version -> folder: models on disk, overridden by uploaded ones."""
        return {**self._on_disk(), **{name: sent.versions for name, sent in self._sent.models.items()}}

    def _on_disk(self) -> dict[str, dict[str, Path]]:
        found: dict[str, dict[str, Path]] = {}
        for root in self._roots:
            if (root / MANIFEST_FILE).is_file():
                manifest = read_package(root)
                found.setdefault(manifest.name, {})[manifest.version] = root
                continue
            if root.name and any(_is_version(folder) for folder in _folders(root)):
                found.setdefault(root.name, {}).update({path.name: path for path in _folders(root) if _is_version(path)})
                continue
            for model in _folders(root):
                versions = {version.name: version for version in _folders(model) if _is_version(version)}
                if versions:
                    found.setdefault(model.name, {}).update(versions)
        return found


def _close(served: ServedModel) -> None:
    served.engine.close()
    malloc_trim()


def _with_fronts(model: str) -> tuple[str, ...]:
    return (model, *(model + suffix for suffix in FRONTS))


def _folders(folder: Path) -> list[Path]:
    named = (path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_dir())
    return sorted(named)[:ENTRIES_MAX]


def _is_version(folder: Path) -> bool:
    return (folder / MANIFEST_FILE).is_file() or any(path.suffix in BARE for path in folder.iterdir())


def _ensemble(folder: Path) -> EnsembleManifest | None:
    file = folder / MANIFEST_FILE
    text = read_if_there(file, TEXT_BYTES_MAX)
    return None if text is None else read_ensemble(text.decode(errors="replace"), str(file))


def _ensemble_there(folder: Path) -> bool:
    try:
        return _ensemble(folder) is not None
    except ManifestError:
        return False  # reported when it is loaded


def _models_of(catalogue: ModelRegistry, model: str) -> set[str]:
    """All models that the calls of an ensemble go through, without itself."""
    found: set[str] = set()
    waiting = [model]
    while waiting:
        name = waiting.pop()
        for version in catalogue.versions(name):
            engine = catalogue.find(name, version).engine
            if isinstance(engine, EnsemblePool):
                fresh = {step.model for step in engine.plan.steps} - found
                found |= fresh
                waiting += fresh
    return found


def _read_settings(model: Path) -> ServingConfig:
    text = read_if_there(model / CONFIG_FILE, TEXT_BYTES_MAX)
    if text is None:
        return ServingConfig()
    try:
        return config_from_plain(toml.parse(text.decode(errors="replace"), str(model / CONFIG_FILE)))
    except msgspec.ValidationError as cause:
        raise InputError(f"{model / CONFIG_FILE}: {cause}") from cause
