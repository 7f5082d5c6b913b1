"""Roles for groups."""

from __future__ import annotations

import pytest

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.policy.grants import GRANTS_MAX, Grants, check_grants, grants_of, joined, parse_grant
from edgefleet_server.domain.policy.roles import Role

VIEWER, OPERATOR, ADMIN = Role.VIEWER, Role.OPERATOR, Role.ADMIN


@pytest.mark.parametrize(("owner", "role", "groups", "token"), [
    (Grants(ADMIN), ADMIN, (), Grants(ADMIN)),
    (Grants(ADMIN), OPERATOR, ("lyon",), Grants(None, {"lyon": OPERATOR})),
    (Grants(VIEWER, {"lyon": OPERATOR}), ADMIN, (), Grants(VIEWER, {"lyon": OPERATOR})),
    (Grants(VIEWER, {"lyon": OPERATOR}), OPERATOR, ("lyon", "paris"), Grants(None, {"lyon": OPERATOR, "paris": VIEWER})),
    (Grants(None, {"lyon": OPERATOR}), VIEWER, (), Grants(None, {"lyon": VIEWER})),
    (Grants(None, {"lyon": OPERATOR}), OPERATOR, ("paris",), Grants(None)),
])  # fmt: skip
def test_a_token_has_at_most_the_roles_of_its_owner(owner: Grants, role: Role, groups: tuple[str, ...], token: Grants) -> None:
    assert owner.limited_to(role, groups) == token


def test_the_highest_role_counts() -> None:
    both = joined(
        [
            Grants(VIEWER),
            Grants(None, {"lyon": VIEWER}),
            Grants(None, {"lyon": OPERATOR}),
            Grants(None, {"lyon": VIEWER, "paris": VIEWER}),
        ]
    )
    assert both == Grants(VIEWER, {"lyon": OPERATOR, "paris": VIEWER})
    assert (both.highest, both.groups_as(OPERATOR), both.everywhere_as(OPERATOR)) == (OPERATOR, {"lyon"}, False)
    assert Grants().highest is VIEWER


@pytest.mark.parametrize(("text", "found"), [("admin", Grants(ADMIN)), ("operator:lyon", Grants(None, {"lyon": OPERATOR}))])
def test_roles_are_read(text: str, found: Grants) -> None:
    assert parse_grant(text) == found


@pytest.mark.parametrize("text", ["", "boss", "admin:lyon", "operator:", "operator:not a name", "viewer:lyon:paris"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_grant(text)


def test_no_user_is_without_a_role_or_with_two_for_one_group() -> None:
    with pytest.raises(InputError, match="empty"):
        check_grants(None, {})
    with pytest.raises(InputError, match="limit"):
        check_grants(None, {f"g{number}": VIEWER for number in range(GRANTS_MAX + 1)})
    with pytest.raises(InputError, match="at most once"):
        grants_of([(VIEWER, "lyon"), (OPERATOR, "lyon")])
