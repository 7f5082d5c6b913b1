"""Law 8: no byte is requested of a package that the signatures do not allow, and it never becomes active."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.model_store.package_store import PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord, with_factory
from edgefleet_agent.model_store.trust import WAITING, EndorsedTarget, TrustDecision
from edgefleet_agent.updates import actions
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.state import Check, Observed, SelfTest, SlotFacts
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

FACTORY, TARGET_DIGEST = "f" * 64, "a" * 64
TARGET = SlotTarget(package="p", version="1.0.0", digest=TARGET_DIGEST, length=3, attempt="a1")
DESIRED = Desired(device="d", generation=1, slots={"detector": TARGET})
BLOB = BlobSpec(TARGET_DIGEST, 3)
REFUSED = EndorsedTarget(TrustDecision.REFUSED, Reason.UNSIGNED, "nobody signed it")

surveys = st.sampled_from(
    [
        PackageSurvey(ready=True),
        PackageSurvey(missing=(BLOB,)),
        PackageSurvey(unsealed=(BLOB,)),
        PackageSurvey(),
        PackageSurvey(reason=Reason.INCOMPATIBLE),
    ]
)
tests = st.sampled_from([None, *(SelfTest(TARGET_DIGEST, check) for check in Check)])


@given(
    survey=surveys,
    selftest=tests,
    endorsement=st.sampled_from([WAITING, REFUSED]),
    fetching=st.booleans(),
    factory=st.booleans(),
    worker_up=st.booleans(),
)
def test_nothing_is_done_for_it(
    survey: PackageSurvey, selftest: SelfTest | None, endorsement: EndorsedTarget, fetching: bool, factory: bool, worker_up: bool
) -> None:
    facts = SlotFacts(
        record=with_factory(SlotRecord(), FACTORY if factory else None),
        survey=survey,
        endorsement=endorsement,
        fetching=frozenset({TARGET_DIGEST} if fetching else ()),
        selftest=selftest,
    )
    observed = Observed(slots={"detector": facts}, worker_up=worker_up, disk_free_bytes=10**12)
    action = plan(DESIRED, observed, 1.0)
    if isinstance(action, actions.Load):
        assert action.digest == FACTORY
        return
    if endorsement is REFUSED:
        assert action == actions.End("detector", TARGET, Reason.UNSIGNED, "nobody signed it")
    elif fetching:
        assert action == actions.Fetch("detector", ()), "what was begun stops"
    else:
        assert action == actions.Wait()
