"""Public models by URL and SHA-256: what arrives whole becomes a package, everything else is reported and leaves nothing."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import EdgefleetError, InputError, UnavailableError
from edgefleet_server.model_tools.catalogue.entries import BUILT_IN, Download, entries, read_entry
from edgefleet_server.model_tools.catalogue.fetch import fetch
from edgefleet_server.registry.importers.package_lint import lint
from tests.fleet_server.model_tools.web import Site, serve

BODY = random.Random(5).randbytes(300_000)
SHA256 = hashlib.sha256(BODY).hexdigest()


def download(site: Site, **more: object) -> Download:
    known = {"path": "model.onnx", "url": f"{site.url}/model.onnx", "length": len(BODY), "sha256": SHA256}
    return Download(**{**known, **more})  # type: ignore[arg-type]


def got(site: Site, cache: Path, **more: object) -> tuple[bytes, list[int]]:
    steps: list[int] = []
    return fetch(download(site, **more), cache, steps.append, pause_s=0.001).read_bytes(), steps


def test_an_interrupted_download_resumes(tmp_path: Path) -> None:
    with serve(Site({"/model.onnx": BODY}, cut=[100_000, 50_000, 1])) as site:
        body, steps = got(site, tmp_path)
        assert body == BODY
        assert [requests for _, requests in site.requests] == ["", "bytes=100000-", "bytes=150000-", "bytes=150001-"]
        assert steps[-1] == len(BODY)
        assert sorted(steps) == steps  # what has arrived never arrives again
        assert got(site, tmp_path)[0] == BODY
        assert len(site.requests) == 4  # the second time it is there
    assert [path.name for path in tmp_path.iterdir()] == [SHA256]


def test_another_run_resumes_the_download(tmp_path: Path) -> None:
    with (
        serve(Site({"/model.onnx": BODY}, cut=[120_000, *[0] * 20])) as site,
        pytest.raises(UnavailableError, match="is kept, try again"),
    ):
        got(site, tmp_path)
    assert (tmp_path / f"{SHA256}.part").stat().st_size == 120_000
    with serve(Site({"/model.onnx": BODY})) as site:
        assert got(site, tmp_path)[0] == BODY
        assert [requests for _, requests in site.requests] == ["bytes=120000-"]


@settings(max_examples=20)
@given(cuts=st.lists(st.integers(0, 120_000), max_size=4), ranges=st.booleans())
def test_any_cut_ends_with_the_same_bytes(tmp_path_factory: pytest.TempPathFactory, cuts: list[int], ranges: bool) -> None:
    with serve(Site({"/model.onnx": BODY}, cut=list(cuts), ranges=ranges)) as site:
        assert got(site, tmp_path_factory.mktemp("cache"))[0] == BODY


@pytest.mark.parametrize(
    ("site", "change", "reason"),
    [
        (Site({"/model.onnx": BODY[:-1] + b"!"}), {}, "SHA-256 differs"),
        (Site({"/model.onnx": BODY}, endless=True), {}, "longer than the 300000 bytes"),
        (Site({"/model.onnx": BODY + b"more"}), {}, "longer than the 300000 bytes"),
        (Site({"/model.onnx": BODY[:-1]}), {}, "299999 bytes are there, the catalogue knows 300000"),
        (Site({"/model.onnx": BODY[:-1]}, cut=[1000]), {}, "299999 bytes are there, the catalogue knows 300000"),
        (Site({}), {}, "answered 404"),
        (Site({"/model.onnx": BODY}, cut=[9] * 90, shift=1), {}, "SHA-256 differs|longer than|no answer"),
    ],
    ids=["other bytes", "endless", "longer", "shorter", "shorter and cut", "gone", "wrong range"],
)
def test_what_is_not_the_file_is_refused(tmp_path: Path, site: Site, change: dict[str, object], reason: str) -> None:
    with serve(site), pytest.raises(EdgefleetError, match=reason):
        got(site, tmp_path, **change)
    assert not (tmp_path / SHA256).exists()
    for part in tmp_path.glob("*.part"):
        assert part.stat().st_size <= len(BODY)


def test_a_failing_server_is_retried(tmp_path: Path) -> None:
    with serve(Site({"/model.onnx": BODY}, statuses=[503, 429, 500])) as site:
        assert got(site, tmp_path)[0] == BODY
    with serve(Site({"/model.onnx": BODY}, statuses=[503] * 9)) as site, pytest.raises(UnavailableError, match="answered 503"):
        got(site, tmp_path / "other")
    with serve(Site({"/model.onnx": BODY})) as site:
        site.redirect = site.url
        assert got(site, tmp_path / "third")[0] == BODY


ENTRY = """name = "tiny"
version = "2.0.0"
task = "classification"
labels_file = "labels.txt"
head = { family = "classification" }
inputs = [{ shape = [1, 3, 8, 8], dtype = "float32", layout = "nchw" }]
variants = [{ name = "onnx-f32", format = "onnx", files = ["model.onnx"], runtimes = ["onnx_runtime"] }]
download = [
  { path = "model.onnx", url = "URL/model.onnx", length = 300000, sha256 = "SHA" },
  { path = "labels.txt", url = "URL/labels", length = 12, sha256 = "LAB", without = "n/a" },
]
"""
LABELS = b"cat\nn/a\ndog\n"


def entry_file(folder: Path, site: Site) -> Path:
    text = ENTRY.replace("URL", site.url).replace("SHA", SHA256).replace("LAB", hashlib.sha256(LABELS).hexdigest())
    (folder / "tiny.toml").write_text(text, encoding="utf-8")
    return folder / "tiny.toml"


def test_the_command_makes_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serve(Site({"/model.onnx": BODY, "/labels": LABELS}, cut=[1000])) as site:
        arguments = ["model", "fetch", "tiny", "--catalogue", str(entry_file(tmp_path, site)), "--into", str(tmp_path / "models")]
        assert main([*arguments, "--json"]) == 0
        folder = Path(json.loads(capsys.readouterr().out)["folder"])
        assert main(arguments) == 2
        assert "already exists" in capsys.readouterr().err
    assert folder == tmp_path / "models/tiny/2.0.0"
    assert (folder / "model.onnx").read_bytes() == BODY
    assert (folder / "labels.txt").read_text(encoding="utf-8") == "cat\ndog\n"
    manifest = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), "model.toml")
    assert manifest.provenance["fetched"]["model.onnx"]["sha256"] == SHA256
    assert (tmp_path / "cache/edgefleet/models" / SHA256).is_file()
    assert main(["model", "fetch", "nothing"]) == 2
    assert "no model 'nothing' in the catalogue; must be one of deeplab" in capsys.readouterr().err
    assert main(["model", "catalogue"]) == 0
    assert "yolox_nano" in capsys.readouterr().out


def test_nothing_stays_of_a_package_that_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serve(Site({"/model.onnx": BODY, "/labels": b"cat\nn/a\ncow\n"})) as site:
        arguments = ["model", "fetch", "tiny", "--catalogue", str(entry_file(tmp_path, site)), "--into", str(tmp_path / "models")]
        assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("URL/model.onnx", "file:///etc/passwd", "is no web address"),
        ("URL/model.onnx", "https://me:secret@x/", "is no web address"),
        ('path = "labels.txt"', 'path = "../labels.txt"', "download"),
        ('path = "labels.txt"', 'path = "other.txt"', "the manifest needs labels.txt, model.onnx"),
        ("length = 12", "length = 0", "length"),
        ('"SHA"', '"abc"', "sha256"),
    ],
)
def test_an_entry_that_is_not_valid(before: str, after: str, reason: str) -> None:
    text = ENTRY.replace(before, after, 1).replace("URL", "https://x").replace("SHA", SHA256).replace("LAB", SHA256)
    with pytest.raises(InputError, match=reason):
        read_entry(text, "tiny.toml")


TEXT = ("text_detector_ppocr_v4", "text_reader_ppocr_v4")
"""Entries whose files are not in the test data: tests/long/test_text_models.py has them from a Python package."""
NOT_FETCHED = tuple(name for name, entry in entries().items() if "Not fetched here" in entry.manifest.description)
"""Entries with the publisher's checksums, whose files this project has not seen."""
ADDRESSES = (
    r"https://storage\.openvinotoolkit\.org/repositories/open_model_zoo/[0-9.]+/models_bin/[0-9]+/.+",
    r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/.+",
    r"https://www\.modelscope\.cn/models/[^/]+/[^/]+/resolve/v[0-9.]+/.+",
)
"""Of one commit, or one version."""


def known_files(data: Path) -> dict[str, Path]:
    """The files of the test data by the SHA-256 that its list states."""
    text = (data / "DATA.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(models/[^`]+)`.*\| `([0-9a-f]{64})` \|$", text, re.MULTILINE)
    return {sha256: data / path for path, sha256 in rows}


def fetched(name: str, bodies: dict[str, bytes], folder: Path) -> Path:
    """The package of a built-in entry, whose files are served from here under other addresses. `bodies`: by SHA-256."""
    entry = entries()[name]
    text = (BUILT_IN / f"{name}.toml").read_text(encoding="utf-8")
    assert entry.manifest.name == name
    with serve(Site({f"/{each.sha256}": bodies[each.sha256] for each in entry.download})) as site:
        for each in entry.download:
            assert any(re.fullmatch(address, each.url) for address in ADDRESSES)
            text = text.replace(each.url, f"{site.url}/{each.sha256}")
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        assert main(["model", "fetch", name, "--catalogue", str(folder), "--into", str(folder / "models")]) == 0
    return folder / "models" / name / "1.0.0"


@pytest.mark.parametrize("name", sorted({path.stem for path in BUILT_IN.glob("*.toml")} - {*TEXT, *NOT_FETCHED}))
def test_every_entry_is_a_package_that_loads(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The bytes are those of the test data, whose list states the same SHA-256."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = known_files(data)
    folder = fetched(name, {each.sha256: files[each.sha256].read_bytes() for each in entries()[name].download}, tmp_path)
    manifest, findings = lint(folder)
    assert [each.text for each in findings if each.level == "error"] == []
    for variant in manifest.variants:
        if not variant.profiles and set(variant.runtimes) & set(installed_runtimes()):
            LoadedModel.open(folder, runtimes=installed_runtimes(), variant=variant.name, threads=1).close()


@pytest.mark.parametrize("name", NOT_FETCHED)
def test_an_entry_that_was_not_fetched_is_a_valid_package_of_a_fixed_version(name: str) -> None:
    entry = entries()[name]
    assert {each.path for each in entry.download} == set(entry.manifest.paths()[1:])
    assert all(any(re.fullmatch(address, each.url) for address in ADDRESSES) for each in entry.download)


def test_a_twin_for_the_edge_tpu_has_its_variant_for_the_cpu_beside_it() -> None:
    twins = 0
    for name, entry in entries().items():
        variants = entry.manifest.variants
        compiled = [each for each in variants if any(file.endswith("_edgetpu.tflite") for file in each.files)]
        assert all(each.profiles == ["coral"] for each in compiled), name
        assert not compiled or any(each.format == "tflite" and not each.profiles for each in variants), name
        twins += len(compiled)
    assert twins >= 5
