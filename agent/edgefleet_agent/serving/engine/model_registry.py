"""The models that can be called now, by name and version. Everything that answers calls looks here first."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from edgefleet_agent.serving.config.model_config import ServingConfig, tell_config, tell_metadata
from edgefleet_agent.serving.config.traffic_split import TrafficSplit
from edgefleet_agent.serving.engine.dynamic_batcher import Answer, Done, QueuedRequest
from edgefleet_agent.serving.engine.media_calls import FRONTS
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_contract.package.manifest import Manifest, Variant

log = logging.getLogger(__name__)


class ModelPool(Protocol):
    """Where the requests of one version are computed: a pool of its own, or the lane of a camera's slot."""

    @property
    def instances(self) -> int: ...

    @property
    def signature(self) -> TensorSignature: ...

    @property
    def statistics(self) -> Statistics: ...

    @property
    def pending(self) -> int: ...

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None: ...

    def close(self) -> None: ...


STREAMS = "ModelStreamInfer or generate_stream"


class ServedModel:
    """One version of one model, being served. told: what its configuration says beside `config`. package: where it is one.
    decoupled: it gives any number of answers to a request (`Call.more`)."""

    def __init__(
        self, engine: ModelPool, config: ServingConfig, load_s: float = 0.0, told: Mapping[str, Any] | None = None
    ) -> None:
        self._told = told or {}
        self.package: tuple[Manifest, Variant] | None = None
        self.decoupled = False
        self.engine = engine
        self.config = config
        self.load_s = load_s

    @property
    def signature(self) -> TensorSignature:
        """What it takes and gives."""
        return self.engine.signature

    @property
    def statistics(self) -> Statistics:
        """What it has done."""
        return self.engine.statistics

    def submit(self, call: InferenceRequest, done: Done) -> None:
        """Compute a call. `done` is called once, maybe before this returns, maybe on another thread.

        Raises:
            CallError: the call does not fit the model, or its queue is full; `done` is not called then.
        """
        arrived_ns = time.monotonic_ns()
        signature = self.engine.signature
        try:
            if self.decoupled and call.more is None:
                raise CallError(Code.UNSUPPORTED, f"model '{signature.model}' gives several answers: use {STREAMS}")
            if call.plan is not None and call.plan.signature is signature:
                rows = call.plan.rows
            else:
                rows = signature.rows(call.inputs)
                signature.wished(call)
            ticket = QueuedRequest(call.inputs, rows, _contained(done), arrived_ns)
            ticket.sequence, ticket.parameters, ticket.trace, ticket.more = call.sequence, call.parameters, call.trace, call.more
            ticket.gone = call.gone if call.sequence is None else None  # a sequence's state needs every one of its steps
            self.engine.put(ticket, call.priority, call.timeout_us)
        except CallError as error:
            reason = "REJECTED" if error.code is Code.UNAVAILABLE else "OTHER"
            self.statistics.turned_away(reason)
            raise

    def tell_config(self) -> dict[str, Any]:
        """`ModelConfig` as JSON."""
        return {**tell_config(self.signature, self.config, self.engine.instances), **self._told}


def _contained(done: Done) -> Done:
    """A way back whose own fault is an error of its call: the thread that answers has other calls to answer."""

    def contained(answer: Answer, signature: TensorSignature) -> None:
        try:
            done(answer, signature)
        except Exception:
            log.exception("an answer of model '%s' could not be told", signature.model)
            if not isinstance(answer, CallError):
                contained(internal_fault(), signature)

    return contained


def version_key(version: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts 1 < 2 < 10 < 1.0.0 ... as people mean it; parts that are not numbers come first."""
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in version.replace("-", ".").split("."))


class Repository(Protocol):
    """Where models come from when a caller asks for one."""

    def index(self, *, ready: bool) -> list[dict[str, str]]: ...

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None: ...

    def unload(self, model: str, *, dependents: bool = False) -> None: ...


class ModelRegistry:
    """Models by name, versions by number. Reading takes no lock: what is read is replaced, never changed."""

    def __init__(self) -> None:
        self._models: dict[str, dict[str, ServedModel]] = {}
        self._splits: dict[str, TrafficSplit] = {}
        self.keep_split: Callable[[str, Mapping[str, int]], None] | None = None
        self.on_unknown: Callable[[str], None] | None = None
        self._lock = threading.Lock()
        self._splitting = threading.Lock()

    def find(self, model: str, version: str = "") -> ServedModel:
        """The version, or the newest one where none is named.

        Raises:
            CallError: there is no such model or version.
        """
        versions = self._models.get(model)
        if not versions:
            if self.on_unknown is not None:
                self.on_unknown(model)  # raises where it is only away
            raise CallError(Code.NOT_FOUND, f"Request for unknown model: '{model}' is not found")
        if not version:
            return next(reversed(versions.values()))
        if version not in versions:
            raise CallError(
                Code.NOT_FOUND,
                f"Request for unknown model: '{model}' version {version} is not found; there are {list(versions)}",
            )
        return versions[version]

    def route(self, model: str, version: str = "", sequence: int | str | None = None) -> ServedModel:
        """The version that computes a call: the one it names, or the one whose turn it is. Raises as `find`."""
        split = None if version else self._splits.get(model)
        if split is None:
            return self.find(model, version)
        chosen = split.choose() if sequence is None else split.choose_for(sequence)
        # A version that is served no more leaves its share to the newest.
        return self._models.get(model, {}).get(chosen) or self.find(model)

    def rerouted(self, served: ServedModel, version: str, call: InferenceRequest) -> ServedModel:
        """`served` itself, but for a call of a sequence whose calls go to another version."""
        if call.sequence is None or version or served.signature.model not in self._splits:
            return served
        return self.route(served.signature.model, "", call.sequence.id)

    def tell_split(self, model: str) -> dict[str, int]:
        """The shares of a model's versions; empty where the newest has all. Raises as `find`."""
        self.find(model)
        split = self._splits.get(model)
        return dict(split.weights) if split is not None else {}

    def set_split(self, model: str, weights: Mapping[str, object]) -> None:
        """Change the shares, from the next call on; none: the newest has all.

        Raises:
            CallError: no such model or version, not shares, or they cannot be kept.
        """
        for version in weights:
            self.find(model, version)
        split = TrafficSplit(weights) if weights else None
        with self._splitting:  # what is kept last shall be what holds
            if self.keep_split is not None:
                self.keep_split(model, split.weights if split is not None else {})
            self._switch_split(model, split)

    def plan_splits(self, planned: Mapping[str, Mapping[str, object]]) -> None:
        """Shares that hold from the moment their versions are served; a version that is not there leaves its share to the newest.

        Raises:
            CallError: not shares.
        """
        for model, weights in planned.items():
            self._switch_split(model, TrafficSplit(weights) if weights else None)

    def _switch_split(self, model: str, split: TrafficSplit | None) -> None:
        """Of a package and of its forms that take pictures and clips, each with a count of its own."""
        with self._lock:
            names = (model,) if model.endswith(FRONTS) else (model, *(model + suffix for suffix in FRONTS))
            splits = {name: known for name, known in self._splits.items() if name not in names}
            self._splits = splits if split is None else {**splits, **{name: TrafficSplit(split.weights) for name in names}}

    def versions(self, model: str) -> list[str]:
        """The versions of a model that can be called, oldest first."""
        return list(self._models.get(model, {}))

    def names(self) -> list[str]:
        """The models that can be called."""
        return list(self._models)

    def all(self) -> list[ServedModel]:
        """Everything that can be called."""
        return [served for versions in self._models.values() for served in versions.values()]

    def replace(self, model: str, versions: list[ServedModel]) -> list[ServedModel]:
        """Serve exactly these versions under the name, from the next call on. The ones that are served no more: close them."""
        fresh = {served.signature.version: served for served in versions}
        with self._lock:
            before = self._models.get(model, {})
            models = {name: known for name, known in self._models.items() if name != model}
            if fresh:
                models[model] = dict(sorted(fresh.items(), key=lambda item: version_key(item[0])))
            self._models = models
        return [served for served in before.values() if served not in versions]

    def submit(self, served: ServedModel, version: str, call: InferenceRequest, done: Done) -> None:
        """`served.submit`; where it has been replaced since it was found, by what `version` (as asked) is now.

        Raises:
            CallError: as that, or as `find`.
        """
        try:
            self.rerouted(served, version, call).submit(call, done)
        except CallError as error:
            model = served.signature.model
            now = self._models.get(model, {})
            if error.code is not Code.UNAVAILABLE or served in now.values() or not now:
                raise
            self.find(model, version).submit(call, done)

    def tell_metadata(self, model: str, version: str = "") -> dict[str, Any]:
        """The model metadata of the protocol.

        Raises:
            CallError: there is no such model or version.
        """
        return tell_metadata(self.find(model, version).signature, self.versions(model))

    def close(self) -> None:
        """Serve nothing any more."""
        for model in list(self._models):
            for served in self.replace(model, []):
                served.engine.close()
