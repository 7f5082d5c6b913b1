"""A package with a head as a model that takes a video and answers once for each of its frames: `NAME.clip` beside `NAME.picture`.

The one kind of model here with a decoupled transaction policy: 0 to n answers to a request, over `ModelStreamInfer` and
`generate_stream`. Frames are decoded beside the loops and computed in the queue of the model itself, with everybody else's calls;
a reader who is slow holds up the decoder, not the memory.

Offered by `serve` only: beside cameras a decoder would take what their deadlines are counted on.
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
"""Clips of one model that are decoded at once."""
CLIPS_MAX = 8
"""Clips of one model that are here at once: each holds its bytes."""
ANSWER_S_MAX = 60.0
"""How long the model may take for a frame."""
FPS_MAX = 240.0
_FLOAT, _INT = np.dtype(np.float64), np.dtype(np.int64)
PLACE = (TensorSpec("FRAME", (1,), _INT), TensorSpec("TIME_S", (1,), _FLOAT))
"""Outputs beside those of `NAME.picture`: number of the frame in the clip, seconds of media time."""


@dataclass(frozen=True, slots=True)
class FrameSelection:
    """What a caller wants of a clip. fps: at most so many frames a second of media time, 0 for all. found_only: no answer for a
    frame in which nothing was found."""

    min_score: float
    top: int
    fps: float
    found_only: bool


class VideoPool:
    """The `Engine` of `NAME.clip`. The model behind it is looked up for each frame, so a reload of it is none of this one's."""

    instances = THREADS

    def __init__(self, model: PictureModel, behind: TensorSignature, catalogue: ModelRegistry) -> None:
        clip = TensorSpec(CLIP, (1,), np.dtype(np.object_))
        outputs = (*model.signature.outputs, *PLACE)
        self.signature = TensorSignature(f"{behind.model}{CLIP_SUFFIX}", behind.version, CLIP_PLATFORM, (clip,), outputs)
        self.statistics = Statistics()
        self._model = model
        self._behind = (behind.model, behind.version)
        self._catalogue = catalogue
        self._running = 0
        self._idle = threading.Condition()
        self._closing = False
        self._aside = concurrent.futures.ThreadPoolExecutor(THREADS, f"serve:{self.signature.model}")

    @property
    def pending(self) -> int:
        """Clips under way."""
        return self._running

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Answer for each frame by `ticket.more`, then once by `ticket.done`. The schedule is that of every frame.

        Raises:
            CallError: a parameter is wrong, too many clips are under way, or the model is being unloaded.
        """
        wanted = _wanted(ticket)
        with self._idle:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            if self._running >= CLIPS_MAX:
                raise CallError(Code.UNAVAILABLE, f"{CLIPS_MAX} clips are under way; try again later", RETRY_S)
            self._running += 1

        def run() -> None:
            began_ns = time.monotonic_ns()
            answer: Answer = {}
            try:
                self._look(ticket, wanted, (priority, timeout_us))
            except EdgefleetError as error:
                answer = error if isinstance(error, CallError) else invalid(str(error))
            self._end(ticket, answer, began_ns)

        self._aside.submit(run).add_done_callback(lambda future: self._tell_fault(future, ticket))

    def close(self) -> None:
        """Let the clips under way end, but not for ever; the model behind is not ours to close."""
        with self._idle:
            self._idle.wait_for(lambda: not self._running, DRAIN_S_MAX)
            self._closing = True
        self._aside.shutdown(wait=True)

    def _look(self, ticket: QueuedRequest, wanted: FrameSelection, schedule: tuple[int, int]) -> None:
        assert ticket.more is not None
        data = ticket.inputs[CLIP].flat[0]
        clip = data if isinstance(data, bytes) else str(data).encode()
        for frame in frames_of(clip, wanted.fps):
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            told = self._answer(frame, wanted, schedule)
            if told is None:
                continue
            if not ticket.more(told, self.signature):
                raise CallError(Code.UNAVAILABLE, "hung up")

    def _answer(self, frame: Frame, wanted: FrameSelection, schedule: tuple[int, int]) -> dict[str, Array] | None:
        inputs, geometry = self._model.prepare(frame)
        heard: concurrent.futures.Future[dict[str, Array]] = concurrent.futures.Future()

        def done(answer: Answer, _signature: TensorSignature) -> None:
            if isinstance(answer, CallError):
                heard.set_exception(answer)
            else:
                heard.set_result({name: np.array(array) for name, array in answer.items()})  # the runtime's own until now

        name, version = self._behind
        call = InferenceRequest(inputs, priority=schedule[0], timeout_us=schedule[1])
        self._catalogue.submit(self._catalogue.find(name, version), version, call, done)
        try:
            outputs = heard.result(ANSWER_S_MAX)
        except concurrent.futures.TimeoutError as cause:
            raise CallError(Code.UNAVAILABLE, "the model did not answer; try again later", RETRY_S) from cause
        place = {"frame": frame.index, "time_s": round(frame.media_s, 6)}
        told = self._model.answer(outputs, geometry, wanted.min_score, wanted.top, place)
        if wanted.found_only and "SCORES" in told and not told["SCORES"].size:
            return None
        return {**told, "FRAME": np.array([frame.index], _INT), "TIME_S": np.array([frame.media_s], _FLOAT)}

    def _end(self, ticket: QueuedRequest, answer: Answer, began_ns: int) -> None:
        now_ns = time.monotonic_ns()
        with self._idle:
            self._running -= 1
            self._idle.notify_all()
        if isinstance(answer, CallError):
            gone = ticket.gone is not None and ticket.gone()
            refuse(ticket, self.signature, self.statistics, answer, "CANCELED" if gone else "OTHER")
            return
        self.statistics.executed([ticket.arrived_ns], 1, began_ns, began_ns, now_ns)
        if ticket.trace is not None:
            ticket.trace.computed(ticket.arrived_ns, began_ns, began_ns, now_ns)
        ticket.done(answer, self.signature)
        self.statistics.answered(1, 1, time.monotonic_ns() - now_ns)

    def _tell_fault(self, future: concurrent.futures.Future[None], ticket: QueuedRequest) -> None:
        if future.exception() is not None:
            # A head that fails is a fault of ours, and its caller shall not wait for ever.
            log.error("a clip could not be answered", exc_info=future.exception())
            self._end(ticket, internal_fault(), time.monotonic_ns())


def _wanted(ticket: QueuedRequest) -> FrameSelection:
    found_only = ticket.parameters.get("found_only", False)
    if str(found_only).lower() not in ("true", "false"):
        raise invalid("parameter 'found_only' must be true or false")
    return FrameSelection(
        number(ticket.parameters, "min_score", MIN_SCORE, 0.0, 1.0),
        int(number(ticket.parameters, "top", TOP, 1, TOP_MAX)),
        number(ticket.parameters, "fps", 0.0, 0.0, FPS_MAX),
        str(found_only).lower() == "true",
    )


def frames_of(data: bytes, fps: float) -> Iterator[Frame]:
    """The frames of a caller's video, at most `fps` a second of its time.

    Raises:
        CallError: no video of a known form. MediaError: it cannot be decoded, or breaks off.
    """
    suffix = container_of(data)
    if suffix is None:
        raise invalid("the clip is no MP4, Matroska, WebM, AVI, MPEG-TS or GIF")
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
    """The suffix of a video by how it begins, None where it begins like none: playlists, which name other files, shall reach no
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
    """`NAME.clip` for a served package whose pictures `model` reads."""
    told: Mapping[str, object] = {"model_transaction_policy": {"decoupled": True}}
    front = ServedModel(VideoPool(model, served.signature, catalogue), ServingConfig(), told=told)
    front.decoupled = True
    return front
