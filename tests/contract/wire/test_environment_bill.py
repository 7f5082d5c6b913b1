"""The bill of a device: one canonical form, bounded, and readable by an older server."""

from __future__ import annotations

import importlib.metadata
import re
import time

import pytest

from edgefleet_agent.machine.environment import environment_bill
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.wire.environment_bill import (
    BILL_BYTES_MAX,
    PACKAGES_MAX,
    EnvironmentBill,
    bill_bytes,
    bill_digest,
    bounded_packages,
    check_bill,
)


def test_this_machine_is_described_as_by_importlib_and_fast() -> None:
    environment_bill("0.3.0")
    began = time.process_time()
    bill = environment_bill("0.3.0")
    assert time.process_time() - began < 0.05, "it is made while the agent starts"
    listed = {
        (re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower(), each.version)
        for each in reversed(list(importlib.metadata.distributions()))
    }
    assert set(bill.packages) <= listed
    assert {name for name, _ in bill.packages} == {name for name, _ in listed}
    assert bill.left_out == 0
    assert check_bill(to_plain(bill), bill_digest(bill_bytes(bill))) == bill


def test_the_digest_depends_on_the_content_alone() -> None:
    found = bounded_packages([("b", "2"), ("a", "1"), ("b", "2")])
    assert found == ([("a", "1"), ("b", "2")], 0)
    bill = EnvironmentBill(agent="1", python="3", packages=found[0])
    assert bill_bytes(bill) == b'{"agent":"1","packages":[["a","1"],["b","2"]],"python":"3"}'


def test_fields_of_a_newer_agent_belong_to_the_digest() -> None:
    plain = {"a_new": [1], "agent": "9", "python": "3", "z_new": "x"}
    digest = bill_digest(b'{"a_new":[1],"agent":"9","python":"3","z_new":"x"}')
    assert check_bill(plain, digest).agent == "9"
    with pytest.raises(MessageError, match="SHA-256"):
        check_bill({**plain, "z_new": "y"}, digest)


def test_more_than_a_bill_can_hold_is_counted() -> None:
    held, left_out = bounded_packages((f"p{number:05d}", "1.0") for number in range(PACKAGES_MAX + 5))
    assert (len(held), left_out) == (PACKAGES_MAX, 5)
    held, left_out = bounded_packages((f"p{number:05d}" + "x" * 100, "1.0") for number in range(PACKAGES_MAX))
    assert len(held) + left_out == PACKAGES_MAX
    assert left_out > 0
    assert len(bill_bytes(EnvironmentBill(agent="1", python="3", packages=held, left_out=left_out))) <= BILL_BYTES_MAX
    assert bounded_packages([("no name!", "1"), ("a", "")]) == ([], 2)
