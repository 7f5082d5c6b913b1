"""`edgefleet model golden DIR --images PICTURE…`: pictures with the answers of the package, for devices to check."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.models.package import run_variants
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.agent_process import require_agent
from edgefleet_server.model_tools.golden_samples import GoldenSample, make_samples, pictures_of, staged, write_samples

RUN_S_MAX = 600.0
SHOWN_MAX = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="Package folder with a model.toml")
    parser.add_argument(
        "--images", type=Path, nargs="+", required=True, metavar="PICTURE", help="Pictures that matter to you, or folders of them"
    )
    parser.add_argument(
        "--variant", default="", metavar="V", help="Variant whose answers are right (default: the one that this machine runs)"
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; exit code 2, and nothing is written, if another variant of the package finds something else.

    Raises:
        EdgefleetError: the text says what to do.
    """
    require_agent("model golden")
    manifest = complete_manifest_of(arguments.folder)
    samples = make_samples(arguments.folder, pictures_of(arguments.images), arguments.variant, RUN_S_MAX)
    with tempfile.TemporaryDirectory(prefix="edgefleet-golden-") as scratch:
        runs = run_variants(staged(arguments.folder, manifest, samples, Path(scratch)), manifest.variants)
    failed = any(each["state"] == "failed" for each in runs)
    if not failed:
        write_samples(arguments.folder, samples)
    if arguments.json:
        rows = [{"input": each.input, "expect": each.expect, "answers": len(each.answers)} for each in samples]
        print_json({"id": manifest.id, "ok": not failed, "samples": rows, "runs": runs})
    else:
        _print(samples, runs, failed=failed)
    return InputError.exit_code if failed else 0


def _print(samples: list[GoldenSample], runs: list[dict[str, str]], *, failed: bool) -> None:
    for each in samples:
        more = f", and {len(each.answers) - SHOWN_MAX} more" if len(each.answers) > SHOWN_MAX else ""
        found = ", ".join(_text(answer) for answer in each.answers[:SHOWN_MAX]) or "nothing"
        print(f"{each.input}: {found}{more}  ({each.runtime}, {each.device})")
    for row in runs:
        print(f"{row['state']:8} {row['variant']} on {row['runtime']}: {row['detail']}")
    if failed:
        print("nothing was written, because a variant fails: choose other pictures, or correct the package")
    else:
        print("check that this is right: every device has to find the same before it runs the model")


def _text(answer: dict[str, Any]) -> str:
    if values := answer.get("values"):
        return ", ".join(f"{name} {value}" for name, value in values.items())
    return f"{answer.get('label') or answer.get('text') or 'vector'} {answer.get('score', 0):.2f}"
