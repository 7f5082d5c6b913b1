"""The options of `edgefleet rollout create` for the test that stops a rollout."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec
from edgefleet_server.cli.rollouts import rollout
from edgefleet_server.cli.rollouts.plan_options import plan_of
from edgefleet_server.core.errors import InputError


class _Templates:
    """A client that lists one template."""

    class rollouts:  # noqa: N801 - an attribute of the client
        @staticmethod
        def list_rollout_templates() -> dict[str, Any]:
            careful = {"error_percent_max": 5.0, "tolerated_percent": 0.5, "test": "both"}
            measured = {"regressions": {"latency_percent": 30.0}}
            return {"items": [{"name": "careful", "gate": careful}, {"name": "measured", "gate": measured}]}


def gate(*options: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    rollout.add_arguments(parser)
    arguments = parser.parse_args(["create", "detector@1.0.0", *options])
    return dict(plan_of(_Templates(), arguments, "detector", "1.0.0")["gate"])  # type: ignore[arg-type]  # it asks for templates only


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {}),
        (("--test", "sequential"), {"test": "sequential"}),
        (("--frames",), {"frames_required": True}),
        (("--tolerated", "2", "--confidence", "95"), {"tolerated_percent": 2.0, "confidence_percent": 95.0}),
        (
            ("--template", "careful", "--tolerated", "0.1"),
            {"error_percent_max": 5.0, "tolerated_percent": 0.1, "test": "both"},
        ),
    ],
)
def test_options_replace_those_of_the_template(options: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert gate(*options) == expected
    GateSpec.model_validate(gate(*options))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--no-regressions",), {"regressions": None}),
        (("--template", "measured", "--no-regressions"), {"regressions": None}),
        (("--regressions",), {"regressions": {}}),
        (("--template", "measured"), {"regressions": {"latency_percent": 30.0}}),
        (("--template", "measured", "--regressions"), {"regressions": {"latency_percent": 30.0}}),
        (
            ("--template", "measured", "--agreement-min", "80"),
            {"regressions": {"latency_percent": 30.0, "agreement_percent_min": 80.0}},
        ),
    ],
)
def test_regressions_are_compared_by_default(options: tuple[str, ...], expected: dict[str, Any]) -> None:
    """Without an option the limits are those of the template, or of the server."""
    assert gate(*options) == expected
    GateSpec.model_validate(gate(*options))


def test_agreement_without_comparison_is_refused() -> None:
    with pytest.raises(InputError, match="leave --no-regressions out"):
        gate("--agreement-min", "80", "--no-regressions")


def test_other_tests_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        gate("--test", "luck")
    assert "choose from" in capsys.readouterr().err


class _Devices:
    """A client with a device in each outcome."""

    class rollouts:  # noqa: N801 - an attribute of the client
        @staticmethod
        def list_attempts(_rollout: int, **_page: int) -> dict[str, Any]:
            cases = (
                ("good", "committed", "succeeded"), ("unseen", "committed", "untried"), ("unproven", "committed", "unproven"),
                ("full", "rejected", "faulted"),
            )  # fmt: skip
            same = {"wave": 0, "number": 1, "against": "device", "explanation": "So it is."}
            items = [{**same, "device": device, "state": state, "outcome": ended} for device, state, ended in cases]
            return {"items": items, "total": len(items)}


def test_why_lists_devices_that_were_not_tried_on_frames(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    rollout.add_arguments(parser)
    assert rollout._why(_Devices(), parser.parse_args(["why", "1"])) == 0  # type: ignore[arg-type]  # it asks for attempts only
    printed = capsys.readouterr().out
    assert [name in printed for name in ("good", "unseen", "unproven", "full")] == [False, True, True, True]
    assert "AGAINST" in printed
