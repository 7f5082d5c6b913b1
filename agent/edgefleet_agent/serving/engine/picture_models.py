"""`NAME.picture`: a package with a head as a model that takes a JPEG or PNG and returns detections.

It does the preprocessing and decoding of the pipelines for callers that send images instead of tensors. Both run on threads;
inference goes through the queue of the model `NAME`, with all its other requests.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.backends.contained import RuntimeFaultError, as_runtime_fault
from edgefleet_agent.core import plugins
from edgefleet_agent.serving.config.model_config import QUEUE_MAX, ServingConfig
from edgefleet_agent.serving.engine.dynamic_batcher import RETRY_S, Answer, QueuedRequest
from edgefleet_agent.serving.engine.media_calls import INPUT, PLATFORM, RESULT, SUFFIX
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.engine.run_batch import refuse
from edgefleet_agent.serving.protocol.errors import CallError, Code, FaultError, internal_fault, invalid
from edgefleet_agent.serving.protocol.image_input import frame_from
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array, objects
from edgefleet_agent.vision.answers import model_outputs, result_kind
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.output_tensors import check_numbers
from edgefleet_agent.vision.image.constant_arrays import constant_arrays
from edgefleet_agent.vision.image.preprocess import Geometry, Preprocessor
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask, Result, Text, Values
from edgefleet_contract.core.errors import EdgefleetError, ManifestError, MissingError, ModelError
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.package.manifest import Manifest, Variant

log = logging.getLogger(__name__)

MIN_SCORE = 0.5
TOP = 5
TOP_MAX = 1000
THREADS_MAX = 4
_FLOAT, _INT, _TEXT = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.object_)
_FOUND = (TensorSpec("SCORES", (-1,), _FLOAT), TensorSpec("CLASS_IDS", (-1,), _INT), TensorSpec("LABELS", (-1,), _TEXT))
_TENSORS: dict[str, tuple[TensorSpec, ...]] = {
    "detection": (TensorSpec("BOXES", (-1, 4), _FLOAT), *_FOUND),
    "classification": _FOUND,
    "segmentation": (TensorSpec("MASK", (-1, -1), _INT),),
    "pose": (TensorSpec("POINTS", (-1, -1, 3), _FLOAT),),
    "embedding": (TensorSpec("VECTOR", (-1,), _FLOAT),),
}
"""Outputs besides `RESULT`, by the package's task."""


class PictureModel:
    """Converts images to the input tensor of one loaded package, and its outputs to results.

    Raises:
        ManifestError: the package has more inputs than one picture and constants, or no head that fits.
    """

    def __init__(self, manifest: Manifest, variant: Variant, signature: TensorSignature) -> None:
        specs = variant.inputs or manifest.inputs
        pictures = [spec for spec in specs if spec.kind == "image"]
        self._constants = constant_arrays(specs, signature.inputs)
        tensors = [each for each in signature.inputs if each.name not in self._constants]
        if len(pictures) != 1 or len(specs) != 1 + len(self._constants) or len(tensors) != 1:
            raise ManifestError(f"{manifest.id} does not take exactly one image")
        self._preprocessor = Preprocessor(pictures[0], tensors[0])
        self._input = tensors[0].name
        self._labels = signature.labels
        context = HeadContext(
            outputs={spec.name: spec for spec in signature.outputs},
            names={**manifest.head.outputs, **variant.outputs},
            params=manifest.head.params,
            input_width=self._preprocessor.width,
            input_height=self._preprocessor.height,
            labels=signature.labels,
        )
        self._head: Head = plugins.load("heads", manifest.head.family, ManifestError)(context)
        self._id = manifest.id
        outputs = (TensorSpec(RESULT, (1,), _TEXT), *_TENSORS.get(manifest.task, ()))
        picture = TensorSpec(INPUT, (1,), _TEXT)
        self.signature = TensorSignature(f"{signature.model}{SUFFIX}", signature.version, PLATFORM, (picture,), outputs)

    def prepare(self, frame: Frame) -> tuple[dict[str, Array], Geometry]:
        """The model's inputs, and the geometry of the image in one of them."""
        workspace = self._preprocessor.workspace()
        geometry = self._preprocessor.run(frame, workspace)
        return {self._input: workspace.tensor, **self._constants}, geometry

    def answer(
        self,
        outputs: Mapping[str, Array],
        geometry: Geometry,
        min_score: float,
        top: int,
        position: Mapping[str, float] | None = None,
    ) -> dict[str, Array]:
        """The outputs of `signature`; boxes and points in pixels of the image. position: of a frame in a video, for `RESULT`.

        Raises:
            FaultError: the model computed NaN.
        """
        try:
            check_numbers(outputs)
        except ModelError as cause:
            raise FaultError(f"model '{self._id}': {cause}") from cause
        result = geometry.place(self._head.decode(outputs, min_score), (self._preprocessor.width, self._preprocessor.height))
        fields: dict[str, Any] = {result_kind(result): model_outputs(result, self._label, top)}
        if isinstance(result, Mask):
            fields["mask"] = {"size": result.class_ids.shape, "runs": result.runs()}
        fields |= {"image": {"width": geometry.width, "height": geometry.height}, "model": self._id, **(position or {})}
        text = objects([msgspec.json.encode(fields)], (1,))
        return {RESULT: text, **self._tensors(result, top)}

    def _tensors(self, result: Result, top: int) -> dict[str, Array]:
        if isinstance(result, Detections):
            return {"BOXES": result.boxes, **self._found(result.scores, result.class_ids)}
        if isinstance(result, Classes):
            best = result.top(top)
            return self._found(np.array([score for _, score in best], _FLOAT), np.array([number for number, _ in best], _INT))
        if isinstance(result, Mask):
            return {"MASK": np.ascontiguousarray(result.class_ids)}
        if isinstance(result, Keypoints):
            return {"POINTS": np.concatenate([result.points, result.scores[..., None]], axis=2)}
        if isinstance(result, (Text, Values)):
            return {}  # it is in RESULT
        assert isinstance(result, Embedding)
        return {"VECTOR": result.vector}

    def _found(self, scores: Array, class_ids: Array) -> dict[str, Array]:
        labels = [self._label(number).encode() for number in class_ids.tolist()]
        return {"SCORES": scores, "CLASS_IDS": class_ids, "LABELS": objects(labels, (len(labels),))}

    def _label(self, number: int) -> str:
        return class_name(self._labels, number)


class PicturePool:
    """The `ModelPool` of `NAME.picture`. It finds the model `NAME` for each request, so a reload of it needs no change here."""

    instances = 1

    def __init__(self, model: PictureModel, target: TensorSignature, catalogue: ModelRegistry) -> None:
        self.signature = model.signature
        self.statistics = Statistics()
        self._model = model
        self._target = (target.model, target.version)
        self._catalogue = catalogue
        self._running = 0
        self._lock = threading.Lock()
        threads = min(len(os.sched_getaffinity(0)), THREADS_MAX)
        self._pool = concurrent.futures.ThreadPoolExecutor(threads, f"serve:{model.signature.model}")

    @property
    def pending(self) -> int:
        """Running requests."""
        return self._running

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Preprocess an image, compute, and decode the result.

        Raises:
            CallError: a parameter is not valid, too many requests are running, or the model is being unloaded.
        """
        min_score = number(request.parameters, "min_score", MIN_SCORE, 0.0, 1.0)
        top = int(number(request.parameters, "top", TOP, 1, TOP_MAX))
        with self._lock:
            if self._running >= QUEUE_MAX:
                raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", RETRY_S)
            self._running += 1
        began_ns = time.monotonic_ns()
        times: dict[str, int] = {}

        def compute() -> None:
            data = request.inputs[INPUT].flat[0]
            inputs, geometry = self._model.prepare(frame_from(data if isinstance(data, bytes) else str(data).encode()))
            times["ready"] = time.monotonic_ns()

            def done(answer: Answer, _signature: TensorSignature) -> None:
                times["computed"] = time.monotonic_ns()
                if isinstance(answer, CallError):
                    self._end(request, answer)
                    return
                outputs = {name: np.array(array) for name, array in answer.items()}  # the runtime reuses them once this returns
                self._run_on_pool(request, lambda: finish(outputs, geometry))

            name, version = self._target
            call = InferenceRequest(inputs, priority=priority, timeout_us=timeout_us)
            self._catalogue.submit(self._catalogue.find(name, version), version, call, done)

        def finish(outputs: Mapping[str, Array], geometry: Geometry) -> None:
            answer = self._model.answer(outputs, geometry, min_score, top)
            self.statistics.executed([request.arrived_ns], 1, began_ns, times["ready"], times["computed"])
            if request.trace is not None:
                request.trace.computed(request.arrived_ns, began_ns, times["ready"], times["computed"])
            self._end(request, answer)
            self.statistics.answered(1, 1, time.monotonic_ns() - times["computed"])

        self._run_on_pool(request, compute)

    def close(self) -> None:
        """Finish running requests. The model `NAME` stays open."""
        self._pool.shutdown(wait=True)

    def _run_on_pool(self, request: QueuedRequest, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except EdgefleetError as error:
                self._end(request, error if isinstance(error, CallError) else invalid(str(error)))

        def on_finished(future: concurrent.futures.Future[None]) -> None:
            if future.exception() is not None:
                # A failure of a head is an internal fault; the caller must not wait forever.
                log.error("internal error in an image request", exc_info=future.exception())
                self._end(request, internal_fault())

        try:
            self._pool.submit(run).add_done_callback(on_finished)
        except RuntimeError:  # closed
            self._end(request, CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1))

    def _end(self, request: QueuedRequest, answer: Answer) -> None:
        with self._lock:
            self._running -= 1
        if isinstance(answer, CallError):
            refuse(request, self.signature, self.statistics, answer, "OTHER")
        else:
            request.done(answer, self.signature)


def number(parameters: Mapping[str, Any], name: str, usual: float, low: float, high: float) -> float:
    """Read a number from the parameters of a request.

    Raises:
        CallError: it is not a number, or out of bounds.
    """
    value = parameters.get(name, usual)
    try:
        given = float(value)
    except (TypeError, ValueError):
        given = float("nan")
    if not low <= given <= high:
        raise invalid(f"parameter '{name}' must be a number from {low:g} to {high:g}")
    return given


def picture_model(served: ServedModel) -> PictureModel | None:
    """The image pre- and postprocessing of a served package; None if its input is not one image."""
    if served.package is None:
        return None
    manifest, variant = served.package
    try:
        with as_runtime_fault(f"head {manifest.head.family}"):
            return PictureModel(manifest, variant, served.signature)
    except (ManifestError, MissingError, RuntimeFaultError) as cause:
        log.info("model %s is not available as %s%s: %s", served.signature.model, served.signature.model, SUFFIX, cause)
        return None


def picture_front(served: ServedModel, model: PictureModel, catalogue: ModelRegistry) -> ServedModel:
    """Make the model `NAME.picture` of a served package."""
    target = served.signature
    pool = PicturePool(model, target, catalogue)
    return ServedModel(pool, ServingConfig(), lacks=lambda: catalogue.lacking(target.model, target.version))
