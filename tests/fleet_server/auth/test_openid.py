"""Sign-in with an OpenID provider: tokens with real signatures, every lie refused, and the whole way in a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("joserfc", reason="needs the package joserfc")

from joserfc.jwk import OctKey, RSAKey

from edgefleet_server.auth.openid import OpenIdIdentity, OpenIdProvider, OpenIdTerms, PendingSignIn
from edgefleet_server.core.errors import DeniedError, InputError, UnavailableError
from edgefleet_server.domain.policy.grants import Grants, parse_grant
from edgefleet_server.domain.policy.roles import Role
from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.auth.provider import OpenId
from tests.fleet_server.fakes.server_process import ServerProcess

HOME = "http://127.0.0.1:1/return"
ROLES = {
    "ops": Grants(Role.OPERATOR), "chiefs": Grants(Role.ADMIN), "guests": Grants(Role.VIEWER),
    "plant-lyon": parse_grant("operator:lyon"), "plant-paris": parse_grant("viewer:paris"),
}  # fmt: skip


@pytest.fixture
def openid() -> Iterator[OpenId]:
    made = OpenId()
    yield made
    made.stop()


def provider(openid: OpenId, **more: Any) -> OpenIdProvider:
    return OpenIdProvider(OpenIdTerms(openid.issuer, openid.client, openid.secret, ROLES, **more))


def enter(
    openid: OpenId, ours: OpenIdProvider, change: Callable[[PendingSignIn, str], tuple[str, str, str]] | None = None
) -> OpenIdIdentity:
    """Off and back; `change` may exchange (code, nonce, verifier)."""
    pending = ours.begin(HOME)
    code = openid.authorize(pending.url).rpartition("code=")[2]
    code, nonce, verifier = change(pending, code) if change else (code, pending.nonce, pending.verifier)
    return ours.finish(code, HOME, nonce, verifier, time.time())


def test_the_highest_role_of_a_user_counts(openid: OpenId) -> None:
    ours = provider(openid)
    assert enter(openid, ours) == OpenIdIdentity(f"{openid.issuer}#1", "ann.lee", Grants(Role.OPERATOR))
    openid.claims |= {"groups": ["guests", "chiefs", "ops"]}
    assert enter(openid, ours).grants == Grants(Role.ADMIN)
    openid.claims |= {"groups": ["plant-lyon", "plant-paris", "guests"]}
    assert enter(openid, ours).grants == Grants(Role.VIEWER, {"lyon": Role.OPERATOR, "paris": Role.VIEWER})
    assert openid.key_requests == 1


def _signed_by(key: Any, **header: Any) -> Callable[[OpenId], None]:
    def change(openid: OpenId) -> None:
        openid.signing, openid.header = key, {**openid.header, **header}

    return change


def _with_claims(**claims: Any) -> Callable[[OpenId], None]:
    return lambda openid: openid.claims.update(claims)


NOW = int(time.time())


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (_with_claims(nonce="another"), "nonce"),
        (_with_claims(nonce=None), "nonce"),
        (_with_claims(iss="https://elsewhere.example"), "iss"),
        (_with_claims(aud="another-client"), "aud"),
        (_with_claims(aud=["edgefleet", "another"]), "for another client"),
        (_with_claims(aud=["edgefleet", "another"], azp="another"), "for another client"),
        (_with_claims(exp=NOW - 3600), "expired"),
        (_with_claims(exp=None), "exp"),
        (_with_claims(iat=NOW + 86_400), "iat|future|issued"),
        (_with_claims(sub=None), "sub"),
        (_signed_by(None, alg="none"), "is invalid"),
        (_signed_by(RSAKey.generate_key(2048, parameters={"kid": "k1"})), "is invalid"),
        (_signed_by(OctKey.import_key("published-to-everybody-published-to"), alg="HS256"), "is invalid"),
        (_signed_by(RSAKey.generate_key(2048), kid="unknown"), "is invalid"),
        (lambda openid: setattr(openid, "forged", "not.a.token"), "is invalid"),
        (_with_claims(groups=["choir"]), "none of your groups"),
        (_with_claims(groups={"ops": True}), "none of your groups"),
        (_with_claims(groups=None), "none of your groups"),
        (_with_claims(preferred_username="李", email="@", sub="9"), "has no user name"),
    ],
)
def test_a_token_for_another_client_is_refused(openid: OpenId, lie: Callable[[OpenId], None], why: str) -> None:
    ours = provider(openid)
    lie(openid)
    with pytest.raises(DeniedError, match=why):
        enter(openid, ours)


def test_a_code_is_good_once_and_only_for_who_began(openid: OpenId) -> None:
    ours = provider(openid)
    with pytest.raises(DeniedError, match="invalid_grant"):
        enter(openid, ours, lambda pending, code: (code, pending.nonce, "the verifier of somebody else"))
    with pytest.raises(DeniedError, match="nonce"):
        enter(openid, ours, lambda pending, code: (code, "of another sign-in", pending.verifier))
    with pytest.raises(DeniedError, match="invalid_client"):
        enter(openid, OpenIdProvider(OpenIdTerms(openid.issuer, openid.client, "wrong", ROLES)))


def test_key_requests_are_rate_limited(openid: OpenId) -> None:
    ours = provider(openid)
    enter(openid, ours)
    for _ in range(3):
        openid.header = {"alg": "RS256", "kid": "k2"}
        with pytest.raises(DeniedError):
            enter(openid, ours)
    assert openid.key_requests == 1, "the keys are a moment old; a forged token makes nobody ask again"


def test_groups_may_stand_deeper_and_an_address_counts_when_it_is_verified(openid: OpenId) -> None:
    openid.claims |= {"realm_access": {"roles": ["chiefs"]}, "email": "ann@example.org"}
    assert enter(openid, provider(openid, claim="realm_access.roles")).grants == Grants(Role.ADMIN)
    by_address = OpenIdProvider(
        OpenIdTerms(openid.issuer, openid.client, openid.secret, {"ann@example.org": Grants(Role.VIEWER)}, "email")
    )
    with pytest.raises(DeniedError, match="none of your groups"):
        enter(openid, by_address)
    openid.claims["email_verified"] = True
    assert enter(openid, by_address).grants == Grants(Role.VIEWER)


def test_an_unreachable_or_wrong_provider_is_reported(openid: OpenId) -> None:
    other = OpenIdProvider(OpenIdTerms(openid.issuer.replace("/realm", ""), "edgefleet", "", ROLES))
    with pytest.raises(UnavailableError):
        other.begin(HOME)
    ours = provider(openid)
    openid.issuer += "-moved"
    with pytest.raises(UnavailableError, match=r"reports the issuer .*-moved; correct --oidc-issuer"):
        ours.begin(HOME)
    for wrong in ({"issuer": "http://idp.example"}, {"client_id": ""}, {"roles": {}}):
        with pytest.raises(InputError, match="--oidc"):
            OpenIdTerms(**{"issuer": "https://idp.example", "client_id": "c", "roles": ROLES, **wrong})  # type: ignore[arg-type]


@pytest.mark.system
def test_the_whole_way(openid: OpenId, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("openid")
    (folder / "secret").write_text("s3cret\n")
    options = ["--oidc-issuer", openid.issuer, "--oidc-secret-file", str(folder / "secret"), "--oidc-role", "ops=operator"]
    server = ServerProcess(folder / "data", *options, "--oidc-label", "Example").start()
    url = server.state()["url"]
    try:
        assert server.http.get("/session/openid").status_code == 409, "the first administrator is set up with the code"
        admin = server.http
        body = {"code": setup_code(server), "name": "ada", "password": PASSWORD}
        assert admin.post("/setup", json=body).status_code == 201
        with httpx.Client(base_url=f"{url}/api/v1") as ann, httpx.Client(base_url=f"{url}/api/v1") as eve:
            assert ann.get("/session").json()["openid"] == "Example"
            away = ann.get("/session/openid")
            assert away.status_code == 303
            back = openid.authorize(away.headers["location"])
            stolen = eve.get(back)
            assert (stolen.status_code, "this sign-in is unknown" in stolen.text) == (403, True)
            assert ann.get(back).status_code == 403, "a state that somebody tried is used up"

            back = openid.authorize(ann.get("/session/openid").headers["location"])
            cookie = ann.cookies["edgefleet-openid"]
            home = ann.get(back)
            assert (home.status_code, home.headers["location"]) == (303, "/")
            me = ann.get("/session").json()
            assert (me["user"], me["role"], me["via"]) == ("ann.lee", "operator", "session")
            assert ann.get("/users").status_code == 403
            again = httpx.get(back, headers={"Cookie": f"edgefleet-openid={cookie}"})
            assert (again.status_code, "start again" in again.text) == (403, True), "replayed"
            refused = ann.get("/session/openid/return", params={"error": "access_denied", "error_description": "<b>no</b>"})
            assert (refused.status_code, "&lt;b&gt;no&lt;/b&gt;" in refused.text) == (403, True)

            signed = [entry for entry in admin.get("/audit").json()["items"] if entry["via"] == "openid"]
            assert [(entry["actor"], entry["action"], entry["role"]) for entry in signed] == [("ann.lee", "sign_in", "operator")]
            by_password = eve.post("/session", json={"name": "ann.lee", "password": ""})
            assert by_password.status_code in (401, 422), "no password is theirs"
            assert admin.patch("/users/ann.lee", json={"disabled": True}).status_code == 200
            disabled = ann.get(openid.authorize(ann.get("/session/openid").headers["location"]))
            assert (disabled.status_code, "is disabled;" in disabled.text) == (403, True)
        openid.claims |= {"sub": "2", "preferred_username": "ada"}
        with httpx.Client(base_url=f"{url}/api/v1") as mallory:
            answer = mallory.get(openid.authorize(mallory.get("/session/openid").headers["location"]))
            assert (answer.status_code, "another user is named" in answer.text) == (403, True), "nobody takes over a local name"
    finally:
        server.stop()
