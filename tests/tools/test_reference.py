"""The reference in docs/reference: current, complete, and its JSON Schemas as strict as the readers."""

from __future__ import annotations

import argparse
import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.settings import Settings, read_settings
from edgefleet_contract.core.errors import EdgefleetError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.package.ensemble import EnsembleManifest
from edgefleet_contract.package.manifest import Manifest, read_manifest
from edgefleet_contract.pipeline import graph, sensor_options
from edgefleet_contract.pipeline.spec import RULE_KINDS, PipelineSpec, read_pipeline
from edgefleet_contract.pipeline.validate import check_work
from edgefleet_server.app import serve_options
from edgefleet_server.cli.apply.documents import Fleet
from edgefleet_server.cli.apply.located_yaml import read_yaml
from edgefleet_server.domain.policy.runtime_settings import ADJUSTABLE
from tools.reference import option_texts
from tools.reference.options import source_options, stage_options
from tools.reference.pages import file_page
from tools.reference.schemas import _schema
from tools.write_reference import COPIES, FOLDER, files

if TYPE_CHECKING:
    import jsonschema

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
PEOPLE = EXAMPLES / "people-over-a-line"
CORPUS = ROOT / "tests/corpus"
FILES = files()
PIPELINES = [*sorted(EXAMPLES.glob("*.toml")), *PEOPLE.glob("pipelines/*.toml"), *sorted(CORPUS.glob("*/pipelines/*/*.toml"))]
SETTINGS = [*sorted((EXAMPLES / "settings").glob("*.toml")), *PEOPLE.glob("*.toml"), *sorted(CORPUS.glob("*/agent.toml"))]
MANIFESTS = sorted((ROOT / "firmware_models").glob("*/*/model.toml"))
STAGE = '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'
PIPELINE = f'name = "hall"\n[source]\nkind = "file"\nuri = "a.mp4"\n{STAGE}'


@functools.cache
def _validator(name: str) -> jsonschema.Draft7Validator:
    import jsonschema  # takes seconds, which every collection of tests would

    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def _faults(name: str, text: str) -> list[str]:
    return [error.message for error in _validator(name).iter_errors(toml.parse(text, name))]


def _keys(kind: type[msgspec.Struct]) -> set[str]:
    """Every key of a file that `kind` reads, without those of the Python side."""
    found: set[str] = set()
    seen: set[type] = set()
    waiting: list[Any] = [msgspec.inspect.type_info(kind)]
    while waiting:
        info = waiting.pop()
        waiting += [getattr(info, part) for part in ("item_type", "value_type") if hasattr(info, part)]
        waiting += getattr(info, "types", ())
        if isinstance(info, msgspec.inspect.StructType) and info.cls not in seen:
            seen.add(info.cls)
            waiting += [field.type for field in info.fields]
            found |= {field.encode_name for field in info.fields} - {"unknown_fields", "file", "places"}
    return found


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_what_the_code_makes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == FILES[name], "run: python -m tools.write_reference"


@pytest.mark.parametrize("path", COPIES, ids=lambda path: path.name)
def test_the_dashboard_has_the_same_schema(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == FILES[COPIES[path]], "run: python -m tools.write_reference"


def test_the_folder_has_no_other_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FILES)


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("agent-toml.md", Settings),
        ("pipeline.md", PipelineSpec),
        ("model-toml.md", Manifest),
        ("ensemble.md", EnsembleManifest),
        ("fleet.md", Fleet),
    ],
)
def test_every_key_has_a_row_or_a_table_with_its_meaning(page: str, kind: type[msgspec.Struct]) -> None:
    text = FILES[page]
    rows = dict(re.findall(r"^\| `(\S+)` \|.*\| ([^|]*) \|$", text, re.MULTILINE))
    tables = {key for heading in re.findall(r"^## `\[+([^\]]+)\]+`$", text, re.MULTILINE) for key in heading.split(".")}
    assert _keys(kind) - rows.keys() - tables == set()
    assert [key for key, meaning in rows.items() if not meaning.strip()] == []


class _Shelf(Wire):
    """A shelf."""

    height: int
    """Height in metres."""


class _Cupboard(Wire):
    """A cupboard."""

    shelves: dict[str, _Shelf] = msgspec.field(default_factory=dict)


def test_tables_with_names_of_ones_own_are_described() -> None:
    page = file_page("Cupboard", "", _schema(_Cupboard, "Cupboard", closed=True))
    assert "\n## `[shelves.NAME]`\n\nA shelf.\n" in page
    assert "| `height` | integer | required | Height in metres. |\n" in page
    assert "| `shelves` |" not in page


def test_every_option_of_the_server_and_every_setting_of_its_run_time_is_there() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    serve_options.add_arguments(parser)
    text = FILES["server.md"]
    options = {string for action in parser._actions for string in action.option_strings}
    assert [option for option in sorted(options) if not re.search(rf"^\| `{option}[ `]", text, re.MULTILINE)] == []
    assert [setting.name for setting in ADJUSTABLE.values() if not setting.flag and f"`{setting.name}`" not in text] == []
    at_run_time = {flag.strip() for setting in ADJUSTABLE.values() for flag in setting.flag.split(",")} & options
    assert set(re.findall(r"^\| `(--[a-z-]+)[^|]*(?:\\\|[^|]*)*\|.*\| yes \|$", text, re.MULTILINE)) == at_run_time


def test_texts_are_about_what_the_code_has() -> None:
    options = source_options()
    assert set(option_texts.SOURCES) == {*plugins.TABLES["sources"], *plugins.TABLES["sensors"]}
    assert set(option_texts.SOURCE_OPTIONS) == {name for known in options.values() for name in known}
    assert set(option_texts.STAGES) == {*graph._BUILDERS, *sensor_options.OPTIONS, "classify"}
    named = {f"{kind}.{name}" for kind, known in stage_options().items() for name in known}
    assert set(option_texts.STAGE_OPTIONS) == named
    assert set(option_texts.RULES) == set(RULE_KINDS)


@pytest.mark.parametrize("kind", sorted(option_texts.STAGES))
def test_options_of_a_stage_are_those_that_its_error_lists(kind: str) -> None:
    sensor = kind in sensor_options.OPTIONS
    before = {"score": '[[stages]]\nname = "w"\nkind = "window"\n', "ensemble": STAGE + STAGE.replace("find", "again")}
    first = before.get(kind, STAGE if kind in ("crops", "track") else "")
    own = {"ensemble": 'of = ["find", "again"]\n', "detect": 'model = "slot:x"\n'}
    own |= {"classify": own["detect"], "crops": own["detect"]}
    stage = f'[[stages]]\nname = "one"\nkind = "{kind}"\n{own.get(kind, "")}[stages.options]\nunheard = 1\n'
    source = '[source]\nkind = "csv"\nuri = "a.csv"\n' if sensor else '[source]\nkind = "file"\nuri = "a.mp4"\n'
    with pytest.raises(PipelineError, match="unheard") as error:
        check_work(read_pipeline(f'name = "p"\n{source}{first}{stage}', "p.toml"))
    known = re.search(r"known are (.*)$", str(error.value))
    assert set(known[1].split(", ") if known else []) == set(stage_options()[kind])


@pytest.mark.parametrize("path", PIPELINES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pipelines_fit_their_schema(path: Path) -> None:
    assert _faults("pipeline", path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: str(path.relative_to(ROOT)))
def test_settings_fit_their_schema_and_are_read(path: Path) -> None:
    assert _faults("agent", path.read_text(encoding="utf-8")) == []
    assert read_settings(path).device


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_manifests_fit_their_schema(path: Path) -> None:
    assert _faults("model", path.read_text(encoding="utf-8")) == []


def test_the_example_of_an_ensemble_fits_its_schema() -> None:
    text = (ROOT / "contract/edgefleet_contract/package/ensemble.py").read_text(encoding="utf-8")
    example = text.partition("\n\n")[2].partition("\n\nA tensor")[0].replace("\n    ", "\n")
    assert _faults("ensemble", example) == []
    assert _faults("ensemble", example.replace("output_map", "outputs_map"))


def _blocks() -> list[tuple[str, str]]:
    """Schema and text of each whole file in the documents."""
    found = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        for text in re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            keys = toml.parse(text, page.name).keys()
            kinds = {"agent": {"device"}, "pipeline": {"name", "source"}, "model": {"name", "variants"}}
            kind = next((name for name, needed in kinds.items() if needed <= keys), "")
            found += [(kind, text)] if kind else []
    return found


def test_files_in_the_documents_fit_their_schema() -> None:
    blocks = _blocks()
    assert {kind for kind, _ in blocks} == {"agent", "pipeline", "model"}
    assert [(text, faults) for kind, text in blocks if (faults := _faults(kind, text))] == []


def test_the_files_of_a_fleet_in_the_documents_fit_their_schema() -> None:
    page = (ROOT / "docs/fleet-as-code.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for text in blocks:
        value = read_yaml(text, "page").value
        assert list(_validator("fleet").iter_errors(value)) == []
        for kind in value.keys() - {"name"}:
            for name in value[kind]:
                changed = {**value, kind: {name: {**value[kind][name], "colour": "red"}}}
                assert [error.message for error in _validator("fleet").iter_errors(changed)] != [], f"{kind}.{name}"
    assert list(_validator("fleet").iter_errors({"alerts": {"hot": {"kind": "threshold", "figure": None}}})) == []


@pytest.mark.parametrize(
    "path", [*EXAMPLES.glob("*.toml"), *EXAMPLES.glob("settings/*.toml"), *PEOPLE.rglob("*.toml")], ids=lambda path: path.name
)
def test_the_first_line_of_an_example_names_its_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith("#:schema ")
    assert (path.parent / first.removeprefix("#:schema ")).resolve().is_relative_to(FOLDER)
    assert (path.parent / first.removeprefix("#:schema ")).is_file()


def _read_settings(text: str, folder: Path) -> None:
    (folder / "agent.toml").write_text(text, encoding="utf-8")
    read_settings(folder / "agent.toml")


def _read_pipeline(text: str, folder: Path) -> None:
    check_work(read_pipeline(text, "p.toml"))


def _read_manifest(text: str, folder: Path) -> None:
    read_manifest(text, "model.toml")


VALID = {"agent": 'device = "line-7"\n', "pipeline": PIPELINE, "model": MANIFESTS[0].read_text(encoding="utf-8")}
READERS: dict[str, Callable[[str, Path], None]] = {"agent": _read_settings, "pipeline": _read_pipeline, "model": _read_manifest}


@pytest.mark.parametrize(
    ("schema", "old", "new"),
    [
        ("agent", "line-7", "Line 7"),
        ("agent", 'device = "line-7"', ""),
        ("agent", "\n", "\nbrokr = 'x'\n"),
        ("agent", "\n", "\ntelemetry_s = 0\n"),
        ("agent", "\n", "\n[link]\nreconnect_s = 1.0\n"),
        ("agent", "\n", "\n[evidence]\nupload = ['film']\n"),
        ("agent", "\n", "\n[serving.split.part]\n'1.x' = 1\n"),
        ("agent", "\n", "\n[labels]\nSite = 'north'\n"),
        ("pipeline", 'kind = "detect"', 'kind = "detects"'),
        ("pipeline", 'kind = "detect"', 'kind = "detect"\nmin_score = 1.5'),
        ("pipeline", 'kind = "detect"', 'kind = "detect"\nscore = 0.5'),
        ("pipeline", 'kind = "detect"', 'kind = "detect"\noptions = { low = 1 }'),
        ("pipeline", "[source]", "[[zones]]\nname = 'a'\npolygon = [[0.1, 0.2], [0.3, 0.4]]\n[source]"),
        ("pipeline", "[source]", "[[zones]]\nname = 'a'\npolygon = [[0.1, 0.2], [0.3, 0.4], [0.5]]\n[source]"),
        ("pipeline", "[source]", "[[rules]]\nname = 'a'\nkind = 'visits'\n[source]"),
        ("model", "[head]", "[head]\nparams = 3"),
        ("model", 'task = "', 'task = "no '),
    ],
)
def test_a_schema_refuses_what_its_reader_refuses(schema: str, old: str, new: str, tmp_path: Path) -> None:
    valid = VALID[schema]
    READERS[schema](valid, tmp_path)
    assert _faults(schema, valid) == []
    wrong = valid.replace(old, new, 1)
    assert wrong != valid
    with pytest.raises(EdgefleetError):
        READERS[schema](wrong, tmp_path)
    assert _faults(schema, wrong)
