"""Protobuf's text format: values, lines, and texts that are none."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.text_format import TextMessage, read_text_format, to_plain

TEXT = """
# a comment
name: "cats" 'and' "dogs"
max_batch_size : 0x10
input [ { name: "images" data_type: TYPE_FP32 dims: [ 3, -1, 010 ] } ]
group [{ count: 2; kind: KIND_CPU }], group < count: 3 >
parameters { key: "note" value { string_value: "it\\"s \\\\ here\\n\\x41\\101" } }
share: 0.5
"""


def test_values() -> None:
    fields = to_plain(read_text_format(TEXT, "config.pbtxt"))
    assert fields["name"] == ["catsanddogs"]
    assert fields["max_batch_size"] == [16]
    assert fields["input"] == [{"name": ["images"], "data_type": ["TYPE_FP32"], "dims": [3, -1, 8]}]
    assert fields["group"] == [{"count": [2], "kind": ["KIND_CPU"]}, {"count": [3]}]
    assert fields["parameters"][0]["value"] == [{"string_value": ['it"s \\ here\nAA']}]
    assert fields["share"] == ["0.5"]


def test_every_value_has_its_line() -> None:
    message = read_text_format('a: 1\nb {\n  c: "x"\n  c: "y"\n}\n', "x")
    assert (message.lines["a"], message.lines["b"]) == (1, 2)
    inner = message.fields["b"][0].value
    assert isinstance(inner, TextMessage)
    assert [each.line for each in inner.fields["c"]] == [3, 4]
    assert inner.fields["c"][0].quoted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: {\n", "f:2: ends in the middle"),
        ("a: 1\n\nb 7", "f:3: .*':' is missing"),
        ("a: 1 }", "f:1: '}' where the name of a field"),
        ("a: [1 2]", "f:1: '2' in a list"),
        ('a: "x\ny"', "f:1: .* cannot be read"),
        ("a: @", "f:1: .* cannot be read"),
        ("a: }", "f:1: '}' where a value"),
        ("a {" * 20 + "}" * 20, "f:1: nested deeper than 16"),
        ("a: [" + "1," * 100_001 + "1]", "more than 100000 values"),
    ],
)
def test_faults_have_a_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_text_format(text, "f")


@given(st.text(alphabet=st.sampled_from("ab:{}[]<>,;\"'\\#\n 01.-x"), max_size=80) | st.text(max_size=80))
def test_it_never_fails_otherwise(text: str) -> None:
    with contextlib.suppress(InputError):
        read_text_format(text, "f")
