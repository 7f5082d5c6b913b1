"""schemathesis over the HTTP listener: cases made from docs/inference-api.openapi.yaml, valid and invalid ones.

    [EDGEFLEET_EXAMPLES=100] pytest -m long tests/long/test_schemathesis.py

Every response has a documented status and content, invalid requests are refused, the response to a wrong method lists the
allowed ones, and nothing ends in a 5xx but 501 ("not offered") and 503.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.serving.conftest import Api, api  # noqa: F401 - the server of the serving tests

pytestmark = [pytest.mark.long(minutes=10), pytest.mark.timeout(3600)]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/inference-api.openapi.yaml"
EXAMPLES = os.environ.get("EDGEFLEET_EXAMPLES", "100")
# What a document cannot say, such as that the elements of a tensor have to fit its shape, is no fault of the answer 400.
EXCLUDED = "positive_data_acceptance"


def test_every_operation_keeps_to_the_document(api: Api, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    program = str(Path(sys.executable).with_name("st"))
    text = DOCUMENT.read_text(encoding="utf-8")
    # Half of the cases reach a model: they name an existing one.
    some = "{ anyOf: [{ enum: [add, identity_fp32, identity_bytes, batched] }, { type: string, minLength: 1 }] }"
    document = tmp_path / "api.yaml"
    document.write_text(re.sub(r"(name: model, in: path, required: true, schema: ){[^}]*}", rf"\1{some}", text), encoding="utf-8")
    assert some in document.read_text(encoding="utf-8")
    command = [
        program, "run", str(document), "--url", f"http://{api.http}", "--max-examples", EXAMPLES, "--checks", "all",
        "--exclude-checks", EXCLUDED, "--continue-on-failure", "--seed", "7", "--no-color",
        # A load may open runtimes: it is tried by the tests of the repository, thousands of times.
        "--exclude-path-regex", "/load$|/unload$",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, cwd=tmp_path)
    (tmp_path / "report.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-6000:]
