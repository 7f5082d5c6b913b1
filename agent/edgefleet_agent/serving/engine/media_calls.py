"""Requests to models that take images and videos. The models are in `picture_models` and `video_models`, imported on demand."""

from __future__ import annotations

from urllib.parse import parse_qsl

from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.tensors import objects

SUFFIX, CLIP_SUFFIX = ".picture", ".clip"
FRONTS = (SUFFIX, CLIP_SUFFIX)
"""Suffixes of the additional models of a package."""
PLATFORM, CLIP_PLATFORM = "edgefleet_picture", "edgefleet_clip"
INPUT, RESULT = "IMAGE", "RESULT"
CLIP = "VIDEO"
PARAMETERS_MAX = 16


def picture_call(data: memoryview, target: bytes, signature: TensorSignature) -> InferenceRequest:
    """A request with a bare image; its parameters are the query of the target.

    Raises:
        CallError: the model takes no images.
    """
    if signature.platform != PLATFORM:
        raise invalid(
            f"model '{signature.model}' does not accept images; for packages with a head, use '{signature.model}{SUFFIX}'"
        )
    return _bare_call(INPUT, data, target)


def clip_call(data: memoryview, target: bytes, signature: TensorSignature) -> InferenceRequest:
    """A request with a bare video; its parameters are the query of the target.

    Raises:
        CallError: the model takes no videos.
    """
    if signature.platform != CLIP_PLATFORM:
        raise invalid(
            f"model '{signature.model}' does not accept videos; for packages with a head, use '{signature.model}{CLIP_SUFFIX}'"
        )
    return _bare_call(CLIP, data, target)


def _bare_call(name: str, data: memoryview, target: bytes) -> InferenceRequest:
    try:
        query = dict(parse_qsl(target.partition(b"?")[2].decode(errors="replace"), max_num_fields=PARAMETERS_MAX))
    except ValueError as cause:
        raise invalid("too many query parameters") from cause
    return InferenceRequest({name: objects([bytes(data)], (1,))}, parameters=query)
