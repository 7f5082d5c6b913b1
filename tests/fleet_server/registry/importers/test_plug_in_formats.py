"""Formats and families of plug-ins at the server: pushed, validated, imported; faulty ones are refused in one line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from edgefleet_contract import model_kinds
from edgefleet_server.core.errors import InputError, ManifestError, MissingError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.agent.fakes.plug_in import install_plug_in
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import files, tar

FORMAT = """
    from edgefleet_contract.package.families import Family
    from edgefleet_contract.package.formats import Format, ModelFile, Tensor
    from edgefleet_contract.package.manifest import InputSpec

    def read(path, data):
        if data == b"raise":
            raise ValueError("line 1\\nline 2")
        if data == b"nothing":
            return None
        return ModelFile(path, "", (Tensor("x", (1, 8, 8, 3), "uint8"),), (Tensor("y", (1, 3), "float32"),))

    TOY = Format((".toy",), ("toy",), read)
    BLIND = Format((".blind",), ("toy",))
    CHANNELS = Family("classification", InputSpec(resize="linear"))
    WRONG = object()
"""
POINTS = {
    "formats": {"toy": "TOY", "blind": "BLIND", "wrong": "WRONG", "gone": "NOT_THERE"},
    "families": {"channels": "CHANNELS", "wrong": "WRONG"},
}


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The formats and families of `POINTS` are installed."""
    folder = tmp_path / "installed"
    folder.mkdir()
    install_plug_in(folder, monkeypatch, "toy_kinds", FORMAT, POINTS)


def with_format(name: str) -> bytes:
    contents = files()
    text = contents["model.toml"].decode()
    assert '"tflite"' in text
    return tar({**contents, "model.toml": text.replace('"tflite"', f'"{name}"').encode()})


@pytest.fixture
def registry(tmp_path: Path) -> PackageRegistry:
    database = Database(migrated_file(tmp_path / "fleet.db"))
    database.migrate()
    made = PackageRegistry(BlobStore(tmp_path / "blobs"), database, TufRepository(tmp_path / "trust"), upload_bytes_max=4_000_000)
    made.open()
    return made


def test_a_push_of_an_unknown_format_is_refused(registry: PackageRegistry) -> None:
    with pytest.raises(ManifestError) as refused:
        registry.push(io.BytesIO(with_format("toy")), 1.0)
    text = str(refused.value)
    assert (
        "unknown format 'toy'; known are hailo_hef, onnx, openvino_ir, rknn, tflite; installed plug-ins (edgefleet.formats): none"
        in text
    )
    assert len(text.splitlines()) == 1


@pytest.mark.usefixtures("plug_in")
def test_a_push_of_a_plug_ins_format_is_accepted(registry: PackageRegistry) -> None:
    assert registry.push(io.BytesIO(with_format("toy")), 1.0).new
    with pytest.raises(ManifestError, match=r"unknown format 'tyo'; .*toy of toy-kinds 1\.0"):
        registry.push(io.BytesIO(with_format("tyo")), 1.0)


@pytest.mark.usefixtures("plug_in")
def test_import_and_validate_read_the_file_with_the_plug_in(tmp_path: Path) -> None:
    (tmp_path / "mean.toy").write_bytes(b"fine")
    (made,) = import_model(tmp_path / "mean.toy", tmp_path / "made", ImportRequest(family="channels", labels=("r", "g", "b")))
    assert isinstance(made, Imported)
    (variant,) = made.manifest.variants
    assert (variant.format, variant.runtimes, variant.files) == ("toy", ["toy"], ["mean.toy"])
    assert made.manifest.inputs[0].resize == "linear", "the preprocessing of the plug-in's family"
    findings = lint(made.folder)[1]
    assert [each.text for each in findings if each.level == "error" or "family" in each.text] == []
    (made.folder / "model.toml").write_text((made.folder / "model.toml").read_text().replace("[1, 8, 8, 3]", "[1, 9, 9, 3]"))
    assert "input x is [1, 8, 8, 3], the manifest says [1, 9, 9, 3]" in [each.text for each in lint(made.folder)[1]]


@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.toy", b"raise", "format 'toy' cannot read it (line 1"),
        ("a.toy", b"nothing", "the reader of format 'toy' returns no ModelFile; correct the plug-in"),
        ("a.blind", b"", "the plug-in of format 'blind' has no reader of such files; write model.toml by hand"),
        (
            "a.tyo",
            b"",
            "unknown model format; specify a file ending in .onnx, .ort, .tflite, .xml, .hef, .rknn, .blind, .toy;",
        ),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as refused:
        import_model(tmp_path / name, tmp_path / "made", ImportRequest(family="channels"))
    assert text in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.usefixtures("plug_in")
def test_faulty_plug_ins_are_named() -> None:
    with pytest.raises(ManifestError, match=r"format 'wrong' of toy-kinds 1\.0 is no Format; correct the plug-in"):
        model_kinds.find_format("wrong")
    with pytest.raises(MissingError, match="format 'gone' cannot be imported"):
        model_kinds.find_format("gone")
    with pytest.raises(ManifestError, match=r"model family 'wrong' of toy-kinds 1\.0 is no Family"):
        model_kinds.find_family("wrong")
    assert set(model_kinds.known_formats()) == {"onnx", "tflite", "openvino_ir", "hailo_hef", "rknn", "toy", "blind"}


def test_a_family_that_the_server_does_not_know_is_a_warning(tmp_path: Path) -> None:
    for name, content in files().items():
        text = content.replace(b'family = "yolox"', b'family = "channels"') if name == "model.toml" else content
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    warnings = [each.text for each in lint(tmp_path)[1] if each.level == "warning"]
    assert any("unknown model family 'channels'; known are" in each and "(edgefleet.families): none" in each for each in warnings)
