"""A package's digest covers all of its bytes; an invalid manifest is refused with an error that names the fault."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package import manifest as m
from edgefleet_contract.wire.messages import BLOCK_BYTES

TOML = """
name = "finder"
version = "1.2.3"
task = "detection"
labels = ["a", "b"]

[[inputs]]
shape = [1, 320, 320, 3]

[head]
family = "ssd"

[[variants]]
name = "cpu"
format = "tflite"
files = ["model.tflite"]
runtimes = ["lite_rt"]

[[variants]]
name = "npu"
format = "openvino_ir"
files = ["model.xml", "model.bin"]
runtimes = ["open_vino"]
profiles = ["intel-npu"]

[[golden]]
input = "golden/a.png"
expect = "golden/a.json"
"""


def test_a_device_needs_only_the_files_of_its_variant() -> None:
    manifest = m.read_manifest(TOML, "model.toml")
    assert manifest.paths() == ["model.toml", "model.tflite", "model.xml", "model.bin", "golden/a.png", "golden/a.json"]
    assert manifest.paths_for(manifest.variant("cpu")) == ["model.toml", "model.tflite", "golden/a.png", "golden/a.json"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("1.2.3", "1.2"), "version"),
        (('"finder"', '"Find er"'), "name"),
        (("model.tflite", "../model.tflite"), "variants[0].files[0]"),
        (("model.tflite", "/etc/passwd"), "variants[0].files[0]"),
        (('"npu"', '"cpu"'), "share a name"),
        (("[[inputs]]\nshape = [1, 320, 320, 3]\n", ""), "[[inputs]]"),
        (('task = "detection"', "task ="), "line 4"),
    ],
)
def test_a_fault_is_named_with_its_place(change: tuple[str, str], expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        m.read_manifest(TOML.replace(*change), "model.toml")
    assert expected in str(caught.value)


def test_an_unknown_variant_lists_those_that_exist() -> None:
    with pytest.raises(ManifestError, match="it has cpu, npu"):
        m.read_manifest(TOML, "model.toml").variant("tpu")


@given(data=st.binary(max_size=64), repeat=st.integers(0, 3 * BLOCK_BYTES // 64))
def test_blocks_cover_the_file_exactly(data: bytes, repeat: int) -> None:
    content = data * repeat
    entry = m.describe("f.bin", content)
    blocks = [content[at : at + BLOCK_BYTES] for at in range(0, len(content), BLOCK_BYTES)]
    assert entry.blocks == [hashlib.sha256(block).hexdigest() for block in blocks]
    assert entry.sha256 == hashlib.sha256(content).hexdigest()


def test_the_digest_does_not_depend_on_the_order_of_files() -> None:
    manifest = m.read_manifest(TOML, "model.toml")
    entries = [m.describe(path, path.encode()) for path in manifest.paths()]
    packed = m.pack_descriptor(manifest, entries)
    assert packed == m.pack_descriptor(manifest, entries[::-1])
    assert m.read_descriptor(packed).files[0].path == "model.toml"
    assert m.digest_of(packed) == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize(
    "entries",
    [
        [m.describe("a.bin", b"x")],
        [m.describe("model.toml", b"x"), m.describe("model.toml", b"x")],
        [m.FileEntry(path="model.toml", length=5, sha256="0" * 64)],
        [m.FileEntry(path="model.toml", length=m.PACKAGE_BYTES_MAX, sha256="0" * 64)],
    ],
)
def test_a_descriptor_that_does_not_add_up_is_refused(entries: list[m.FileEntry]) -> None:
    with pytest.raises(ManifestError):
        m.read_descriptor(m.pack_descriptor(m.read_manifest(TOML, "model.toml"), entries))


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('shape = [1, 2]\ndtype = "int64"\nvalue = [640, 480]', ""),
        ('shape = [-1, 2]\ndtype = "float32"\nvalue = [1, 0.5]', ""),
        ('dtype = "int64"\nvalue = [16000]', ""),
        ('shape = [3]\ndtype = "int8"\nvalue = [-128, 0, 127]', ""),
        ('shape = [1]\ndtype = "int64"\nvalue = [9223372036854775807]', ""),
        ('shape = [1, 2]\ndtype = "int64"\nvalue = [640]', "value has 1 numbers, its shape [1, 2] has 2"),
        ("shape = [2, 0]\nvalue = [1]", "value has 1 numbers, its shape [2, 0] has 2"),
        ('dtype = "int64"\nvalue = [640.0]', "value has 640.0; int64 takes whole numbers"),
        ('dtype = "uint8"\nvalue = [256]', "value has 256; uint8 takes whole numbers from 0 to 255"),
        ('dtype = "int32"\nvalue = [-2147483649]', "int32 takes whole numbers from -2147483648 to 2147483647"),
        ('dtype = "float16"\nvalue = [70000]', "value has 70000, which float16 cannot hold"),
        ('dtype = "float32"\nvalue = [nan]', "value has nan, which float32 cannot hold"),
        ('dtype = "float32"\nvalue = [inf]', "value has inf, which float32 cannot hold"),
        ('dtype = "float32"\nvalue = [1.0]\nfeedback = "out"', "and no feedback"),
        ('dtype = "float32"\nvalue = ["a"]', "value"),
        ('dtype = "float32"\nvalue = [true]', "value"),
    ],
)
def test_a_constant_has_the_numbers_of_its_shape_and_type(lines: str, fault: str) -> None:
    text = TOML.replace("[head]", f'[[inputs]]\nname = "size"\nkind = "tensor"\n{lines}\n\n[head]')
    if not fault:
        spec = m.read_manifest(text, "model.toml").inputs[1]
        assert len(spec.value) == max(1, len(spec.shape) and abs(spec.shape[-1]))
        return
    with pytest.raises(ManifestError, match=re.escape(fault)):
        m.read_manifest(text, "model.toml")


@pytest.mark.parametrize("change", [('kind = "tensor"', 'kind = "image"'), ('name = "size"\n', "")])
def test_a_picture_is_no_constant(change: tuple[str, str]) -> None:
    lines = '[[inputs]]\nname = "size"\nkind = "tensor"\ndtype = "int64"\nvalue = [1]\n\n[head]'
    with pytest.raises(ManifestError, match='needs a name and kind = "tensor"'):
        m.read_manifest(TOML.replace("[head]", lines.replace(*change)), "model.toml")


def test_a_constant_has_a_limit() -> None:
    lines = f'[[inputs]]\nname = "s"\nkind = "tensor"\nshape = [1025]\nvalue = {[1] * 1025}\n\n[head]'
    with pytest.raises(ManifestError, match="value"):
        m.read_manifest(TOML.replace("[head]", lines), "model.toml")
