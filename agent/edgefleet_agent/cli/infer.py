"""`edgefleet-agent infer`: runs a model on pictures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import cv2
import msgspec

from edgefleet_agent.cli.support.argument_types import (
    check_no_file_options,
    count,
    local_file,
    parameter,
    positive_count,
    profile_name,
)
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.prepared_input import Inference
from edgefleet_agent.service.profile_choice import device_runtimes, file_device, own_profile, unused_accelerator
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import ModelOutput, model_outputs, result_kind, value_texts
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import draw, shade, to_bgr
from edgefleet_agent.vision.results import Mask, Result
from edgefleet_contract.core.command_line import fraction
from edgefleet_contract.core.errors import MediaError, MissingError, StoreError
from edgefleet_contract.core.fault_text import name_text
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text, number_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `infer`."""
    parser.add_argument("images", nargs="+", type=local_file, metavar="IMAGE", help="Image file (JPEG, PNG, BMP, WebP or TIFF)")
    group = parser.add_argument_group("model")
    model = group.add_mutually_exclusive_group(required=True)
    model.add_argument("--package", type=Path, metavar="DIR", help="Package folder (contains model.toml)")
    model.add_argument("--model", type=Path, metavar="FILE", help="Bare model file (.tflite, .onnx, .ort or .xml)")
    group.add_argument(
        "--head",
        metavar="NAME",
        help="Model family of a bare file: ssd, classification, ... (default: that of a detector)",
    )
    group.add_argument(
        "--param", type=parameter, action="append", default=[], metavar="K=V", help="Head parameter of a bare file; repeatable"
    )
    group.add_argument("--labels", type=Path, metavar="FILE", help="Label file of a bare file, one label per line")
    group.add_argument("--variant", metavar="V", help="Package variant (default: best match for this device)")
    runtime = parser.add_argument_group("runtime")
    runtime.add_argument(
        "--backend",
        metavar="B",
        help="Runtime: lite_rt, onnx_runtime, open_vino, ncs2, hailo, rknn or that of a plug-in (default: best match)",
    )
    runtime.add_argument("--device", default="", metavar="D", help="Compute device: cpu, edgetpu, cuda, npu, ...")
    runtime.add_argument(
        "--profile", type=profile_name, metavar="P", help="Device profile that selects the variant (default: the detected one)"
    )
    runtime.add_argument("--strict", action="store_true", help="Fail if the device cannot be used, instead of taking another")
    runtime.add_argument("--threads", type=count, default=0, metavar="N", help="Number of runtime threads (default: up to 4)")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--min-score", type=fraction, default=0.5, metavar="S", help="Confidence threshold of detections (default: %(default)s)"
    )
    output.add_argument(
        "--top",
        type=positive_count,
        default=5,
        metavar="K",
        help="Number of classes printed for a classifier (default: %(default)s)",
    )
    output.add_argument("--draw", type=Path, metavar="DIR", help="Write each image with its results drawn to DIR (PNG)")
    output.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the model on every readable picture; unreadable ones are reported on stderr, and the exit code is 2."""
    profile = arguments.profile or own_profile("").name if arguments.package is not None else ""
    model = _open(arguments, profile)
    fallback = _fallback(arguments, profile, model)
    rows: list[dict[str, Any]] = []
    unreadable, many = 0, len(arguments.images) > 1
    try:
        for number, path in enumerate(arguments.images, 1):
            _progress(number, len(arguments.images))
            try:
                frame = read_picture(path)
            except MediaError as error:
                print(f"edgefleet-agent: {error}", file=sys.stderr)
                unreadable = MediaError.exit_code
                continue
            done = model.infer(frame, arguments.min_score)
            found = model_outputs(done.result, model.label, arguments.top, areas=True)
            rows.append(_row(path, found, done, model, fallback))
            if arguments.draw is not None:
                # Pictures of two folders may share a name.
                _draw(arguments.draw, f"{number:04d}-{path.stem}.png" if many else f"{path.stem}.png", frame, done.result, found)
            if not arguments.json:
                _print(path, found, done, arguments.min_score)
    finally:
        model.close()
    if arguments.json:
        plain = msgspec.json.decode(msgspec.json.encode(rows))  # NaN, which JSON does not have, is null
        print(json_text(plain, indent=1, ascii_only=False))
    else:
        placement, why = model.placement, f" ({fallback})" if fallback else ""
        print(f"{model.manifest.id} on {placement.runtime} {placement.version}, {placement.device}{why}")
    return unreadable


def _open(arguments: argparse.Namespace, profile: str) -> LoadedModel:
    if arguments.package is not None:
        check_no_file_options(arguments.package, arguments.labels, arguments.head, arguments.param)
        return LoadedModel.open(
            arguments.package,
            runtimes=[arguments.backend] if arguments.backend else device_runtimes(profile),
            profile=profile,
            threads=arguments.threads,
            variant=arguments.variant,
            device=arguments.device,
            strict=arguments.strict,
        )
    return LoadedModel.from_file(
        arguments.model,
        arguments.head or "",
        arguments.labels,
        runtime=arguments.backend or "",
        threads=arguments.threads,
        device=arguments.device or file_device(arguments.model, arguments.backend or ""),
        params=dict(arguments.param),
        strict=arguments.strict,
    )


def _fallback(arguments: argparse.Namespace, profile: str, model: LoadedModel) -> str:
    """The reason why the model is on another device than the profile's; "" if it is not.

    Raises:
        MissingError: there is one, and --strict.
    """
    if model.placement.fell_back or arguments.package is None or arguments.variant or arguments.device or arguments.backend:
        return model.placement.detail if model.placement.fell_back else ""
    reason = unused_accelerator(profile, model.placement.device)
    if reason and arguments.strict:
        model.close()
        raise MissingError(f"{model.manifest.id}: {reason}; add one with `edgefleet model import FILE --into DIR`")
    return reason


def _row(path: Path, found: list[ModelOutput], done: Inference, model: LoadedModel, fallback: str) -> dict[str, Any]:
    """Result of one picture in the format of `infer --json`."""
    mask = done.result
    return {
        "image": name_text(path),
        result_kind(done.result): to_plain(found),
        **({"mask": {"size": list(mask.class_ids.shape), "runs": mask.runs()}} if isinstance(mask, Mask) else {}),
        "model": model.manifest.id,
        "runtime": model.placement.runtime,
        "device": model.placement.device,
        "fell_back": bool(fallback),
        "fallback_reason": fallback,
        "latency_ms": {"pre": round(done.pre_ms, 3), "invoke": round(done.invoke_ms, 3), "post": round(done.post_ms, 3)},
    }


def _print(path: Path, found: list[ModelOutput], done: Inference, min_score: float) -> None:
    print(f"{path}   {done.pre_ms:.1f} + {done.invoke_ms:.1f} + {done.post_ms:.1f} ms")
    if not found:
        print(f"  nothing with a score of {min_score:g} or higher")
    wide = max((len(answer.label) for answer in found), default=0)
    for answer in found:
        box = "".join(number_text(side, "9.1f") for side in answer.box or ())
        print(f"  {answer.label:{wide}}  {number_text(answer.score, '6.3f')}{box}")
        for point in answer.keypoints:
            place = number_text(point.x, "9.1f") + number_text(point.y, "9.1f")
            print(f"    {point.name:16} {number_text(point.score, '6.3f')}{place}")
        if answer.angle is not None:
            print(f"    angle {number_text(answer.angle, '.1f')} degrees")
        if answer.mask is not None:
            rows, columns = answer.mask.size
            share = sum(answer.mask.runs[1::2]) / (rows * columns)
            print(f"    mask of {rows} x {columns} cells, {share:.0%} on the object")
        for text in value_texts(answer):
            print(f"    {text}")
        if answer.vector:
            print(
                f"    vector of {len(answer.vector)}: {', '.join(number_text(value, '.3f') for value in answer.vector[:6])}, ..."
            )


def _draw(folder: Path, name: str, frame: Frame, result: Result, found: list[ModelOutput]) -> None:
    picture = to_bgr(frame)
    if isinstance(result, Mask):
        shade(picture, result)
    draw(picture, found)
    data = cv2.imencode(".png", picture)[1].tobytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    except OSError as cause:
        raise StoreError(f"{folder / name}: cannot be written: {cause.strerror}; choose another folder for --draw") from cause


def _progress(number: int, total: int) -> None:
    if total > 1 and sys.stderr.isatty():
        print(f"\r{number}/{total}", end="" if number < total else "\n", file=sys.stderr, flush=True)
