"""Planning: the devices of each wave, and their desired documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from edgefleet_contract.package.manifest import HeadSpec, read_manifest
from edgefleet_contract.wire.messages import Desired, UpdatePolicy
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.domain.rollout.desired import Assignment, TrialTerms, next_desired
from edgefleet_server.domain.rollout.operator_actions import RolloutAction, next_state
from edgefleet_server.domain.rollout.planning import Candidate, plan
from edgefleet_server.domain.rollout.waves import Member, WavePlan, assign, sizes
from edgefleet_server.domain.selector import Selector, edits_for, effective_labels
from edgefleet_server.domain.states import RolloutState
from tests.fleet_server.fakes.packages import files

MANIFEST = read_manifest(files(profiles='["cpu"]')["model.toml"].decode(), "test")


@pytest.mark.parametrize(
    ("plans", "total", "expected"),
    [
        ([WavePlan("a", percent=5), WavePlan("b", percent=25), WavePlan("c")], 100, [5, 25, 70]),
        ([WavePlan("a", percent=1), WavePlan("b")], 10, [1, 9]),  # at least one
        ([WavePlan("a", count=3), WavePlan("b", percent=1)], 10, [3, 7]),  # the last takes the rest
        ([WavePlan("a", count=30), WavePlan("b", count=30), WavePlan("c")], 10, [10, 0, 0]),
        ([WavePlan("a")], 7, [7]),
        ([WavePlan("a", count=1), WavePlan("b")], 0, [0, 0]),
    ],
)
def test_sizes(plans: list[WavePlan], total: int, expected: list[int]) -> None:
    """Percent of all devices, rounded up."""
    assert sizes(plans, total) == expected


MEMBERS = st.lists(
    st.builds(Member, st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True), st.sampled_from(["cpu", "coral"]), st.booleans()),
    max_size=40,
    unique_by=lambda member: member.device,
)
PLANS = st.lists(
    st.builds(WavePlan, st.just("w"), percent=st.floats(0.1, 100)) | st.builds(WavePlan, st.just("w"), count=st.integers(1, 50)),
    min_size=1,
    max_size=6,
)


@given(members=MEMBERS, plans=PLANS, seed=st.text(max_size=4))
def test_everybody_is_in_exactly_one_wave(members: list[Member], plans: list[WavePlan], seed: str) -> None:
    """And the same question gets the same answer."""
    waves = assign(plans, members, seed)
    assert len(waves) == len(plans)
    assert sorted(device for wave in waves for device in wave) == sorted(member.device for member in members)
    assert waves == assign(plans, list(reversed(members)), seed)


def test_canary_sees_every_profile_and_only_devices_that_are_there() -> None:
    """One coral among fifty CPUs is in a canary of two."""
    members = [Member(f"cpu{n}", "cpu", online=True) for n in range(50)] + [Member("coral", "coral", online=True)]
    members += [Member(f"away{n}", "npu", online=False) for n in range(50)]
    canary = assign([WavePlan("canary", count=2), WavePlan("rest")], members, "seed")[0]
    assert "coral" in canary
    assert not any(device.startswith("away") for device in canary)


def test_plan_sorts_devices() -> None:
    """Eligible, already there, unable and why, not meant at all."""
    fleet = [
        Candidate("a", {"site": "n"}, "cpu", ["lite_rt"], online=True, running_digest=""),
        Candidate("b", {"site": "n"}, "cpu", ["lite_rt"], online=False, running_digest="old"),
        Candidate("c", {"site": "n"}, "cpu", ["lite_rt"], online=True, running_digest="new"),
        Candidate("d", {"site": "n"}, "cpu", ["open_vino"], online=True, running_digest=""),
        Candidate("e", {"site": "n"}, "coral", ["lite_rt"], online=True, running_digest=""),
        Candidate("f", {"site": "s"}, "cpu", ["lite_rt"], online=True, running_digest=""),
    ]
    planned = plan(fleet, Selector(labels={"site": "n"}), [WavePlan("all")], MANIFEST, "new", {"model.tflite": 1000})
    assert (planned.waves, planned.already, planned.offline, planned.eligible) == ([["a", "b"]], 1, 1, 2)
    assert dict(planned.ineligible) == {
        "d": "needs one of the runtimes lite_rt; the device has open_vino",
        "e": "no variant for profile 'coral'; the package has cpu",
    }
    assert planned.bytes_total == 2000


def test_a_device_that_cannot_read_the_package_is_left_out() -> None:
    """Before it is offered, with the version of the agent that suffices."""
    manifest = structs.replace(MANIFEST, head=HeadSpec(family="yolo_pose"), task="pose")
    can = ["head:yolo_pose", "task:pose"]
    fleet = [
        Candidate("new", {}, "cpu", ["lite_rt"], True, "", capabilities=can, agent_version="0.3.0"),
        Candidate("old", {}, "cpu", ["lite_rt"], True, "", agent_version="0.2.0"),
        Candidate("odd", {}, "cpu", ["lite_rt"], True, "", capabilities=["task:pose"], agent_version="0.3.0"),
        Candidate("both", {}, "coral", ["lite_rt"], True, "", agent_version="0.2.0"),
    ]
    planned = plan(fleet, Selector(all=True), [WavePlan("all")], manifest, "new", {})
    assert planned.waves == [["new"]]
    reason = "needs agent 0.3.0 or later, for head yolo_pose"
    assert dict(planned.ineligible) == {
        "old": reason,
        "odd": reason,
        "both": "no variant for profile 'coral'; the package has cpu",
    }
    assert planned.agent_needed == dict.fromkeys(("old", "odd"), "0.3.0")


def test_selectors() -> None:
    """All, by name, by every label; an empty one matches none."""
    labels = {"site": "north", "floor": "2"}
    assert Selector(all=True).matches("x", {})
    assert Selector(ids=frozenset({"x"})).matches("x", {})
    assert Selector(labels={"site": "north", "floor": "2"}).matches("x", labels)
    assert not Selector(labels={"site": "north", "floor": "1"}).matches("x", labels)
    assert Selector().empty
    assert not Selector().matches("x", labels)


LABELS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from("12"))


@given(own=LABELS, target=LABELS)
def test_edits_give_exactly_the_target_labels(own: dict[str, str], target: dict[str, str]) -> None:
    """Whatever the device says of itself."""
    assert effective_labels(own, edits_for(own, target)) == target


def assignment(digest: str, rollout: int = 1, trial_s: float = 5.0) -> Assignment:
    return Assignment("spotter", "1.0.0", digest * 64, 100, f"{rollout}:d:1", rollout, TrialTerms(trial_s, 3, 60.0, 30.0))


def test_generations_only_rise() -> None:
    """A new document for a new assignment, none for the same, and always above what the device has seen."""
    first = next_desired("d", None, {"detector": assignment("a")})
    assert first is not None
    assert (first.generation, first.policy) == (
        1,
        UpdatePolicy(trial_s=5.0, trial_frames_min=3, shadow_s=60.0, shadow_agreement_percent_min=30.0),
    )
    assert next_desired("d", first, {"detector": assignment("a")}) is None
    second = next_desired("d", first, {"detector": assignment("b", rollout=2, trial_s=9.0)})
    assert second is not None
    assert (second.generation, second.policy.trial_s) == (2, 9.0)
    restored = next_desired("d", first, {"detector": assignment("a")}, generation_seen=40)
    assert restored is not None
    assert restored.generation == 41
    emptied = next_desired("d", second, {})
    assert emptied is not None
    assert emptied.slots == {}
    assert next_desired("d", None, {}) is None


@given(digests=st.lists(st.sampled_from("abc"), max_size=20), seen=st.lists(st.integers(0, 60), max_size=20))
def test_every_document_is_above_all_before_it(digests: list[str], seen: list[int]) -> None:
    """Also above what a device claims to have seen."""
    current: Desired | None = None
    highest = 0
    for digest, claim in zip(digests, seen, strict=False):
        following = next_desired("d", current, {"detector": assignment(digest)}, generation_seen=claim)
        if following is not None:
            assert following.generation > max(highest, claim)
            current, highest = following, following.generation
        assert current is not None
        assert current.slots["detector"].digest == digest * 64


def test_refused_action_names_the_possible_ones() -> None:
    """From where an action leads somewhere, and what to do instead."""
    assert next_state(1, RolloutState.RUNNING, RolloutAction.PAUSE) is RolloutState.PAUSED
    with pytest.raises(
        ConflictError, match="rollout 7 is paused; pause requires state running; allowed now: resume, abort, rollback"
    ):
        next_state(7, RolloutState.PAUSED, RolloutAction.PAUSE)
    with pytest.raises(ConflictError, match="it has ended"):
        next_state(7, RolloutState.ROLLED_BACK, RolloutAction.RESUME)
