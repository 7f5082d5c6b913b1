"""`@modelcontextprotocol/conformance` against `edgefleet mcp --http`, on a real fleet server.

    pytest -m long tests/long/test_mcp_conformance.py

The suite is installed from npm into a temporary folder, with the Node.js that it needs. Most of its server scenarios call tools,
resources and prompts of one example server by their names (`test_image_content`, `test://static-text`), which no other server
has. They are listed with the reason; the suite fails if one of them passes, or if another one fails.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet_server.cli.mcp.test_mcp import http_service
from tests.fleet_server.fakes.proposing_fleet import ProposingFleet, started_fleet

pytestmark = [pytest.mark.long, pytest.mark.system, pytest.mark.timeout(900)]

MANIFEST = Path(__file__).with_name("mcp_conformance") / "package.json"
PASSED = {
    "server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error", "server-sse-multiple-streams",
    "resources-list", "prompts-list", "dns-rebinding-protection",
}  # fmt: skip
EXAMPLE_TOOLS = (
    "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-with-logging",
    "tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation", "json-schema-2020-12",
    "elicitation-sep1034-defaults", "elicitation-sep1330-enums", "server-sse-polling",
)  # fmt: skip
"""Call a tool of the example server."""
EXAMPLE_RESOURCES = ("resources-read-text", "resources-read-binary", "resources-templates-read")
EXAMPLE_PROMPTS = ("prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image")
NOT_OFFERED = ("logging-set-level", "completion-complete", "resources-subscribe", "resources-unsubscribe")
"""Optional capabilities that the server does not announce: logging to the client, completion, subscriptions."""
EXPECTED_FAILURES = (*EXAMPLE_TOOLS, *EXAMPLE_RESOURCES, *EXAMPLE_PROMPTS, *NOT_OFFERED)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the installed suite."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed; it installs @modelcontextprotocol/conformance")
    folder = tmp_path_factory.mktemp("suite")
    shutil.copy(MANIFEST, folder)
    done = subprocess.run([npm, "install", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, timeout=600)
    node = folder / "node_modules/node/bin/node"
    if done.returncode or not node.is_file():
        pytest.skip(f"npm cannot install @modelcontextprotocol/conformance: {done.stderr.strip()[-200:]}")
    return [str(node), str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js")]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProposingFleet]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    with started_fleet(tmp_path_factory.mktemp("mcp") / "fleet") as made:
        yield made


def test_the_suite_passes_where_it_applies(suite: list[str], fleet: ProposingFleet, tmp_path: Path) -> None:
    baseline = tmp_path / "expected.yaml"
    baseline.write_text("server:\n" + "".join(f"  - {name}\n" for name in EXPECTED_FAILURES))
    with http_service(fleet, fleet.secret("conformance", ["propose"])[1]) as url:
        command = [*suite, "server", "--url", url, "--suite", "all", "--expected-failures", str(baseline)]
        done = subprocess.run([*command, "-o", str(tmp_path / "results")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = set(re.findall(r"^\s*✓ ([a-z0-9-]+): [1-9]\d* passed, 0 failed", done.stdout, re.MULTILINE))
    assert passed == PASSED
