"""A loaded package or bare model file: frame in, boxes, classes or other results out.

The three steps of an inference are separate, so that another thread can prepare the next frame while the runtime computes:

    prepared = model.prepare(frame)                       # any thread; the frame may be dropped afterwards
    outputs = model.invoke(prepared)                      # one thread at a time
    result = model.decode(outputs, prepared, min_score)   # the thread of `invoke`, before its next call
"""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy.typing as npt
from msgspec.structs import replace as replace_fields

from edgefleet_agent.backends.base import LoadOptions, Placement, Session
from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.backends.installed import cpu_profile as cpu_profile
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.installed import installed_runtimes as installed_runtimes
from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.model.crop_batch import BATCH_MAX, CropBatch
from edgefleet_agent.pipeline.model.head_recognition import (
    RecognizedHead,
    other_inputs,
    picture_tensor,
    recognize_detector,
    shown_params,
    unrecognized,
)
from edgefleet_agent.pipeline.model.model_faults import as_model_error
from edgefleet_agent.pipeline.model.prepared_input import Inference, PreparedInput
from edgefleet_agent.pipeline.model.state_tensors import StateTensors
from edgefleet_agent.pipeline.model.text_files import read_labels, read_text
from edgefleet_agent.pipeline.model.variant_order import ChosenDevice, avoided_last, device_of, ordered_choices
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.output_tensors import check_numbers
from edgefleet_agent.vision.image.constant_arrays import constant_arrays
from edgefleet_agent.vision.image.preprocess import Preprocessor, Workspace, picture_input
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import ManifestError, MissingError, ModelError
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.model_kinds import FAMILY_TABLE, find_family, format_of
from edgefleet_contract.package.manifest import MANIFEST_FILE, HeadSpec, InputSpec, Manifest, Variant, read_manifest

Array = npt.NDArray[Any]

log = logging.getLogger(__name__)

BUFFERS_MIN = 3
"""Input buffers made in advance: one computed, one waiting, one being written."""
BUFFERS_MAX = 16
"""Limit of free input buffers; those of a longer burst are released."""


class LoadedModel:
    """One loaded model. `prepare` may be called from several threads; `invoke` and `decode` from `parallel` threads of the
    session at a time; `close` from one.

    chosen: the device for which it was loaded; `placement`: where it runs. preferred: the device to which a model that fell
    back returns when possible; None otherwise.
    """

    def __init__(self, manifest: Manifest, variant: Variant, session: Session, labels: tuple[str, ...]) -> None:
        self.manifest = manifest
        self.variant = variant
        self.placement: Placement = session.placement
        self.labels = labels
        self.chosen = ChosenDevice(session.placement.runtime, session.placement.device)
        self.preferred: ChosenDevice | None = None
        self._session = session
        spec, tensor, others = _inputs(manifest, variant, session)
        self._input_name = tensor.name
        self._preprocessor = Preprocessor(spec, tensor)
        self._size = (self._preprocessor.width, self._preprocessor.height)
        self._constants = constant_arrays(others, session.inputs)
        states = [each for each in others if not each.value]
        self._sequences = StateTensors(states, session.inputs, session.outputs)
        self._head = _head(manifest, variant, session, self._preprocessor, labels)
        self._batch: CropBatch | None = None
        rows = tensor.shape[0] == -1 and all(each.shape[:1] == (-1,) for each in session.outputs)
        # Its buffers are for one caller, and heads that need the input, or join the rows of all pictures, cannot use it.
        if rows and not states and session.parallel == 1 and self._head.by_picture and not self._head.needs_input:
            self._batch = CropBatch(self._preprocessor, self._head, tensor.name, self._constants)
        self._free: deque[Workspace] = deque((self._preprocessor.workspace() for _ in range(BUFFERS_MIN)), maxlen=BUFFERS_MAX)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        runtimes: Sequence[str],
        profile: str = "",
        threads: int = 0,
        variant: str | None = None,
        cache_dir: Path | None = None,
        device: str = "",
        strict: bool = False,
        avoided: Mapping[ChosenDevice, str] | None = None,
        apart: bool = False,
    ) -> LoadedModel:
        """Load the package in `folder`.

        `runtimes`: the usable ones, best first. `variant`: its name; None chooses by profile and runtimes. `device`: empty takes
        the accelerators of the profile in their order, otherwise the `device` of the variant's options for the runtime, then
        `cpu`. If an accelerator is unavailable, the next one is used, finally the CPU, and `placement` reports it; with `strict`
        this is an error. `avoided`: devices that are tried last, with the reason for each; not if `strict`. `apart`: accelerators
        are used in processes of their own.

        Raises:
            ManifestError: the manifest is not there or not valid, or names a head or tensors that do not exist.
            ModelError: the runtime refuses the file. MissingError: no variant fits the runtimes, or a runtime or, when strict,
            the device is not there.
        """
        manifest = read_package(folder)
        plugins.load("heads", manifest.head.family, ManifestError)  # refuse a wrong name before a runtime is started
        labels = tuple(manifest.labels) or read_labels(folder / manifest.labels_file if manifest.labels_file else None)
        variant_choices = ordered_choices(manifest, list(runtimes), profile, variant, device)
        avoided = {} if strict else avoided or {}
        first, tried = device_of(variant_choices[0]), avoided_last(variant_choices, avoided)
        reason = avoided.get(first, "")
        for choice in tried:
            last = choice is tried[-1]
            load = LoadOptions(
                device=choice.device,
                threads=threads or choice.threads,
                # If another choice follows, that choice decides the device; the runtime must not fall back silently.
                strict=strict or not last,
                # On a CPU the other runtimes compile faster than they read a cache.
                cache_dir=cache_dir if choice.device != "cpu" or choice.runtime == "open_vino" else None,
                options={key: value for key, value in choice.options.items() if key != "device"},
                picture=_picture(manifest, choice.variant),
                apart=apart,
            )
            try:
                backend = find_backend(choice.runtime, choice.variant)
                session = backend.load(tuple(folder / path for path in choice.variant.files), load)
            except (MissingError, ModelError) as cause:
                if last or strict or (choice.device == "cpu" and not avoided):
                    raise
                reason = reason or str(cause)
                continue
            if reason and device_of(choice) != first:
                session.placement = replace(session.placement, fell_back=True, detail=reason)
            model = _make_model(manifest, choice.variant, session, labels)
            model.chosen = device_of(choice)
            if session.placement.fell_back:
                model.preferred = first
            if model.label_fault:
                log.warning("%s: %s", manifest.id, model.label_fault)
            return model
        raise AssertionError("the last way returns or raises")

    @classmethod
    def from_file(
        cls,
        model_file: Path,
        head: str = "",
        labels: Path | None = None,
        *,
        runtime: str = "",
        threads: int = 0,
        cache_dir: Path | None = None,
        device: str = "cpu",
        params: Mapping[str, Any] | None = None,
        strict: bool = False,
    ) -> LoadedModel:
        """Load a model file without a manifest. Layout and size come from its tensors, the rest from the head's defaults. head:
        empty for a detector that is recognized by its outputs. strict: refuse to compute on another device.

        Raises:
            ManifestError: unknown head, or outputs or labels do not fit it. ModelError: not a model, no picture input, or no
            detector that is recognized. MissingError: the runtime is not installed, or, when strict, the device is not there.
        """
        format_name, known = format_of(model_file, ModelError)
        names = read_labels(labels)
        if head:
            plugins.load("heads", head, ManifestError)  # refuse a wrong name before a runtime is started
        backend = find_backend(runtime or known.runtimes[0])
        session = backend.load((model_file,), LoadOptions(device, threads, strict, cache_dir))
        try:
            with as_runtime_fault(model_file.name):
                chosen = _chosen_head(model_file, head, session, names, params or {})
                inputs = [picture_input(chosen.family.usual_input, picture_tensor(session)), *other_inputs(session)]
        except BaseException:
            session.close()
            raise
        variant = Variant(name="file", format=format_name, files=[_safe_name(model_file.name)], runtimes=[backend.name])
        manifest = Manifest(
            name=_safe_name(model_file.stem.lower()),
            version="0.0.0",
            task=find_family(chosen.name).task if chosen.name in FAMILY_TABLE.names() else "detection",
            head=HeadSpec(family=chosen.name, params=chosen.params),
            variants=[variant],
            inputs=inputs,
        )
        model = _make_model(manifest, variant, session, names)
        if model.label_fault:
            model.close()
            raise ManifestError(f"{labels}: {model.label_fault}")
        return model

    def prepare(self, frame: Frame) -> PreparedInput:
        """The frame as the model's input. Uses a free buffer, or a new one while all are held.

        Raises:
            ValueError: the planes of the frame do not fit its layout.
        """
        began_s = time.perf_counter()
        try:
            workspace = self._free.popleft()
        except IndexError:
            workspace = self._preprocessor.workspace()
        geometry = self._preprocessor.run(frame, workspace)
        pre_ms = (time.perf_counter() - began_s) * 1000
        inputs = {self._input_name: workspace.tensor, **self._constants}
        return PreparedInput(workspace, self._free, geometry, inputs, pre_ms)

    def invoke(self, prepared: PreparedInput, stream: str = "") -> Mapping[str, Array]:
        """Run the runtime once. The outputs are valid until the next call. `stream`: selects the state of a stateful model.

        Raises:
            ModelError: the runtime failed, or computed NaN.
        """
        with as_model_error(self.manifest.id):
            outputs = self._session.infer({**prepared.inputs, **self._sequences.inputs(stream)})
            check_numbers(outputs)
            self._sequences.keep(stream, outputs)
        return outputs

    def decode(self, outputs: Mapping[str, Array], prepared: PreparedInput, min_score: float) -> Result:
        """Decode outputs to boxes in frame pixels of at least `min_score`, best first, or to another kind of result.

        Raises:
            ModelError: the head failed.
        """
        with as_model_error(self.manifest.id):
            if self._head.needs_input:
                outputs = {**outputs, **prepared.inputs}
            return prepared.geometry.place(self._head.decode(outputs, min_score), self._size)

    def infer(self, frame: Frame, min_score: float, stream: str = "") -> Inference:
        """All three steps at once."""
        prepared = self.prepare(frame)
        began_s = time.perf_counter()
        outputs = self.invoke(prepared, stream)
        invoked_s = time.perf_counter()
        result = self.decode(outputs, prepared, min_score)
        post_ms = (time.perf_counter() - invoked_s) * 1000
        return Inference(result, prepared.pre_ms, (invoked_s - began_s) * 1000, post_ms)

    def infer_many(self, frames: Sequence[Frame], min_score: float, streams: Sequence[str] = ()) -> list[Result]:
        """One result per picture: in batches if the batch dimension is dynamic, in parallel if the session supports it, otherwise
        one by one. streams: selects the state of a stateful model for each picture. On the thread of `invoke`.

        Raises:
            ModelError: the runtime or the head failed.
        """
        if self._session.parallel > 1 and not self.stateful:
            return self._infer_side_by_side(frames, min_score)
        found: list[Result] = []
        while self._batch is not None and len(frames) - len(found) > 1:
            with as_model_error(self.manifest.id):
                rows = self._batch.run(self._session, frames[len(found) : len(found) + BATCH_MAX], min_score)
            if rows is None:
                self._batch = None
            else:
                found += rows
        left = zip(frames[len(found) :], (streams or [""] * len(frames))[len(found) :], strict=True)
        return [*found, *(self.infer(frame, min_score, stream).result for frame, stream in left)]

    def _infer_side_by_side(self, frames: Sequence[Frame], min_score: float) -> list[Result]:
        in_flight: deque[PreparedInput] = deque()  # as many as run in parallel: buffers are not made for all

        def rows() -> Iterator[Mapping[str, Array]]:
            for frame in frames:
                in_flight.append(self.prepare(frame))
                yield in_flight[-1].inputs

        found = []
        with as_model_error(self.manifest.id):
            for outputs in self._session.infer_all(rows()):
                check_numbers(outputs)
                found.append(self.decode(outputs, in_flight.popleft(), min_score))
        return found

    @property
    def stateful(self) -> bool:
        """Whether the result of a picture depends on those before it."""
        return self._sequences.any

    @property
    def classes(self) -> int:
        """Number of classes that the outputs have; 0: they do not say."""
        return self._head.classes

    @property
    def label_fault(self) -> str:
        """The fault in the number of labels; empty if there are none, the number is right, or the outputs do not say it."""
        if not self.labels or self.classes in (0, len(self.labels)):
            return ""
        return f"{len(self.labels)} labels, but the model has {self.classes} classes; give the labels that it was trained with"

    @property
    def session(self) -> Session:
        """The runtime's session, for the thread that calls `invoke`."""
        return self._session

    def label(self, class_id: int) -> str:
        """The label of a class; `class N` without one."""
        return class_name(self.labels, class_id)

    def close(self) -> None:
        """Release memory and device."""
        self._session.close()


def read_package(folder: Path) -> Manifest:
    """The manifest of the package in `folder`. Raises ManifestError if it is missing, unreadable or invalid."""
    path = folder / MANIFEST_FILE
    return read_manifest(read_text(path, f"specify a folder with {MANIFEST_FILE}"), str(path))


def _chosen_head(file: Path, head: str, session: Session, labels: tuple[str, ...], params: Mapping[str, Any]) -> RecognizedHead:
    """The head of a file without a manifest: the given one, or the one that is recognized.

    Raises:
        ManifestError: the input is no picture. ModelError: no detector is recognized.
    """
    if head:
        return RecognizedHead(head, plugins.load("heads", head, ManifestError), shown_params(head, session, len(labels), params))
    found = recognize_detector(session, labels, params)
    if found is None:
        raise unrecognized(str(file), session)
    return found


def _make_model(manifest: Manifest, variant: Variant, session: Session, labels: tuple[str, ...]) -> LoadedModel:
    """The model of an open session; closes the session if the manifest does not match it, or the head fails."""
    try:
        with as_runtime_fault(manifest.id):
            return LoadedModel(manifest, variant, session, labels)
    except BaseException:
        session.close()
        raise


def _inputs(manifest: Manifest, variant: Variant, session: Session) -> tuple[InputSpec, TensorSpec, list[InputSpec]]:
    """The manifest's picture input, the session's tensor for it, and the other inputs, which are states or constants."""
    specs = variant.inputs or manifest.inputs
    names = [tensor.name for tensor in session.inputs]
    pictures = [spec for spec in specs if spec.kind == "image"]
    if len(specs) != len(names) or len(pictures) != 1:
        raise ManifestError(f"{manifest.id}: an image model has one input; the manifest has {len(specs)}, the file has {names}")
    states = [spec for spec in specs if spec is not pictures[0]]
    if len(names) > 1 and pictures[0].name not in names:
        raise ManifestError(
            f"{manifest.id}: the image input in the manifest is {pictures[0].name!r}, the file's inputs are {names}"
        )
    if pictures[0].name not in ("", *names):
        raise ManifestError(f"{manifest.id}: the manifest's input is {pictures[0].name!r}, the file's is {names[0]!r}")
    tensor = next((each for each in session.inputs if each.name == pictures[0].name), session.inputs[0])
    if session.folded:  # the graph scales and transposes by itself
        plain = replace_fields(pictures[0], shape=list(tensor.shape), dtype="uint8", layout="nhwc", mean=[], std=[])
        return plain, tensor, states
    return pictures[0], tensor, states


def _picture(manifest: Manifest, variant: Variant) -> InputSpec | None:
    """The manifest's picture input; None without one."""
    return next((spec for spec in variant.inputs or manifest.inputs if spec.kind == "image"), None)


def _head(manifest: Manifest, variant: Variant, session: Session, picture: Preprocessor, labels: tuple[str, ...]) -> Head:
    family = plugins.load("heads", manifest.head.family, ManifestError)
    context = HeadContext(
        outputs={spec.name: spec for spec in session.outputs},
        names={**manifest.head.outputs, **variant.outputs},
        params=manifest.head.params,
        input_width=picture.width,
        input_height=picture.height,
        labels=labels,
        input=picture.tensor,
    )
    head: Head = family(context)
    return head


def _safe_name(text: str) -> str:
    """`text` as a valid name of a package."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", text).lstrip("_.-")[:64] or "model"
