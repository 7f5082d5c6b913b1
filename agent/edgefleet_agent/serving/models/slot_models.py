"""Calls to the models of the pipelines' slots: they lodge in the thread that computes frames, and every frame goes first.

A slot's model is served under the name and version of its package. The queue of calls belongs to the slot, not to the model: a
swap changes what answers them, and no call fails for it. One call is one row, so that a frame waits for at most one run.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Mapping

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.dynamic_batcher import DynamicBatcher, QueuedRequest
from edgefleet_agent.serving.engine.media_calls import SUFFIX
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.engine.picture_models import picture_front, picture_model
from edgefleet_agent.serving.engine.run_batch import execute, refuse, timed_out
from edgefleet_agent.serving.models.model_loader import signature_of
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.package.manifest import Manifest, Variant


class SlotModelQueue:
    """The calls of one slot. The lane of the slot asks `ready_in_s` and calls `serve` when no frame waits."""

    instances = 1

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._queue = DynamicBatcher(0, None)
        self._lock = threading.Lock()
        self._closed = False
        # The model in the slot, and the one before: a lane may still hold that while it is replaced.
        self._models: tuple[_Model, ...] = ()
        self.package: tuple[Manifest, Variant] | None = None

    @property
    def signature(self) -> TensorSignature:
        """Of the model that is in the slot now."""
        return self._models[0].signature

    @property
    def statistics(self) -> Statistics:
        """Of the model that is in the slot now."""
        return self._models[0].statistics

    @property
    def pending(self) -> int:
        """Calls that wait."""
        return len(self._queue)

    def adopt(self, session: Session, signature: TensorSignature) -> None:
        """The slot has another model from now on. Calls that wait are computed by it."""
        self._models = (_Model(session, signature, Statistics()), *self._models[:1])

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Compute a call when no frame waits.

        Raises:
            CallError: too many wait, or the agent is ending.
        """
        with self._lock:
            if self._closed:
                raise CallError(Code.UNAVAILABLE, "the agent is ending", 1)
            self._queue.put(ticket, priority, timeout_us)
        self._wake()

    patient = False

    def ready_in_s(self) -> float | None:
        """Seconds until there is something to compute; None: not before `wake` is called."""
        return 0.0 if len(self._queue) else None

    def serve(self, session: Session) -> None:
        """Compute one call. On the lane's thread."""
        model = next((model for model in self._models if model.session is session), None)
        if model is None:  # switched this moment; `adopt` is on its way
            return
        with self._lock:
            batch, refused, _ = self._queue.take(time.monotonic_ns())
        for ticket in refused:
            refuse(ticket, model.signature, model.statistics, timed_out())
        for ticket in batch:
            model.answer(ticket)

    def close(self) -> None:
        """Refuse what waits."""
        with self._lock:
            self._closed = True
            left = self._queue.empty()
        for ticket in left:
            refuse(ticket, self.signature, self.statistics, CallError(Code.UNAVAILABLE, "the model has gone", 1))


@dataclasses.dataclass(frozen=True, slots=True)
class _Model:
    session: Session
    signature: TensorSignature
    statistics: Statistics

    def answer(self, ticket: QueuedRequest) -> None:
        try:
            self.signature.rows(ticket.inputs)  # it came when the slot may have had another model
        except CallError as error:
            refuse(ticket, self.signature, self.statistics, error, "OTHER")
        else:
            execute(self.session, [ticket], self.signature, self.statistics)


class SlotModels:
    """All slots' calls, and the catalogue kept in step with what the slots hold."""

    def __init__(self, catalogue: ModelRegistry) -> None:
        self._catalogue = catalogue
        self._lodgers: dict[str, SlotModelQueue] = {}
        self._lock = threading.Lock()

    def switched(
        self, slot: str, package: tuple[Manifest, Variant], session: Session, labels: tuple[str, ...], wake: Callable[[], None]
    ) -> SlotModelQueue:
        """The slot holds this model from now on: it is served as it is, and as one that takes pictures.

        Raises:
            ModelError: the protocol cannot carry one of its tensors; the slot is not served then.
        """
        with self._lock:
            lodger = self._lodgers.get(slot)
            name, version = package[0].name, package[0].version
            names = {name, lodger.signature.model} if lodger else {name}
            try:
                signature = signature_of(name, version, session, labels)
            except ModelError:
                if lodger is not None:
                    del self._lodgers[slot]
                    self._tell(names)
                    lodger.close()
                raise
            lodger = self._lodgers.setdefault(slot, lodger or SlotModelQueue(wake))
            lodger.package = package
            lodger.adopt(session, dataclasses.replace(signature, batch=1) if signature.batch else signature)
            self._tell(names)
        return lodger

    def _tell(self, names: set[str]) -> None:
        for name in names:
            same = {each.signature.version: each for each in self._lodgers.values() if each.signature.model == name}
            served = [self._served(each) for each in same.values()]
            self._catalogue.replace(name, served)
            readers = ((each, picture_model(each)) for each in served)
            fronts = [picture_front(each, model, self._catalogue) for each, model in readers if model is not None]
            for old in self._catalogue.replace(name + SUFFIX, fronts):
                threading.Thread(target=old.engine.close, name=f"retire:{name}", daemon=True).start()

    def _served(self, lodger: SlotModelQueue) -> ServedModel:
        served = ServedModel(lodger, ServingConfig())
        served.package = lodger.package
        return served


class ReadOnlyRepository:
    """The repository of a device whose models come by rollouts: it can be read, and nobody loads by hand."""

    def __init__(self, catalogue: ModelRegistry) -> None:
        self._catalogue = catalogue

    def index(self, *, ready: bool) -> list[dict[str, str]]:  # noqa: ARG002 - everything here is ready
        """Every model in a slot."""
        return [
            {"name": each.signature.model, "version": each.signature.version, "state": "READY", "reason": ""}
            for each in self._catalogue.all()
        ]

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None:  # noqa: ARG002
        """Refused."""
        raise CallError(Code.UNSUPPORTED, f"model '{model}' cannot be loaded here: slots get their models by rollouts")

    def unload(self, model: str, *, dependents: bool = False) -> None:  # noqa: ARG002 - nothing is unloaded
        """Refused."""
        raise CallError(Code.UNSUPPORTED, f"model '{model}' cannot be unloaded here: a pipeline may need it")
