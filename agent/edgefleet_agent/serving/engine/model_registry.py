"""The served models by name and version. All listeners find models here."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from edgefleet_agent.serving.config.config_json import config_to_json, metadata_to_json
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.config.traffic_split import TrafficSplit
from edgefleet_agent.serving.engine.dynamic_batcher import Done, QueuedRequest
from edgefleet_agent.serving.engine.media_calls import FRONTS
from edgefleet_agent.serving.engine.model_availability import ModelAvailability, contained
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_contract.package.manifest import Manifest, Variant

log = logging.getLogger(__name__)


class ModelPool(Protocol):
    """Computes the requests of one version: a pool of sessions, or the thread of a camera's slot."""

    @property
    def instances(self) -> int: ...

    @property
    def signature(self) -> TensorSignature: ...

    @property
    def statistics(self) -> Statistics: ...

    @property
    def pending(self) -> int: ...

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None: ...

    def close(self) -> None: ...


VERSION_DIGITS_MAX = 18
STREAMS = "ModelStreamInfer or generate_stream"


class ServedModel:
    """One served version of a model. extra_config: additional fields of its configuration. package: None for a bare model file.
    decoupled: it gives any number of answers to a request (`InferenceRequest.send_part`). device: of sessions for which the
    configuration names none; empty for the CPU. lacks: what a model that calls others waits for; empty while they answer."""

    def __init__(
        self,
        engine: ModelPool,
        config: ServingConfig,
        load_s: float = 0.0,
        extra_config: Mapping[str, Any] | None = None,
        lacks: Callable[[], str] | None = None,
    ) -> None:
        self._lacks = lacks
        self._extra_config = extra_config or {}
        self.package: tuple[Manifest, Variant] | None = None
        self.decoupled = False
        self.device = ""
        self.engine = engine
        self.config = config
        self.load_s = load_s
        self.availability = ModelAvailability(config.faults_max)

    @property
    def signature(self) -> TensorSignature:
        """Inputs and outputs of this version."""
        return self.engine.signature

    @property
    def statistics(self) -> Statistics:
        """Statistics of this version."""
        return self.engine.statistics

    @property
    def unavailable(self) -> str:
        """The reason why this version does not answer now, as in "model 'm' is ..."; empty while it does."""
        return self.availability.reason or (self._lacks() if self._lacks is not None else "")

    def submit(self, call: InferenceRequest, done: Done) -> None:
        """Compute a request. `done` is called once, possibly before this returns, possibly on another thread.

        Raises:
            CallError: the request does not fit the model, its queue is full, or it is out of service; `done` is not called then.
        """
        arrived_ns = time.monotonic_ns()
        engine = self.engine
        signature = engine.signature
        try:
            if self.availability.reason:
                self.availability.admit(signature.model, arrived_ns / 1e9)
            if self.decoupled and call.send_part is None:
                raise CallError(Code.UNSUPPORTED, f"model '{signature.model}' returns several responses: use {STREAMS}")
            template = call.template
            if template is not None and template.signature is signature:
                rows, shapes = template.rows, template.row_shapes
            else:
                rows, shapes = signature.rows(call.inputs), None
                signature.select_outputs(call)
            request = QueuedRequest(call.inputs, rows, contained(done, self.availability), arrived_ns, shapes)
            request.sequence, request.parameters, request.trace = call.sequence, call.parameters, call.trace
            request.send_part, request.at_turn_end = call.send_part, call.at_turn_end
            if call.sequence is None:  # a sequence's state needs every one of its steps
                request.is_cancelled = call.is_cancelled
            engine.put(request, call.priority, call.timeout_us)
        except CallError as error:
            reason = "REJECTED" if error.code is Code.UNAVAILABLE else "OTHER"
            self.statistics.rejected(reason)
            raise

    def config_to_json(self) -> dict[str, Any]:
        """`ModelConfig` as JSON."""
        return {**config_to_json(self.signature, self.config, self.engine.instances, self.device), **self._extra_config}


def index_rows(served: Iterable[ServedModel], *, ready: bool) -> list[dict[str, str]]:
    """The rows of the repository index for served versions. ready: without those that are unavailable."""
    found = [(each.signature, each.unavailable) for each in served]
    return [
        {"name": each.model, "version": each.version, "state": "UNAVAILABLE" if reason else "READY", "reason": reason}
        for each, reason in found
        if not (ready and reason)
    ]


def version_key(version: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of versions: 1 < 2 < 10 < 1.0.0; parts that are not numbers come first."""
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in version.replace("-", ".").split("."))


class Repository(Protocol):
    """Loads and unloads models on request of callers."""

    def index(self, *, ready: bool) -> list[dict[str, str]]: ...

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None: ...

    def unload(self, model: str, *, dependents: bool = False) -> None: ...


class ModelRegistry:
    """Models by name and version. Reading takes no lock: the dictionaries are replaced, never changed."""

    def __init__(self) -> None:
        self._models: dict[str, dict[str, ServedModel]] = {}
        self._splits: dict[str, TrafficSplit] = {}
        self.keep_split: Callable[[str, Mapping[str, int]], None] | None = None
        self.on_unknown: Callable[[str], None] | None = None
        self.fault_of: Callable[[str], str] | None = None
        self._lock = threading.Lock()
        self._splitting = threading.Lock()

    def find(self, model: str, version: str = "") -> ServedModel:
        """The served model of a version; of the newest one if `version` is empty.

        Raises:
            CallError: there is no such model or version.
        """
        versions = self._models.get(model)
        if versions and not version:
            return next(reversed(versions.values()))
        if not versions:
            if self.on_unknown is not None:
                self.on_unknown(model)  # raises if the model was evicted and is being loaded
            fault = self.fault_of(model) if self.fault_of is not None else ""
            why = f"; failed to load: {fault}" if fault else ""
            raise CallError(Code.NOT_FOUND, f"Request for unknown model: '{model}' is not found{why}")
        if version not in versions:
            if version.isascii() and version.isdecimal():
                if len(version) > VERSION_DIGITS_MAX:
                    raise invalid(f"failed to get model version from specified version string '{version[:40]}'")
                if str(int(version)) in versions:  # Triton reads versions as numbers
                    return versions[str(int(version))]
            raise CallError(
                Code.NOT_FOUND,
                f"Request for unknown model: '{model}' version {version} is not found; available are {list(versions)}",
            )
        return versions[version]

    def route(self, model: str, version: str = "", sequence: int | str | None = None) -> ServedModel:
        """The version that computes a call: the requested one, or one by traffic split.

        Raises:
            CallError: there is no such model or version.
        """
        split = None if version or not self._splits else self._splits.get(model)
        if split is None:
            return self.find(model, version)
        chosen = split.choose() if sequence is None else split.choose_for(sequence)
        # The share of a version that is no longer served goes to the newest.
        return self._models.get(model, {}).get(chosen) or self.find(model)

    def rerouted(self, served: ServedModel, version: str, call: InferenceRequest) -> ServedModel:
        """`served`, or the version of the call's sequence if the model has a traffic split."""
        if call.sequence is None or version or served.signature.model not in self._splits:
            return served
        return self.route(served.signature.model, "", call.sequence.id)

    def split_weights(self, model: str) -> dict[str, int]:
        """The shares of a model's versions; empty if the newest has all.

        Raises:
            CallError: there is no such model.
        """
        self.find(model)
        split = self._splits.get(model)
        return dict(split.weights) if split is not None else {}

    def set_split(self, model: str, weights: Mapping[str, object]) -> None:
        """Change the shares from the next call on; empty: the newest version has all.

        Raises:
            CallError: an unknown model or version, shares that are not valid, or a failure to store them.
        """
        for version in weights:
            self.find(model, version)
        split = TrafficSplit(weights) if weights else None
        with self._splitting:  # the stored split and the active one stay equal
            if self.keep_split is not None:
                self.keep_split(model, split.weights if split is not None else {})
            self._switch_split(model, split)

    def plan_splits(self, planned: Mapping[str, Mapping[str, object]]) -> None:
        """Set shares that apply as soon as their versions are served; until then the newest version has them.

        Raises:
            CallError: shares are not valid.
        """
        for model, weights in planned.items():
            self._switch_split(model, TrafficSplit(weights) if weights else None)

    def _switch_split(self, model: str, split: TrafficSplit | None) -> None:
        """Switch the split of a package and of its image and video models, each with its own counters."""
        with self._lock:
            names = (model,) if model.endswith(FRONTS) else (model, *(model + suffix for suffix in FRONTS))
            splits = {name: known for name, known in self._splits.items() if name not in names}
            self._splits = splits if split is None else {**splits, **{name: TrafficSplit(split.weights) for name in names}}

    def versions(self, model: str) -> list[str]:
        """The served versions of a model, oldest first."""
        return list(self._models.get(model, {}))

    def served_versions(self, model: str) -> Mapping[str, ServedModel]:
        """The served versions of a model by their names, oldest first."""
        return self._models.get(model, {})

    def served(self, model: str, version: str = "") -> ServedModel | None:
        """The served model of a version, of the newest one if `version` is empty; None if there is none. Unlike `find`, it loads
        no evicted model."""
        versions = self._models.get(model, {})
        return versions.get(version) if version else next(reversed(versions.values()), None)

    def lacking(self, model: str, version: str = "") -> str:
        """The reason why a model that another one calls does not answer now, as `unavailable`; empty while it does."""
        served = self.served(model, version)
        reason = "not served" if served is None else served.unavailable
        of = f" version {version}" if version and model in self._models else ""
        return f"waiting for '{model}'{of}, which is {reason}" if reason else ""

    def names(self) -> list[str]:
        """The served models."""
        return list(self._models)

    def all(self) -> list[ServedModel]:
        """All served versions of all models."""
        return [served for versions in self._models.values() for served in versions.values()]

    def replace(self, model: str, versions: list[ServedModel]) -> list[ServedModel]:
        """Serve exactly these versions under the name from the next call on. Returns the replaced ones, to be closed."""
        fresh = {served.signature.version: served for served in versions}
        with self._lock:
            before = self._models.get(model, {})
            models = {name: known for name, known in self._models.items() if name != model}
            if fresh:
                models[model] = dict(sorted(fresh.items(), key=lambda item: version_key(item[0])))
            self._models = models
        return [served for served in before.values() if served not in versions]

    def submit(self, served: ServedModel, version: str, call: InferenceRequest, done: Done) -> None:
        """Submit a request to `served`, or to its successor for the requested `version` if it was replaced meanwhile.

        Raises:
            CallError: the request does not fit, the queue is full, or the model is no longer served.
        """
        try:
            if call.sequence is not None:
                served = self.rerouted(served, version, call)
            served.submit(call, done)
        except CallError as error:
            model = served.signature.model
            now = self._models.get(model, {})
            if error.code is not Code.UNAVAILABLE or served in now.values() or not now:
                raise
            self.find(model, version).submit(call, done)

    def metadata_to_json(self, model: str, version: str = "") -> dict[str, Any]:
        """The model metadata of the protocol.

        Raises:
            CallError: there is no such model or version.
        """
        return metadata_to_json(self.find(model, version).signature, self.versions(model))

    def close(self) -> None:
        """Close all models."""
        for model in list(self._models):
            for served in self.replace(model, []):
                served.engine.close()
