"""Roles, and the role and the devices that each operation of the REST API requires.

A viewer reads, an operator acts on devices and rollouts, an administrator manages users and their roles. A user has a role for
all devices, or roles for groups (`domain.policy.grants`). The server does not start with an operation that is missing from the
table: a forgotten operation is never open to all, and one whose devices are not known is refused to roles for groups.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Final

from edgefleet_server.core.errors import DeniedError


class Role(str, Enum):
    """The role of a user; each includes the permissions of those before it."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    ADMIN = "admin"

    def covers(self, needed: Role) -> bool:
        """Whether this role includes the permissions of `needed`."""
        return _RANK[self] >= _RANK[needed]


USER_PATTERN: Final = r"^[a-z][a-z0-9._-]{0,63}$"
"""Names of users: lower case, so that no two names look alike."""

_RANK: Final = {role: rank for rank, role in enumerate(Role)}


class Reach(str, Enum):
    """The devices that an operation reads or changes. A caller with roles for groups needs the role for all of them."""

    NONE = "none"
    """None: sign-in, the own account and proposals, and what is the same for the whole fleet, such as the files of models."""
    DEVICE = "device"
    """The device in the path."""
    LISTED = "listed"
    """Those that the route finds: it takes the caller's devices (`api.device_scope`) and leaves out all others."""
    ROLLOUT = "rollout"
    """All that the rollout in the path selects, later ones included."""
    FLEET = "fleet"
    """All: only a role for all devices suffices."""


_TABLE: Final[tuple[tuple[Role | None, Reach, tuple[str, ...]], ...]] = (
    (None, Reach.NONE, (
        "get_health", "get_session", "sign_in", "begin_openid", "finish_openid", "set_up", "enrol_device", "get_trust_metadata",
        "get_trust_files", "get_device_blob",
    )),
    (Role.VIEWER, Reach.NONE, (
        "sign_out", "change_password", "list_api_tokens", "create_api_token", "revoke_api_token", "check_pipeline",
        "list_rollout_templates", "get_trust", "get_push_key", "list_channels", "get_channel_history", "list_proposals",
        "get_proposal", "get_proposal_effect",
    )),
    (Role.VIEWER, Reach.DEVICE, (
        "get_device", "get_device_telemetry", "get_device_figures", "get_device_identity", "get_evidence", "get_command",
        "list_pictures", "get_picture",
    )),
    (Role.VIEWER, Reach.LISTED, (
        "list_devices", "list_device_ids", "list_events", "summarize_events", "list_groups", "list_group_members",
        "get_overview", "stream", "list_models", "get_model", "list_pipelines", "list_rollouts",
        "preview_rollout", "list_alerts", "list_sites", "get_figures",
    )),
    (Role.VIEWER, Reach.ROLLOUT, (
        "get_rollout", "list_attempts", "get_timeline", "get_rollout_history", "get_rollout_shadow",
    )),
    (Role.VIEWER, Reach.FLEET, (
        "get_pipeline", "get_blob", "list_measurements", "list_experiments", "get_experiment", "list_alert_rules", "list_notices",
        "list_alert_recipients", "list_alert_snoozes", "get_coverage", "list_version_shares", "get_model_field",
        "preview_experiment", "list_configurations", "get_model_sbom", "list_components", "list_component_devices",
    )),
    (Role.OPERATOR, Reach.DEVICE, (
        "pin_device", "unpin_device", "release_device", "label_device", "send_command", "take_picture", "view_live",
        "block_device", "unblock_device", "view_logs", "get_last_logs", "request_support_bundle", "list_support_bundles",
        "get_support_bundle", "delete_support_bundle",
    )),
    (Role.OPERATOR, Reach.LISTED, (
        "review_events", "bulk_devices", "acknowledge_alert", "create_rollout",
    )),
    (Role.OPERATOR, Reach.ROLLOUT, (
        "start_rollout", "approve_rollout", "skip_wave", "pause_rollout", "resume_rollout", "abort_rollout", "rollback_rollout",
    )),
    (Role.OPERATOR, Reach.FLEET, (
        "put_group", "delete_group", "silence_alert_rule", "test_alert_recipient", "create_alert_snooze", "end_alert_snooze",
        "push_model", "set_channel", "remove_channel", "begin_upload", "get_upload", "append_upload", "finish_upload",
        "drop_upload", "upload_measurements", "create_pipeline", "put_configuration", "approve_proposal", "reject_proposal",
        "create_experiment", "choose_experiment_arm", "stop_experiment",
    )),
    (Role.ADMIN, Reach.FLEET, (
        "decommission_device", "create_alert_rule", "change_alert_rule", "delete_alert_rule", "create_alert_recipient",
        "change_alert_recipient", "delete_alert_recipient", "prune_models", "list_users", "create_user", "change_user",
        "delete_user", "list_audit", "verify_audit", "get_settings", "change_settings", "get_certificates",
        "list_enrolment_tokens", "create_enrolment_token", "revoke_enrolment_token", "list_enrolment_requests",
        "decide_enrolment_requests", "post_signed_targets", "rotate_trust_key", "withdraw_version",
        "create_dossier", "get_authority_rotation", "begin_authority_rotation", "finish_authority_rotation", "post_signed_root",
    )),
)  # fmt: skip
"""The one table that every operation passes: the lowest role that may use it (None = no sign-in required), the devices that it
is about, and its operation ids."""

NEEDED: Final[dict[str, Role | None]] = {name: role for role, _, names in _TABLE for name in names}
"""Operation id → the lowest role that may use it; None = no sign-in required."""
REACHES: Final[dict[str, Reach]] = {name: reach for _, reach, names in _TABLE for name in names}
"""Operation id → the devices that it is about."""
ACTS: Final = frozenset(name for name, role in NEEDED.items() if role is Role.OPERATOR)
OPEN: Final = frozenset(name for name, role in NEEDED.items() if role is None)
"""Operations without sign-in: health checks, sign-in of users, enrolment of devices (authenticated by a token), signed
metadata, and blobs for devices (authenticated by a download ticket)."""
OWN_ACCOUNT: Final = ("sign_out", "change_password", "list_api_tokens", "create_api_token", "revoke_api_token")

UNRECORDED: Final = frozenset({"preview_rollout", "preview_experiment", "check_pipeline", "append_upload"})
"""Operations that the audit log leaves out: those that change nothing although their method could, and the parts of an upload,
whose start and end are recorded."""


def least(first: Role, second: Role) -> Role:
    """The lower of two roles: the effective role of a token is the lower one of the token's and its owner's."""
    return first if second.covers(first) else second


def check(role: Role, operation: str) -> None:
    """Check that a role may use an operation.

    Raises:
        DeniedError: the role does not suffice for the operation.
    """
    needed = NEEDED[operation]
    if needed is not None and not role.covers(needed):
        raise DeniedError(f"{operation} requires role {needed.value}; your role is {role.value}, ask an administrator")


SCOPES: Final = (
    "alerts", "audit", "devices", "fleet", "identity", "models", "people", "pipelines", "proposals", "rollouts",
    "settings", "trust",
)  # fmt: skip
"""Scopes of tokens: parts of the API by their tags. `devices:read` reads devices and changes none."""
PROPOSE: Final = "propose"
"""The scope of tokens whose changes wait for the approval of a person; it limits no part of the API."""
SCOPE_PATTERN: Final = r"^((" + "|".join(SCOPES) + r")(:read)?|" + PROPOSE + r")$"


def check_scope(scopes: Collection[str], part: str, operation: str, *, reads: bool) -> None:
    """Check that a token's scopes allow an operation; no scopes = all operations of its role.

    Raises:
        DeniedError: they do not.
    """
    parts = set(scopes) - {PROPOSE}
    own = PROPOSE in scopes and part == "proposals" and reads
    if parts and not own and part not in parts and not (reads and f"{part}:read" in parts):
        raise DeniedError(
            f"{operation} is not in the scopes of this API token ({', '.join(sorted(scopes))}); create one with scope {part}"
        )
