"""Numbers in JSON: each fits its type, or is refused."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.json_codec import tensor_from_json


@pytest.mark.parametrize(
    ("datatype", "text"),
    [
        ("FP16", "[70000]"),
        ("FP32", "[1e40]"),
        ("FP32", "[[1],[-1e40]]"),
        ("FP64", "[1e400]"),
        ("UINT8", "[256]"),
        ("UINT8", "[-1]"),
        ("INT8", "[128]"),
        ("INT16", "[40000]"),
        ("UINT16", "[65536]"),
        ("INT32", "[3000000000]"),
        ("UINT32", "[-1]"),
        ("INT64", "[9223372036854775808]"),
        ("UINT64", "[18446744073709551616]"),
    ],
)
def test_a_number_that_does_not_fit_is_refused(datatype: str, text: str) -> None:
    with pytest.raises(CallError):
        tensor_from_json("X", datatype, None, msgspec.Raw(text.encode()))


@pytest.mark.parametrize(
    ("datatype", "text"),
    [
        ("FP16", "65504"),
        ("FP32", "3.4e38"),
        ("FP32", "1e-46"),
        ("UINT8", "255"),
        ("INT8", "-128"),
        ("UINT64", "18446744073709551615"),
    ],
)
def test_the_largest_that_fit(datatype: str, text: str) -> None:
    array = tensor_from_json("X", datatype, None, msgspec.Raw(f"[{text}]".encode()))
    assert array == np.array([float(text) if "." in text or "e" in text else int(text)]).astype(array.dtype)
