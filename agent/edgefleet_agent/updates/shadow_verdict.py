"""Judges a package that runs beside the one in its slot, on the same frames, before it takes its place. Pure.

What keeps it from running there, such as too little memory, no frames or a hot device, says nothing about the package: then the
comparison is left out, and the trial's detail says so.
"""

from __future__ import annotations

from edgefleet_agent.updates.state import ShadowWatch, SlotFacts
from edgefleet_agent.updates.trial_verdict import CRASHES_FORGIVEN, LOAD_S_MAX, PATIENCE, PATIENCE_S, Judgement, TrialVerdict
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_contract.wire.messages import SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

FRAMES_MIN = 20
"""Frames that both versions have to analyse."""


def wants_shadow(slot: str, target: SlotTarget, facts: SlotFacts, policy: UpdatePolicy) -> bool:
    """Whether the package runs beside another one first: a model whose slot has a committed one that a pipeline uses. Parts of a
    bundle do not: each may fit the others only."""
    is_model = slot != AGENT_SLOT and pipeline_of(slot) is None and shadowed(slot) is None
    return policy.shadow_s > 0 and is_model and facts.record.active is not None and facts.used and not target.atomic


def judge_shadow(policy: UpdatePolicy, facts: SlotFacts, now: float) -> Judgement:
    """The verdict, with its reason as a code and as text. It passes as well if nothing could be compared."""
    beside = facts.beside
    if beside is None:
        return TrialVerdict.OPEN, Reason.NONE, ""
    if beside.crashes > CRASHES_FORGIVEN:
        return TrialVerdict.FAILED, Reason.TRIAL_CRASH, "the worker crashed twice while the package ran beside the committed one"
    if beside.obstacle:
        return _left_out(beside.obstacle)
    if beside.loaded_s is None:
        late = now - beside.began_s > LOAD_S_MAX
        return _left_out(f"not loaded within {LOAD_S_MAX:.0f} s") if late else (TrialVerdict.OPEN, Reason.NONE, "")
    elapsed_s = now - beside.loaded_s
    if elapsed_s < policy.shadow_s:
        return TrialVerdict.OPEN, Reason.NONE, ""
    if beside.frames < FRAMES_MIN:
        if elapsed_s < policy.shadow_s * PATIENCE + PATIENCE_S:
            return TrialVerdict.OPEN, Reason.NONE, ""
        return _left_out(f"only {beside.frames} of {FRAMES_MIN} frames compared in {elapsed_s:.0f} s")
    percent, frames = _agreement(beside)
    agreed = f"agreement {percent:.3g} % with the committed version on {frames}"
    if percent < policy.shadow_agreement_percent_min:
        text = f"{agreed}, minimum {policy.shadow_agreement_percent_min:g} %"
        return TrialVerdict.FAILED, Reason.TRIAL_UNHEALTHY, text
    return TrialVerdict.PASSED, Reason.NONE, agreed


def _agreement(beside: ShadowWatch) -> tuple[float, str]:
    """The agreement in percent, and on what. Frames on which neither found anything are left out where enough others are: on a
    camera that sees little, a version that finds nothing would agree."""
    found = beside.frames - beside.empty
    if not beside.empty or found < FRAMES_MIN:
        return 100.0 * beside.agreement, f"{beside.frames} frames"
    return 100.0 * max(0.0, beside.agreement * beside.frames - beside.empty) / found, f"{found} frames with objects"


def _left_out(why: str) -> Judgement:
    return TrialVerdict.PASSED, Reason.NONE, f"not compared with the committed version: {why}"
