"""Files that a vendor's compiler made: recognized by their first bytes, and offered only to agents that know the format."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from edgefleet_contract.capabilities import lacking, required_by
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_server.core.errors import InputError, ManifestError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.read_model import read_model_file
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import tar

FORMATS = {"hailo_hef": (".hef", "hailo", b"\x01HEF" + bytes(32)), "rknn": (".rknn", "rknn", b"RKNN" + bytes(32))}
MANIFEST = """
name = "eye"
version = "1.0.0"
task = "classification"
licence = "Apache-2.0"
labels = ["a", "b"]
head = {{ family = "classification" }}
[[inputs]]
name = ""
shape = [1, 8, 8, 3]
[[variants]]
name = "npu"
format = "{format}"
precision = "int8"
files = ["eye{suffix}"]
runtimes = ["{runtime}"]
profiles = ["{runtime}"]
"""


@pytest.fixture(params=sorted(FORMATS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def package(kind: str, folder: Path, runtime: str = "", content: bytes | None = None) -> Path:
    suffix, own, right = FORMATS[kind]
    folder.mkdir()
    (folder / "model.toml").write_text(MANIFEST.format(format=kind, suffix=suffix, runtime=runtime or own), encoding="utf-8")
    (folder / f"eye{suffix}").write_bytes(right if content is None else content)
    return folder


def errors(folder: Path) -> list[str]:
    return [each.text for each in lint(folder)[1] if each.level == "error"]


def test_a_package_is_valid_and_its_file_is_recognized(kind: str, tmp_path: Path) -> None:
    made = package(kind, tmp_path / "right")
    assert errors(made) == []
    assert read_model_file(made / f"eye{FORMATS[kind][0]}").format == kind
    for number, content in enumerate((b"", b"\x08\x07onnx", bytes(64))):
        (text,) = errors(package(kind, tmp_path / str(number), content=content))
        assert "compile the model again" in text
    assert "onnx_runtime does not read" in errors(package(kind, tmp_path / "other", "onnx_runtime"))[0]


def test_an_import_is_refused_with_the_remedy(kind: str, tmp_path: Path) -> None:
    made = package(kind, tmp_path / "right")
    file = made / f"eye{FORMATS[kind][0]}"
    with pytest.raises(InputError, match=r"only its device knows its tensors; .* by hand"):
        import_model(file, tmp_path / "made", ImportRequest(family="classification"))
    with pytest.raises(InputError, match="only its device knows its tensors"):
        add_variant(file, made, ImportRequest())
    assert errors(made) == []


def test_a_push_is_accepted_and_an_older_agent_does_not_get_it(kind: str, tmp_path: Path) -> None:
    database = Database(migrated_file(tmp_path / "fleet.db"))
    database.migrate()
    registry = PackageRegistry(
        BlobStore(tmp_path / "blobs"), database, TufRepository(tmp_path / "trust"), upload_bytes_max=4_000_000
    )
    registry.open()
    made = package(kind, tmp_path / "right")
    packed = tar({path.name: path.read_bytes() for path in sorted(made.iterdir())})
    assert registry.push(io.BytesIO(packed), 1.0).new
    needed = required_by(read_manifest((made / "model.toml").read_text(encoding="utf-8"), "m"))
    assert "feature:other_formats" in needed
    assert lacking(needed, [], "0.2.0") == ["feature:other_formats"]
    assert lacking(needed, [], "0.3.0") == []


def test_a_format_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.hef").write_bytes(b"no")
    with pytest.raises(ManifestError, match="not a file of Hailo's compiler"):
        read_model_file(tmp_path / "x.hef")
