"""`edgefleet alert`: recipients and snoozes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from tests.fleet_server.auth.conftest import Peopled
from tests.fleet_server.jobs.notices import stand_ins
from tests.fleet_server.jobs.notices.stand_ins import serving

pytestmark = pytest.mark.system


@pytest.fixture
def run(people: Peopled, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    monkeypatch.setenv("EDGEFLEET_TOKEN", people.tokens["admin"])

    def command(*arguments: str) -> tuple[int, str]:
        code = main(["alert", *arguments, "--server", people.url])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return command


def test_recipient_from_its_creation_to_its_end(run: object, tmp_path: Path) -> None:
    """The secret is read from a file, and is in no output; a test that fails says why, and is an error."""
    assert callable(run)
    file = tmp_path / "token.txt"
    file.write_text("tk_s3cret\n")
    with serving(stand_ins.ntfy) as service:
        code, out = run(
            "add-recipient", "duty", "ntfy", "--url", service.url, "--topic", "t", "--secret-file", str(file), "--severity",
            "critical", "--json",
        )  # fmt: skip
        assert code == 0, out
        number = str(json.loads(out)["id"])
        assert run("test-recipient", number) == (0, "delivered\n")
        assert "This is a test by" in service.json()[0]["message"]
    code, out = run("test-recipient", number)
    assert (code, "not delivered: " in out) == (1, True)
    code, out = run("recipients")
    assert [word in out for word in ("duty", "critical", "s3cret")] == [True, True, False]
    assert run("delete-recipient", number)[0] == 0
    assert "duty" not in run("recipients")[1]
    code, out = run("add-recipient", "x", "slack", "--secret-file", str(tmp_path / "none"))
    assert (code, "specify a file with the value" in out) == (2, True)


def test_snooze_from_its_start_to_its_end(run: object) -> None:
    """For a time, or until one."""
    assert callable(run)
    number = json.loads(run("add", "off", "absence", "--json")[1])["id"]
    code, out = run("snooze", "--rule", str(number), "--for", "600", "--reason", "the fan is replaced")
    assert (code, "rule off" in out) == (0, True), out
    assert "the fan is replaced" in run("snoozes")[1]
    code, out = run("snooze", "--rule", str(number), "--until", "tomorrow", "--reason", "x")
    assert (code, "must be a time like" in out) == (2, True)
    snooze = json.loads(run("snoozes", "--json")[1])["items"][0]["id"]
    assert run("end-snooze", str(snooze))[0] == 0
    assert "the fan is replaced" not in run("snoozes")[1]
    assert run("delete", str(number))[0] == 0
