"""Writes the reference of settings and files, and their JSON Schemas, into docs/reference; the dashboard gets its own copies.

python -m tools.write_reference
"""

from __future__ import annotations

import json
from pathlib import Path

from tools.reference.lists import lists_page
from tools.reference.pages import file_page, kinds_chapter, server_page
from tools.reference.schemas import ensemble_schema, fleet_schema, manifest_schema, pipeline_schema, settings_schema

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/reference"
DOCUMENT = ROOT / "docs/openapi.json"
EDITORS = """
Editors complete and check the keys if the first line of a file names the schema, [{schema}]({schema}): `#:schema PATH-OR-URL`
(Taplo, and Even Better TOML of Visual Studio Code).
"""
YAML_EDITORS = """
Editors complete and check the keys if the first line of a file names the schema, [{schema}]({schema}):
`# yaml-language-server: $schema=PATH-OR-URL`. Tables are written as in YAML; `[groups.NAME]` below is the key `NAME` in `groups`.
"""
COPIES = {ROOT / "fleet_server/dashboard/src/pipelines/pipeline.schema.json": "pipeline.schema.json"}
"""Files of the dashboard, which is built without the docs, and the file of the reference that each is."""
PAGES: dict[str, tuple[str, str]] = {
    "agent": (
        "agent.toml",
        "Every key of `/etc/edgefleet/agent.toml`. [Example](../examples/settings/agent.toml). Unknown keys are refused.\n",
    ),
    "pipeline": (
        "Pipeline files",
        "Every key of a pipeline's file. [Pipelines](../pipelines.md) explains them. Unknown keys are refused.\n",
    ),
    "model": ("model.toml", "Every key of a package's manifest. [Packages](../packages.md) explains them.\n"),
    "fleet": (
        "fleet.yaml",
        "Every key of the files of `edgefleet apply` ([The fleet as code](../fleet-as-code.md)). Unknown keys are refused.\n",
    ),
    "ensemble": (
        "model.toml of an ensemble",
        "Every key of a `model.toml` that joins models ([Extensions](../serving-extensions.md)). Unknown keys are refused.\n",
    ),
}
"""Title and first words of the page of each schema."""
NAMES = {
    "agent": "agent-toml.md",
    "pipeline": "pipeline.md",
    "model": "model-toml.md",
    "ensemble": "ensemble.md",
    "fleet": "fleet.md",
}


def files() -> dict[str, str]:
    """Name of each file of the folder to its text."""
    schemas = {
        "agent": settings_schema(),
        "pipeline": pipeline_schema(),
        "model": manifest_schema(),
        "ensemble": ensemble_schema(),
        "fleet": fleet_schema(),
    }
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    texts = {"server.md": server_page(), "lists.md": lists_page(document)}
    for name, schema in schemas.items():
        file = f"{name}.schema.json"
        title, introduction = PAGES[name]
        texts[file] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        editors = YAML_EDITORS if name == "fleet" else EDITORS
        texts[NAMES[name]] = file_page(title, introduction + editors.format(schema=file), schema)
    texts[NAMES["pipeline"]] += kinds_chapter()
    return texts


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    texts = files()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for path, name in COPIES.items():
        path.write_text(texts[name], encoding="utf-8")


if __name__ == "__main__":
    main()
