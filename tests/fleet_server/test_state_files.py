"""Every file of state that the server writes goes through `edgefleet_contract.core.atomic_files`: no module renames, creates or
opens a file for writing in another way, unless it is listed here with its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

SERVER: Final = Path(__file__).resolve().parents[2] / "fleet_server" / "edgefleet_server"

LOCK = "an empty file that is locked; its content and its loss mean nothing"
SCRATCH = "a file in a temporary folder, which nothing reads after a restart"
STAGED = "a staged file or folder: `move_file` or `move_folder` flushes it before it gets its name"
RESULT = "the result of a command, in a file that its user names and can have made again"

ALLOWED: Final[dict[str, tuple[str, str]]] = {
    "app/openapi.py": ("write_text", RESULT),
    "app/resources.py": ("open", LOCK),
    "cli/admin/backup.py": ("copytree fdopen mkdir open", STAGED),
    "cli/admin/stopped_server.py": ("open", LOCK),
    "cli/admin/restore.py": ("fdopen fsync mkdir open", STAGED),
    "cli/admin/sign.py": ("write_bytes", RESULT),
    "cli/admin/trust.py": ("write_bytes", RESULT),
    "cli/admin/usb_bundle.py": ("mkdir write_bytes", STAGED),
    "cli/fleet/device_commands.py": ("write_bytes", RESULT),
    "cli/fleet/pipeline.py": ("mkdir write_bytes", RESULT),
    "cli/models/push.py": ("open", SCRATCH),
    "db/backend/read_only.py": ("copyfile", SCRATCH),
    "db/backend/file_owner.py": ("open", "an empty file for SQLite, which flushes it; `flush_names` flushes its name"),
    "model_tools/catalogue/fetch.py": ("fsync open replace", "a part of a download, flushed before its rename"),
    "model_tools/catalogue/package.py": ("write_text", SCRATCH),
    "model_tools/convert/saved_model.py": ("write_bytes", RESULT),
    "model_tools/golden_samples.py": ("mkdir symlink_to write_bytes", SCRATCH),
    "model_tools/quantize/job.py": ("mkdir mkdtemp", SCRATCH),
    "model_tools/quantize/samples.py": ("mkdir write_text", SCRATCH),
    "model_tools/quantize/tflite_graph.py": ("write_bytes", SCRATCH),
    "registry/archive.py": ("mkdir open", STAGED),
    "registry/blob_store.py": ("mkdtemp", SCRATCH),
    "registry/deltas.py": ("write_bytes", STAGED),
    "registry/evidence_store.py": ("open", "a part of an upload, flushed before its rename"),
    "registry/importers/import_model.py": ("write_text", SCRATCH),
    "registry/importers/package_folder.py": ("copyfile mkdir write_text", STAGED),
    "registry/package_registry.py": ("write_bytes", STAGED),
    "registry/pipelines.py": ("open", "a tar in memory"),
    "registry/resumable_uploads.py": ("fsync open touch", "a part of an upload, flushed before each answer"),
    "registry/s3_blob_store.py": ("mkstemp", SCRATCH),
    "registry/signing/folder_lock.py": ("open", LOCK),
    "simulate/conveyor/site.py": ("mkdir write_text", "the demo's own folder, emptied at its next start"),
    "simulate/conveyor/video.py": ("open write_text", STAGED),
    "simulate/processes.py": ("mkdir open", "logs of the demo"),
}

CREATING: Final = {
    "write_bytes", "write_text", "mkdir", "makedirs", "rename", "link", "hardlink_to", "symlink_to", "touch", "mkstemp",
    "mkdtemp", "copyfile", "copytree", "copy2", "move", "fsync", "fdatasync",
}  # fmt: skip
OPEN_FLAGS: Final = {"O_WRONLY", "O_RDWR", "O_CREAT"}


def writes(source: str) -> Iterator[tuple[int, str]]:
    """(line, call) of each call that creates, renames or flushes a file, or opens one for writing."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if name in CREATING and not owner.endswith("hub"):  # `hub.touch` marks rows
            yield node.lineno, f"{owner}.{name}"
        elif name == "replace" and owner and len(node.args) == 1 and not node.keywords:  # str.replace takes two
            yield node.lineno, f"{owner}.replace"
        elif name in ("open", "fdopen") and _for_writing(node):
            yield node.lineno, f"{owner}.{name}"


def _for_writing(call: ast.Call) -> bool:
    modes = [each.value for each in ast.walk(call) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    flags = {each.attr for each in ast.walk(call) if isinstance(each, ast.Attribute)}
    return bool(flags & OPEN_FLAGS) or any(len(mode) <= 3 and set(mode) & set("wax+") for mode in modes)


@pytest.mark.parametrize("file", sorted(SERVER.rglob("*.py")), ids=lambda file: str(file.relative_to(SERVER)))
def test_state_is_written_by_one_mechanism(file: Path) -> None:
    name = str(file.relative_to(SERVER))
    found = [f"{name}:{line}: {call}" for line, call in writes(file.read_text(encoding="utf-8"))]
    allowed = set(ALLOWED[name][0].split()) if name in ALLOWED else set()
    calls = {call.rpartition(".")[2] for call in found}
    assert calls <= allowed, f"use edgefleet_contract.core.atomic_files: {', '.join(found)}"
    assert allowed <= calls, f"{name} has no call of {allowed - calls} any more: take it off the list"


def test_list_names_existing_modules() -> None:
    assert [name for name in ALLOWED if not (SERVER / name).is_file()] == []


@pytest.mark.parametrize(
    "line",
    [
        "beside.replace(path)",
        "path.rename(other)",
        "path.write_text('x')",
        "os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)",
        "path.open('wb')",
        "open(path, 'r+b')",
        "folder.mkdir()",
        "shutil.move(a, b)",
        "os.fsync(handle)",
    ],
)
def test_each_way_around_it_is_found(line: str) -> None:
    assert list(writes(line))


@pytest.mark.parametrize("line", ["text.replace('a', 'b')", "path.open('rb')", "replace(settings, port=1)", "path.read_bytes()"])
def test_harmless_lines_are_not(line: str) -> None:
    assert not list(writes(line))
