"""Operations about people.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_client.pages import followed
from edgefleet_client.schemas.people import (
    ApiToken,
    ApiTokenList,
    ApiTokenRequest,
    NewApiToken,
    PasswordChange,
    Session,
    SetUpRequest,
    SignInRequest,
    User,
    UserList,
    UserPatch,
    UserRequest,
)
from edgefleet_client.transport import Transport


class PeopleOperations:
    """Operations about people."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_api_tokens(self, *, after: str | None = None, limit: int | None = None) -> ApiTokenList:
        """The caller's API tokens, newest first; for an administrator, those of all users. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: ApiTokenList = self._transport.ask("GET", ("api-tokens",), query=query)
        return answer

    def iterate_api_tokens(self) -> Iterator[ApiToken]:
        """Every item of `list_api_tokens`, one request a page."""
        return followed(lambda at: self.list_api_tokens(after=at, limit=1000))

    def create_api_token(self, body: ApiTokenRequest) -> NewApiToken:
        """Create an API token of the caller. Its secret is returned only in this response. Role: viewer."""
        answer: NewApiToken = self._transport.ask("POST", ("api-tokens",), json=body)
        return answer

    def revoke_api_token(self, token: str) -> None:
        """Revoke an API token of the caller; an administrator may revoke any token. Role: viewer."""
        self._transport.send("DELETE", ("api-tokens", token))

    def sign_out(self) -> None:
        """End this session. Role: viewer."""
        self._transport.send("DELETE", ("session",))

    def get_session(self) -> Session:
        """The caller of this request, and whether sign-in is required."""
        answer: Session = self._transport.ask("GET", ("session",))
        return answer

    def sign_in(self, body: SignInRequest) -> Session:
        """Start a session. Its secret is set as a cookie."""
        answer: Session = self._transport.ask("POST", ("session",), json=body)
        return answer

    def change_password(self, body: PasswordChange) -> None:
        """Change the caller's password. All other sessions of the caller end. Role: viewer."""
        self._transport.send("PUT", ("session", "password"), json=body)

    def set_up(self, body: SetUpRequest) -> Session:
        """Create the first administrator, with the code in `setup.code` of its data folder. From then on, sign-in is
        required."""
        answer: Session = self._transport.ask("POST", ("setup",), json=body)
        return answer

    def list_users(self, *, after: str | None = None, limit: int | None = None) -> UserList:
        """All users, by name. Role: admin."""
        query = {"after": after, "limit": limit}
        answer: UserList = self._transport.ask("GET", ("users",), query=query)
        return answer

    def iterate_users(self) -> Iterator[User]:
        """Every item of `list_users`, one request a page."""
        return followed(lambda at: self.list_users(after=at, limit=1000))

    def create_user(self, body: UserRequest) -> User:
        """Add a user. The first one is created by `set_up`, or with `edgefleet user add` on the data folder. Role: admin."""
        answer: User = self._transport.ask("POST", ("users",), json=body)
        return answer

    def delete_user(self, user: str) -> None:
        """Delete a user with all sessions and API tokens. The name stays in the audit log. Role: admin."""
        self._transport.send("DELETE", ("users", user))

    def change_user(self, user: str, body: UserPatch) -> User:
        """Change the roles, disable or enable the user, set a new password. Takes effect with the next request of that user.
        Role: admin."""
        answer: User = self._transport.ask("PATCH", ("users", user), json=body)
        return answer
