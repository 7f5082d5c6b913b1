"""Opens a version of a model: a bare file, a package with its additional models, or an ensemble."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.ensemble_plan import configured_ensemble, ensemble_scheduling_to_json, plan_ensemble
from edgefleet_agent.serving.engine.ensembles import EnsemblePool
from edgefleet_agent.serving.engine.media_calls import CLIP_SUFFIX, FRONTS, SUFFIX
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.models.model_loader import open_served
from edgefleet_agent.serving.models.model_settings import ensemble_of
from edgefleet_agent.serving.models.model_source import LoadTarget, configured_labels, model_folder
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_contract.core.errors import InputError


class VersionOpener:
    """Opens versions for `catalogue`, whose models are the steps of ensembles, on `device`."""

    def __init__(self, catalogue: ModelRegistry, device: LoadTarget) -> None:
        self._catalogue = catalogue
        self._device = device

    def open(self, folder: Path, model: str, version: str, settings: ServingConfig) -> ServedModel:
        """Open a version, which is not in the catalogue yet.

        Raises:
            EdgefleetError: it cannot be opened.
        """
        manifest = ensemble_of(folder, settings)
        if manifest is None:
            return open_served(folder, model, version, self._device, settings)

        def lookup(step: str, step_version: str) -> TensorSignature:
            if step == model or model in models_of(self._catalogue, step):
                raise InputError(f"ensemble: '{model}' cannot be a step of itself")
            served = self._catalogue.find(step, step_version)
            if served.decoupled:
                raise InputError(f"ensemble: '{step}' returns several responses per request; a step must return one")
            return served.signature

        plan = plan_ensemble(manifest, model, version, lookup)
        signature = configured_ensemble(plan.signature, settings, configured_labels(model_folder(folder), settings))
        plan = replace(plan, signature=signature)
        pool = EnsemblePool(plan, self._catalogue)
        return ServedModel(pool, settings, extra_config=ensemble_scheduling_to_json(plan), lacks=pool.lacks)

    def fronts(self, fresh: list[ServedModel]) -> dict[str, list[ServedModel]]:
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


def files_bytes_of(version: Path) -> int:
    """Size of the files of a version: of its folder, or of its model file."""
    files = version.iterdir() if version.is_dir() else [version]
    return sum(file.stat().st_size for file in files if file.is_file())


def models_of(catalogue: ModelRegistry, model: str) -> set[str]:
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
