"""The arrays' part of the contract of backends, for every runtime: what is read-only, unaligned, empty or large is computed as
any other array; the other byte order is refused with a reason."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import BFLOAT16, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.serving.protocol.tensors import DTYPES, Array, text_of
from edgefleet_contract.core.errors import ModelError
from tests.agent.backends.faulty.installation import install
from tests.agent.serving.matrix.models import SUFFIXES, bare, sample, write_model

NUMBERS = sorted(set(DTYPES) - {"BYTES"})


@pytest.fixture(params=[*SUFFIXES, "isolated"])
def runtime(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    return str(request.param)


def opened(runtime: str, datatype: str, folder: Path) -> Session:
    known = "onnx_runtime" if runtime == "isolated" else runtime
    files = write_model(known, datatype, "open", folder)
    options = {"isolation": "process"} if runtime == "isolated" else {}
    return find_backend(known).load(files, LoadOptions(threads=1, options=options))


def test_every_kind_of_array(runtime: str, tmp_path: Path) -> None:
    for datatype in NUMBERS if runtime != "isolated" else ("FP32", "BF16"):
        if (runtime, datatype) == ("lite_rt", "BF16"):
            continue  # refused at load, see below
        session = opened(runtime, datatype, tmp_path / datatype)
        given = sample(datatype, "open")
        expected = np.array(session.infer({"X": given})["Y"])

        def answer(array: Array, session: Session = session) -> Array:
            return np.array(session.infer({"X": array})["Y"])

        read_only = given.copy()
        read_only.flags.writeable = False
        assert answer(read_only).tobytes() == expected.tobytes(), datatype
        padded = np.frombuffer(b"\0" + given.tobytes(), np.uint8)[1:].view(given.dtype).reshape(given.shape)
        assert padded.flags.aligned == (given.itemsize == 1 or given.dtype == BFLOAT16)  # a structure is always aligned
        assert answer(padded).tobytes() == expected.tobytes(), datatype
        assert [np.array(each["Y"]).tobytes() for each in session.infer_all([{"X": padded}] * 2)] == [expected.tobytes()] * 2
        if runtime == "lite_rt":
            with pytest.raises(ModelError, match="Invalid tensor size"):
                answer(given[:0].copy())
        else:
            empty = answer(given[:0].copy())
            assert (empty.shape, empty.dtype) == ((0, 6), given.dtype), datatype
        large = np.tile(given, (50_000, 1))
        assert answer(large).tobytes() == np.tile(expected, (50_000, 1)).tobytes(), datatype
        assert answer(given).tobytes() == expected.tobytes(), datatype
        if given.itemsize > 1:
            with pytest.raises(ModelError, match="input 'X' is"):
                session.infer({"X": given.astype(given.dtype.newbyteorder())})
        session.close()


def test_texts(runtime: str, tmp_path: Path) -> None:
    session = opened(runtime, "BYTES", tmp_path)
    given = sample("BYTES", "open")
    blank = np.full((2, 6), b"", np.object_)
    for array in (given, given[:1], blank, given):
        assert [text_of(each) for each in session.infer({"X": array})["Y"].flat] == list(array.flat)
    if runtime != "lite_rt":
        assert session.infer({"X": given[:0]})["Y"].shape == (0, 6)
    session.close()


def test_what_a_runtime_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="LiteRT cannot load it"):
        opened("lite_rt", "BF16", tmp_path)
    importlib.import_module("ml_dtypes")  # gives NumPy a bfloat16
    with pytest.raises(ModelError, match="LiteRT cannot load it"):
        opened("lite_rt", "BF16", tmp_path)
    session = opened("open_vino", "BYTES", tmp_path / "texts")
    with pytest.raises(ModelError, match="zero byte"):
        session.infer({"X": np.array([[b"a\0"] * 6], np.object_)})
    long = np.array([[b"x" * 1_000_000] + [b""] * 5] * 100, np.object_)
    with pytest.raises(ModelError, match="length of the longest"):
        session.infer({"X": long})


@pytest.mark.parametrize("datatype", ["INT64", "UINT64", "FP64"])
def test_open_vino_computes_64_bits_in_32(tmp_path: Path, datatype: str) -> None:
    """A known loss of its CPU plug-in: the documents say so."""
    files = write_model("open_vino", datatype, "open", tmp_path)
    small = np.arange(18).reshape(3, 6).astype(DTYPES[datatype])
    assert (bare("open_vino", files, small) == small).all()
    assert (bare("open_vino", files, sample(datatype, "open")) != sample(datatype, "open")).any()
