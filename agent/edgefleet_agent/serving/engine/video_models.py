"""`NAME.clip`: a package with a head as a model that takes a video and answers once for each of its frames.

It is a decoupled model: 0 to n answers to a request, over `ModelStreamInfer` and `generate_stream`. Frames are decoded on a
thread pool and go through the queue of the model `NAME`, with all its other requests; a slow reader blocks the decoder, so that
memory does not grow.

Only `serve` offers it: on a device with cameras, decoding would make them miss their deadlines.
"""

from __future__ import annotations

import concurrent.futures
import logging
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.dynamic_batcher import RETRY_S, Answer, QueuedRequest
from edgefleet_agent.serving.engine.instance_pool import DRAIN_S_MAX
from edgefleet_agent.serving.engine.media_calls import CLIP, CLIP_PLATFORM, CLIP_SUFFIX
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.engine.picture_models import MIN_SCORE, TOP, TOP_MAX, PictureModel, number
from edgefleet_agent.serving.engine.run_batch import refuse
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import EdgefleetError, MediaError
from edgefleet_contract.pipeline.spec import SourceSpec

log = logging.getLogger(__name__)

THREADS = 2
"""Videos of one model that are decoded concurrently."""
CLIPS_MAX = 8
"""Videos of one model in memory."""
ANSWER_S_MAX = 60.0
"""Time limit of the model for a frame."""
FPS_MAX = 240.0
_FLOAT, _INT = np.dtype(np.float64), np.dtype(np.int64)
PLACE = (TensorSpec("FRAME", (1,), _INT), TensorSpec("TIME_S", (1,), _FLOAT))
"""Outputs besides those of `NAME.picture`: number of the frame, seconds of media time."""


@dataclass(frozen=True, slots=True)
class FrameSelection:
    """The parameters of a request. fps: limit of frames a second of media time, 0 for all. found_only: no answers for frames
    without detections."""

    min_score: float
    top: int
    fps: float
    found_only: bool


class VideoPool:
    """The `ModelPool` of `NAME.clip`. It finds the model `NAME` for each frame, so a reload of it needs no change here."""

    instances = THREADS

    def __init__(self, model: PictureModel, target: TensorSignature, catalogue: ModelRegistry) -> None:
        clip = TensorSpec(CLIP, (1,), np.dtype(np.object_))
        outputs = (*model.signature.outputs, *PLACE)
        self.signature = TensorSignature(f"{target.model}{CLIP_SUFFIX}", target.version, CLIP_PLATFORM, (clip,), outputs)
        self.statistics = Statistics()
        self._model = model
        self._target = (target.model, target.version)
        self._catalogue = catalogue
        self._running = 0
        self._idle = threading.Condition()
        self._closing = False
        self._pool = concurrent.futures.ThreadPoolExecutor(THREADS, f"serve:{self.signature.model}")

    @property
    def pending(self) -> int:
        """Running requests."""
        return self._running

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Answer each frame with `request.send_part`, then call `request.done`. Priority and timeout apply to every frame.

        Raises:
            CallError: a parameter is not valid, too many requests are running, or the model is being unloaded.
        """
        selection = _read_selection(request)
        with self._idle:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            if self._running >= CLIPS_MAX:
                raise CallError(Code.UNAVAILABLE, f"limit of {CLIPS_MAX} concurrent clips reached; try again later", RETRY_S)
            self._running += 1

        def run() -> None:
            began_ns = time.monotonic_ns()
            answer: Answer = {}
            try:
                self._answer_frames(request, selection, (priority, timeout_us))
            except EdgefleetError as error:
                answer = error if isinstance(error, CallError) else invalid(str(error))
            self._end(request, answer, began_ns)

        try:
            self._pool.submit(run).add_done_callback(lambda future: self._answer_fault(future, request))
        except RuntimeError:  # closed, or no thread can be started
            self._end(request, CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1), 0)

    def close(self) -> None:
        """Wait for running requests, up to a limit. The model `NAME` stays open."""
        with self._idle:
            self._idle.wait_for(lambda: not self._running, DRAIN_S_MAX)
            self._closing = True
        self._pool.shutdown(wait=True)

    def _answer_frames(self, request: QueuedRequest, selection: FrameSelection, schedule: tuple[int, int]) -> None:
        assert request.send_part is not None
        data = request.inputs[CLIP].flat[0]
        clip = data if isinstance(data, bytes) else str(data).encode()
        for frame in frames_of(clip, selection.fps):
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            response = self._answer(frame, selection, schedule)
            if response is None:
                continue
            if not request.send_part(response, self.signature):
                raise CallError(Code.UNAVAILABLE, "hung up")

    def _answer(self, frame: Frame, selection: FrameSelection, schedule: tuple[int, int]) -> dict[str, Array] | None:
        inputs, geometry = self._model.prepare(frame)
        computed: concurrent.futures.Future[dict[str, Array]] = concurrent.futures.Future()

        def done(answer: Answer, _signature: TensorSignature) -> None:
            if isinstance(answer, CallError):
                computed.set_exception(answer)
            else:
                computed.set_result({name: np.array(array) for name, array in answer.items()})  # the runtime reuses them

        name, version = self._target
        call = InferenceRequest(inputs, priority=schedule[0], timeout_us=schedule[1])
        self._catalogue.submit(self._catalogue.find(name, version), version, call, done)
        try:
            outputs = computed.result(ANSWER_S_MAX)
        except concurrent.futures.TimeoutError as cause:
            raise CallError(Code.UNAVAILABLE, "the model did not respond; try again later", RETRY_S) from cause
        position = {"frame": frame.index, "time_s": round(frame.media_s, 6)}
        response = self._model.answer(outputs, geometry, selection.min_score, selection.top, position)
        if selection.found_only and "SCORES" in response and not response["SCORES"].size:
            return None
        return {**response, "FRAME": np.array([frame.index], _INT), "TIME_S": np.array([frame.media_s], _FLOAT)}

    def _end(self, request: QueuedRequest, answer: Answer, began_ns: int) -> None:
        now_ns = time.monotonic_ns()
        with self._idle:
            self._running -= 1
            self._idle.notify_all()
        if isinstance(answer, CallError):
            is_cancelled = request.is_cancelled is not None and request.is_cancelled()
            refuse(request, self.signature, self.statistics, answer, "CANCELED" if is_cancelled else "OTHER")
            return
        self.statistics.executed([request.arrived_ns], 1, began_ns, began_ns, now_ns)
        if request.trace is not None:
            request.trace.computed(request.arrived_ns, began_ns, began_ns, now_ns)
        request.done(answer, self.signature)
        self.statistics.answered(1, 1, time.monotonic_ns() - now_ns)

    def _answer_fault(self, future: concurrent.futures.Future[None], request: QueuedRequest) -> None:
        if future.exception() is not None:
            # A failure of a head is an internal fault; the caller must not wait forever.
            log.error("internal error in a clip request", exc_info=future.exception())
            self._end(request, internal_fault(), time.monotonic_ns())


def _read_selection(request: QueuedRequest) -> FrameSelection:
    found_only = request.parameters.get("found_only", False)
    if str(found_only).lower() not in ("true", "false"):
        raise invalid("parameter 'found_only' must be true or false")
    return FrameSelection(
        number(request.parameters, "min_score", MIN_SCORE, 0.0, 1.0),
        int(number(request.parameters, "top", TOP, 1, TOP_MAX)),
        number(request.parameters, "fps", 0.0, 0.0, FPS_MAX),
        str(found_only).lower() == "true",
    )


def frames_of(data: bytes, fps: float) -> Iterator[Frame]:
    """Decode the frames of a video, at most `fps` a second of media time.

    Raises:
        CallError: the container is unknown, or the video cannot be decoded or is truncated.
    """
    suffix = container_of(data)
    if suffix is None:
        raise invalid("the clip must be MP4, Matroska, WebM, AVI, MPEG-TS or GIF")
    with tempfile.NamedTemporaryFile(prefix="edgefleet-clip-", suffix=suffix) as file:
        file.write(data)
        file.flush()
        source = FileSource(SourceSpec(kind="file", uri=file.name, pace="fast", fps=fps))
        try:
            source.open()
            yield from source.frames()
        except MediaError as cause:
            raise invalid(str(cause).replace(file.name, "the clip")) from cause
        finally:
            source.close()


def container_of(data: bytes) -> str | None:
    """The file suffix of a video by its first bytes; None if unknown. Playlists, which refer to other files, must not reach a
    demuxer."""
    if data[4:8] == b"ftyp":
        return ".mp4"
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return ".mkv"
    if data[:4] == b"RIFF" and data[8:12] == b"AVI ":
        return ".avi"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return ".gif"
    if len(data) > 376 and data[0] == data[188] == data[376] == 0x47:
        return ".ts"
    return None


def clip_front(served: ServedModel, model: PictureModel, catalogue: ModelRegistry) -> ServedModel:
    """Make the model `NAME.clip` of a served package; `model` preprocesses its frames."""
    policy: Mapping[str, object] = {"model_transaction_policy": {"decoupled": True}}
    target = served.signature
    pool = VideoPool(model, target, catalogue)
    front = ServedModel(pool, ServingConfig(), extra_config=policy, lacks=lambda: catalogue.lacking(target.model, target.version))
    front.decoupled = True
    return front
