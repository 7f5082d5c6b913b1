"""How models that take pictures are called; what they do is in `pictures`, which is imported where there is one."""

from __future__ import annotations

from urllib.parse import parse_qsl

from agent.serving.call import Call, Signature
from agent.serving.errors import invalid
from agent.serving.tensors import objects

SUFFIX = ".picture"
PLATFORM = "edgefleet_picture"
INPUT, RESULT = "IMAGE", "RESULT"
PARAMETERS_MAX = 16


def picture_call(data: memoryview, target: bytes, signature: Signature) -> Call:
    """A call of a bare picture; its parameters stand behind the `?` of the target.

    Raises:
        CallError: the model takes no pictures.
    """
    if signature.platform != PLATFORM:
        raise invalid(f"model '{signature.model}' takes no picture; for packages with a head, '{signature.model}{SUFFIX}' does")
    try:
        query = dict(parse_qsl(target.partition(b"?")[2].decode(errors="replace"), max_num_fields=PARAMETERS_MAX))
    except ValueError as cause:
        raise invalid("more parameters behind the '?' than there are") from cause
    return Call({INPUT: objects([bytes(data)], (1,))}, parameters=query)
