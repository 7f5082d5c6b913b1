"""Requests to the models of the pipelines' slots: they run on the thread that computes frames, after all waiting frames.

A slot's model is served under the name and version of its package. The queue of requests belongs to the slot, not to the model:
after a swap the new model answers them, and no request fails. A request has one row, so that a frame waits for at most one run.
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
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel, index_rows
from edgefleet_agent.serving.engine.picture_models import picture_front, picture_model
from edgefleet_agent.serving.engine.run_batch import execute, refuse, timed_out
from edgefleet_agent.serving.models.model_loader import signature_of
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.package.manifest import Manifest, Variant


class SlotModelQueue:
    """The requests of one slot. The slot's model thread polls `ready_in_s`, and calls `serve` when no frame waits."""

    instances = 1

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._queue = DynamicBatcher(0, None)
        self._lock = threading.Lock()
        self._closed = False
        # The model in the slot, and the one before: a model thread may still hold that while it is replaced.
        self._models: tuple[_Model, ...] = ()
        self.package: tuple[Manifest, Variant] | None = None

    @property
    def signature(self) -> TensorSignature:
        """The value of the slot's current model."""
        return self._models[0].signature

    @property
    def statistics(self) -> Statistics:
        """The value of the slot's current model."""
        return self._models[0].statistics

    @property
    def pending(self) -> int:
        """Queued requests."""
        return len(self._queue)

    def adopt(self, session: Session, signature: TensorSignature) -> None:
        """Set the slot's model; it computes queued requests, too."""
        self._models = (_Model(session, signature, Statistics()), *self._models[:1])

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Queue a request, which runs when no frame waits.

        Raises:
            CallError: the queue is full, or the agent is shutting down.
        """
        with self._lock:
            if self._closed:
                raise CallError(Code.UNAVAILABLE, "the agent is stopping", 1)
            self._queue.put(request, priority, timeout_us)
        self._wake()

    patient = False

    def ready_in_s(self) -> float | None:
        """Seconds until a request is ready; None: not before `wake` is called."""
        return 0.0 if len(self._queue) else None

    def serve(self, session: Session) -> None:
        """Compute one request. On the model thread."""
        model = next((model for model in self._models if model.session is session), None)
        if model is None:  # the slot is switching; `adopt` follows
            return
        with self._lock:
            batch, refused, _ = self._queue.take(time.monotonic_ns())
        for request in refused:
            refuse(request, model.signature, model.statistics, timed_out())
        for request in batch:
            model.answer(request)

    def close(self) -> None:
        """Refuse queued requests."""
        with self._lock:
            self._closed = True
            left = self._queue.empty()
        for request in left:
            refuse(request, self.signature, self.statistics, CallError(Code.UNAVAILABLE, "the model was unloaded", 1))


@dataclasses.dataclass(frozen=True, slots=True)
class _Model:
    session: Session
    signature: TensorSignature
    statistics: Statistics

    def answer(self, request: QueuedRequest) -> None:
        try:
            self.signature.rows(request.inputs)  # the slot may have had another model when it was queued
        except CallError as error:
            refuse(request, self.signature, self.statistics, error, "OTHER")
        else:
            execute(self.session, [request], self.signature, self.statistics)


class SlotModels:
    """The request queues of all slots; keeps the catalogue in sync with the slots."""

    def __init__(self, catalogue: ModelRegistry) -> None:
        self._catalogue = catalogue
        self._queues: dict[str, SlotModelQueue] = {}
        self._lock = threading.Lock()

    def switched(
        self, slot: str, package: tuple[Manifest, Variant], session: Session, labels: tuple[str, ...], wake: Callable[[], None]
    ) -> SlotModelQueue:
        """Serve the new model of a slot, and its `.picture` model.

        Raises:
            ModelError: the protocol does not support the type of a tensor; the slot is not served then.
        """
        with self._lock:
            queue = self._queues.get(slot)
            name, version = package[0].name, package[0].version
            names = {name, queue.signature.model} if queue else {name}
            try:
                signature = signature_of(name, version, session, labels)
            except ModelError:
                if queue is not None:
                    del self._queues[slot]
                    self._publish(names)
                    queue.close()
                raise
            queue = self._queues.setdefault(slot, queue or SlotModelQueue(wake))
            queue.package = package
            queue.adopt(session, dataclasses.replace(signature, batch=1) if signature.batch else signature)
            self._publish(names)
        return queue

    def _publish(self, names: set[str]) -> None:
        for name in names:
            same = {each.signature.version: each for each in self._queues.values() if each.signature.model == name}
            served = [self._served(each) for each in same.values()]
            self._catalogue.replace(name, served)
            readers = ((each, picture_model(each)) for each in served)
            fronts = [picture_front(each, model, self._catalogue) for each, model in readers if model is not None]
            for old in self._catalogue.replace(name + SUFFIX, fronts):
                threading.Thread(target=old.engine.close, name=f"retire:{name}", daemon=True).start()

    def _served(self, queue: SlotModelQueue) -> ServedModel:
        served = ServedModel(queue, ServingConfig())
        served.package = queue.package
        return served


class ReadOnlyRepository:
    """The repository of a device whose models come by rollouts: it can be listed, but not changed."""

    def __init__(self, catalogue: ModelRegistry) -> None:
        self._catalogue = catalogue

    def index(self, *, ready: bool) -> list[dict[str, str]]:
        """All models in slots."""
        return index_rows(self._catalogue.all(), ready=ready)

    def load(self, model: str, config: str | None = None, files: Mapping[str, bytes] | None = None) -> None:  # noqa: ARG002
        """Raises CallError: models cannot be changed here."""
        raise CallError(Code.UNSUPPORTED, f"model '{model}' cannot be loaded here: slots get their models by rollouts")

    def unload(self, model: str, *, dependents: bool = False) -> None:  # noqa: ARG002 - nothing is unloaded
        """Raises CallError: models cannot be changed here."""
        raise CallError(Code.UNSUPPORTED, f"model '{model}' cannot be unloaded here: a pipeline may need it")
