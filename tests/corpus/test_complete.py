"""Whatever today's code has of a format is in the newest folder: a format that is not recorded is not yet a promise."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from edgefleet_agent.settings import Settings
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.pipeline.fleet_pipeline import _SECTION_KEYS
from edgefleet_contract.pipeline.spec import RULE_KINDS, SourceSpec
from tests.corpus import messages, options, pipelines, record, samples, server_data, structs
from tests.corpus.folder import RECORD, ROOT, SUMS, folders, newest, read_json, sums_of, version_today


def require(what: str, today: Iterable[str], recorded: Iterable[str]) -> None:
    """Fail with one line if something of today is not recorded."""
    missing = sorted(set(today) - set(recorded))
    if missing:
        pytest.fail(f"not in tests/corpus/{newest().name}: {what} {', '.join(missing)}; run `{RECORD}`", pytrace=False)


def test_the_version_of_the_working_tree_is_recorded() -> None:
    require("the folder of version", [version_today()], [path.name for path in folders()])


def test_every_struct_and_every_field_is_recorded() -> None:
    found = structs.recorded(newest())
    require("struct", structs.every(), [name for name in found if found[name]])
    today = {f"{name}.{field.encode_name}" for name, kind in structs.every().items() for field in samples.fields_of(kind)}
    require("field", today, {f"{name}.{field}" for name, case in found.items() for field in case["meaning"]})


def test_every_value_of_closed_sets_is_recorded() -> None:
    def listed(name: str, values: dict[str, list[object]]) -> set[str]:
        return {f"{name}.{field} = {value}" for field, choices in values.items() for value in choices}

    today = {each for name, kind in structs.every().items() for each in listed(name, samples.values_of(kind))}
    require("value", today, {each for name, case in structs.recorded(newest()).items() for each in listed(name, case["values"])})


def test_every_topic_and_every_line_of_the_worker_is_recorded() -> None:
    require("topic", messages.topic_functions(), read_json(newest() / messages.MQTT))
    require("subscription", messages.subscriptions(), read_json(newest() / messages.SUBSCRIPTIONS))
    lines = "\n".join(line for side in read_json(newest() / messages.WORKER).values() for line in side)
    kinds: list[type[Wire]] = [kind for side in messages.worker_sides().values() for kind in side]
    tags = {str(kind.__struct_config__.tag) for kind in kinds}
    require("message of supervisor or worker", tags, {tag for tag in tags if f'"{tag}"' in lines})


def test_every_kind_and_option_of_pipelines_is_recorded() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(newest().glob("pipelines/*/*.toml"))}
    plain = [toml.parse(text, str(path)) for path, text in texts.items()]
    require("source kind", pipelines.source_kinds(), [each["source"]["kind"] for each in plain])
    stages = [stage for each in plain for stage in each.get("stages", [])]
    require("stage kind", pipelines.stage_kinds(), [stage["kind"] for stage in stages])
    require("rule kind", RULE_KINDS, [rule["kind"] for each in plain for rule in each.get("rules", [])])
    known = {
        f"{kind}.{option}"
        for kind in pipelines.source_kinds()
        for option in pipelines.source_options(SourceSpec(kind=kind, uri="a", options=_given(plain, kind)))
    }
    require(
        "option of a source", known, [f"{p['source']['kind']}.{name}" for p in plain for name in p["source"].get("options", {})]
    )
    known = {f"{kind}.{option}" for kind, options in pipelines.every_stage_option().items() for option in options}
    require("option of a stage", known, [f"{stage['kind']}.{name}" for stage in stages for name in stage.get("options", {})])
    require("key of a section [[for]]", _SECTION_KEYS, [key for each in plain for part in each.get("for", []) for key in part])


def _given(plain: list[dict[str, dict[str, dict[str, object]]]], kind: str) -> dict[str, object]:
    """The recorded options of a kind of source: some kinds need one of them."""
    return next((dict(each["source"].get("options", {})) for each in plain if each["source"]["kind"] == kind), {})


def test_every_setting_of_the_agent_is_recorded() -> None:
    plain = toml.parse((newest() / pipelines.AGENT).read_text(encoding="utf-8"), pipelines.AGENT)
    require("setting", [field.encode_name for field in samples.fields_of(Settings)], plain)


def test_every_option_of_the_server_is_recorded() -> None:
    require("option of `edgefleet serve`", options.options(), read_json(newest() / options.FILE))


def test_recording_gives_the_recorded_files(tmp_path: Path) -> None:
    """While a version is not released its folder is what its code writes."""
    version = version_today()
    if record.is_released(version):
        pytest.skip(f"{version} is released: its folder stays as it is")
    record.record(tmp_path / version)
    written = dict(line.split("  ")[::-1] for line in sums_of(tmp_path / version).splitlines())
    before = dict(line.split("  ")[::-1] for line in sums_of(newest()).splitlines())
    both = {name for name in {*written, *before} if not name.startswith(f"{server_data.FOLDER}/")}
    changed = sorted(name for name in both if written.get(name) != before.get(name))
    if changed:
        pytest.fail(
            f"tests/corpus/{version} is not what today's code writes ({', '.join(changed[:5])}); run `{RECORD}`", pytrace=False
        )


def test_a_recorded_folder_is_as_it_was_recorded(recorded: Path) -> None:
    assert (recorded / SUMS).read_text(encoding="utf-8") == sums_of(recorded), f"files of {recorded.name} were edited"


def test_a_released_folder_is_as_its_tag_has_it(recorded: Path) -> None:
    if not record.is_released(recorded.name):
        pytest.skip(f"{recorded.name} has no tag here")
    path = f"tests/corpus/{recorded.name}/{SUMS}"
    tagged = subprocess.run(["git", "show", f"v{recorded.name}:{path}"], cwd=ROOT, capture_output=True, text=True)
    assert tagged.stdout == (ROOT / path).read_text(encoding="utf-8"), f"{path} differs from that of the tag: {tagged.stderr}"
