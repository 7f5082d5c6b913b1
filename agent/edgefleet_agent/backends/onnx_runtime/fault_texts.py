"""The causes in errors of ONNX Runtime, without names of C++ functions and source files around them."""

from __future__ import annotations

import re

from edgefleet_agent.backends.base import one_line

_TEXT_MAX = 16 * 1024
_CODE = re.compile(r"\d+ : \w+ : ")
_LIBRARY = re.compile(r"\b([A-Z]{2,16}) failure (-?\d{1,10}): ([^;\n]{1,300}?) ; GPU=")
_SOURCE_PLACE = re.compile(r"^/\S+:\d+ (.* was false\. |.*?\) )", re.DOTALL)
_NO_MEMORY = ("out of memory", "Failed to allocate memory", "failed to allocate memory", "CUBLAS_STATUS_ALLOC_FAILED")


def library_fault(cause: BaseException) -> str:
    """The innermost text of an error: the failure of a vendor's library, such as `CUDA failure 2: out of memory`, or the
    message of a status or plug-in."""
    text = str(cause)[:_TEXT_MAX]
    if named := _LIBRARY.search(text):
        return f"{named[1]} failure {named[2]}: {named[3]}"
    inner = _CODE.sub("", text.rpartition("[ONNXRuntimeError] : ")[2], count=1)
    inner = inner.partition("Status Message: ")[2] or inner
    return one_line(RuntimeError(_SOURCE_PLACE.sub("", inner) or inner or text))


def is_out_of_memory(fault: str) -> bool:
    """Whether the text of a fault says that memory of the device was not to be had."""
    return any(words in fault for words in _NO_MEMORY)
