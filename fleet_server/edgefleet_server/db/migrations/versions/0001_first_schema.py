"""The first schema"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from edgefleet_server.db.backend import append_only, partitions

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table."""
    _create_devices()
    _create_registry()
    _create_rollouts()
    _create_experiments()
    _create_telemetry()
    _create_alerts()
    _create_people()
    _create_server()


def downgrade() -> None:
    """
    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("there is no schema before the first one")


def _text(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.String(), nullable=nullable, server_default=default) for name in names]


def _real(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Float(), nullable=nullable, server_default=default) for name in names]


def _whole(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Integer(), nullable=nullable, server_default=default) for name in names]


def _flag(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Boolean(), nullable=nullable, server_default=default) for name in names]


def _json(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.JSON(), nullable=nullable, server_default=default) for name in names]


def _bytes(*names: str, nullable: bool = False, default: Any = None) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.LargeBinary(), nullable=nullable, server_default=default) for name in names]


def _create_devices() -> None:
    op.create_table(
        "device",
        *_text("id"), *_real("first_seen_at"), *_text("agent_version", "profile"),
        *_json("runtimes", "hardware", "labels", "labels_own", "label_edits"), *_real("released_at", default=sa.text("0")),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_index("ix_device_profile", "device", ["profile"])
    op.create_table(
        "device_last",
        *_text("device", "presence"), *_real("presence_at"), *_text("boot", "boot_before"), *_whole("connection"),
        *_real("last_seen_at"), *_text("report_boot"), *_whole("report_version", "generation"), *_json("pipelines"),
        *_whole("disk_free_bytes"), *_json("attention_slots", "attention_sample"), *_whole("attention_count"),
        *_real("sample_at"), *_json("sample"), *_real("fps", "latency_p95_ms", "dropped_per_s"),
        *_real("temperature_c", nullable=True), *_real("cpu_percent"), *_real("births", "births_at", default=sa.text("0")),
        sa.PrimaryKeyConstraint("device"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
    )  # fmt: skip
    op.create_index("ix_device_last_attention_count", "device_last", ["attention_count"])
    op.create_index("ix_device_last_fps", "device_last", ["fps"])
    op.create_index("ix_device_last_last_seen_at", "device_last", ["last_seen_at"])
    op.create_index("ix_device_last_latency_p95_ms", "device_last", ["latency_p95_ms"])
    op.create_index("ix_device_last_presence", "device_last", ["presence"])
    op.create_table(
        "device_slot",
        *_text("device", "slot", "phase", "running_package", "running_version", "running_digest"),
        *_json("running", nullable=True), *_text("target_digest", "attempt", "reason", "detail"),
        *_whole("bytes_done", "bytes_total"), *_real("since_at"),
        sa.PrimaryKeyConstraint("device", "slot"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
    )  # fmt: skip
    op.create_index("device_slot_running", "device_slot", ["running_package", "running_version"])
    op.create_table(
        "device_group",
        *_text("name"), *_json("selector"), *_text("note"), *_real("changed_at"), *_text("changed_by"),
        sa.PrimaryKeyConstraint("name"),
    )  # fmt: skip
    op.create_table(
        "blocked_device",
        *_text("device"), *_real("blocked_at"), *_text("reason"),
        sa.PrimaryKeyConstraint("device"),
    )  # fmt: skip
    op.create_table(
        "device_certificate",
        *_text("serial", "device"), *_real("issued_at", "expires_at"), *_real("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("serial"),
    )  # fmt: skip
    op.create_index("ix_device_certificate_device", "device_certificate", ["device"])
    op.create_index("ix_device_certificate_revoked_at", "device_certificate", ["revoked_at"])
    op.create_table(
        "enrolment_token",
        *_text("id", "secret_sha256", "device"), *_json("labels"), *_real("created_at", "expires_at"),
        *_real("used_at", nullable=True), *_text("used_by"), *_real("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("id"), sa.UniqueConstraint("secret_sha256"),
    )  # fmt: skip
    op.create_table(
        "cursor",
        *_text("device", "stream", "epoch"), *_whole("seq"), *_json("ahead"), *_real("gap_at"), *_whole("lost", "refused"),
        *_real("updated_at"),
        sa.PrimaryKeyConstraint("device", "stream", "epoch"),
    )  # fmt: skip
    op.create_table(
        "desired",
        *_text("device"), *_whole("generation"), *_text("document"), *_whole("published"),
        sa.PrimaryKeyConstraint("device"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
    )  # fmt: skip
    op.create_table(
        "command",
        *_text("id", "device", "op"), *_json("args"), *_text("state", "detail"), *_json("result"),
        *_real("created_at", "deadline_at"), *_real("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
    )  # fmt: skip
    op.create_index("command_deadline", "command", ["state", "deadline_at"])
    op.create_index("command_device", "command", ["device", "state"])


def _create_registry() -> None:
    op.create_table(
        "package",
        *_text("digest", "name", "version"), *_real("created_at"), *_whole("descriptor_bytes", "length_bytes"),
        *_json("manifest", "files"), *_real("retired_at", nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )  # fmt: skip
    op.create_index("package_name_version", "package", ["name", "version"], unique=True)
    op.create_table(
        "blob",
        *_text("sha256"), *_whole("length"), *_real("created_at"),
        sa.PrimaryKeyConstraint("sha256"),
    )  # fmt: skip
    op.create_table(
        "package_blob",
        *_text("package", "sha256"),
        sa.PrimaryKeyConstraint("package", "sha256"), sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.ForeignKeyConstraint(["sha256"], ["blob.sha256"]),
    )  # fmt: skip
    op.create_index("ix_package_blob_sha256", "package_blob", ["sha256"])
    op.create_table(
        "channel",
        *_text("model", "name", "package"), *_real("changed_at"), *_text("changed_by", "note"),
        sa.PrimaryKeyConstraint("model", "name"), sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_index("ix_channel_package", "channel", ["package"])
    op.create_table(
        "channel_change",
        *_whole("id"), *_text("model", "name", "version", "before"), *_real("at"), *_text("by", "note"),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_index("channel_change_name", "channel_change", ["model", "name", "id"])
    op.create_table(
        "measurement",
        *_whole("id"), *_text("package", "profile", "machine"), *_real("measured_at"), *_text("variant", "runtime", "device"),
        *_whole("threads", "streams", "instances", "batch"), *_real("p50_ms", "p95_ms", "per_s"), *_whole("memory_bytes"),
        *_real("load_ms"), *_flag("best"),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_index("measurement_package", "measurement", ["package", "profile"])


def _create_rollouts() -> None:
    op.create_table(
        "assignment",
        *_text("device", "slot", "package", "attempt"), *_whole("rollout"), *_real("trial_s"), *_whole("trial_frames_min"),
        *_flag("hold", default=sa.false()), *_real("assigned_at", default=sa.text("0")),
        *_flag("atomic", default=sa.false()),
        sa.PrimaryKeyConstraint("device", "slot"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_table(
        "pin",
        *_text("device", "slot", "package", "reason", "pinned_by"), *_real("pinned_at"),
        sa.PrimaryKeyConstraint("device", "slot"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_table(
        "rollout",
        *_whole("id"), *_text("name", "package", "slot", "state", "state_reason"), *_real("created_at"),
        *_real("started_at", "finished_at", nullable=True), *_real("changed_at"),
        *_json("selector", "plans", "gate", "policy"), *_real("wave_timeout_s"), *_json("terms", default=sa.text("'{}'")),
        *_whole("priority", default=sa.text("500")), *_text("created_by", default=sa.text("''")),
        *_text("approved_by", nullable=True),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_index("ix_rollout_package", "rollout", ["package"])
    op.create_index("ix_rollout_state", "rollout", ["state"])
    op.create_table(
        "rollout_part",
        *_whole("rollout"), *_text("slot", "package"), *_whole("position"),
        sa.PrimaryKeyConstraint("rollout", "slot"), sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_table(
        "wave",
        *_whole("rollout", "index"), *_text("name", "state"), *_whole("total"),
        *_real("started_at", "soaking_at", "finished_at", nullable=True), *_whole("excused_reported", "excused_failed"),
        *_flag("approval", default=sa.false()), *_text("approved_by", nullable=True), *_flag("late_joiners", default=sa.false()),
        sa.PrimaryKeyConstraint("rollout", "index"), sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
    )  # fmt: skip
    op.create_table(
        "attempt",
        *_text("id"), *_whole("rollout"), *_text("device"), *_whole("wave", "number"), *_text("state"), *_flag("open"),
        *_text("reason", "detail"), *_text("previous", nullable=True), *_real("offered_at", nullable=True),
        *_real("updated_at"), *_real("finished_at", nullable=True), *_whole("bytes_done", "bytes_total"),
        *_flag("latest", default=sa.true()), *_flag("staging", default=sa.false()), *_real("not_before", default=sa.text("0")),
        *_json("baseline", nullable=True), *_text("regressed", default=sa.text("''")),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["device"], ["device.id"]),
        sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
    )  # fmt: skip
    op.create_index("attempt_device", "attempt", ["device", "rollout"])
    op.create_index("attempt_ended", "attempt", ["state", "finished_at"])
    op.create_index("attempt_offered", "attempt", ["rollout", "offered_at"])
    op.create_index("attempt_open", "attempt", ["rollout", "open"])
    op.create_index("attempt_rollout", "attempt", ["rollout", "wave", "state"])
    op.create_table(
        "attempt_part",
        *_text("attempt", "slot"), *_text("previous", nullable=True),
        sa.PrimaryKeyConstraint("attempt", "slot"),
    )  # fmt: skip
    op.create_table(
        "timeline",
        *_whole("id", "rollout"), *_real("at"), *_text("kind", "text"), *_whole("wave", nullable=True),
        *_text("device", nullable=True),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
    )  # fmt: skip
    op.create_index("ix_timeline_rollout", "timeline", ["rollout"])


def _create_experiments() -> None:
    op.create_table(
        "experiment",
        *_whole("id"), *_text("name", "slot", "state", "split", "label_key"), *_real("created_at"), *_text("created_by"),
        *_real("ended_at", nullable=True), *_text("ended_by", "chosen_arm"), *_whole("chosen_rollout", nullable=True),
        *_text("compared", default=sa.text("''")), *_real("review_after_s", nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_table(
        "experiment_arm",
        *_whole("experiment", "position"), *_text("name", "package"), *_real("share"), *_text("value"),
        *_whole("rollout", nullable=True),
        sa.PrimaryKeyConstraint("experiment", "position"), sa.ForeignKeyConstraint(["experiment"], ["experiment.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
    )  # fmt: skip
    op.create_table(
        "experiment_member",
        *_whole("experiment"), *_text("device", "arm"),
        sa.PrimaryKeyConstraint("experiment", "device"), sa.ForeignKeyConstraint(["experiment"], ["experiment.id"]),
    )  # fmt: skip


def _create_telemetry() -> None:
    op.create_table(
        "telemetry",
        *_whole("id"), *_text("device"), *_real("at", "received_at"), *_text("record"),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_index("telemetry_device_at", "telemetry", ["device", "at"])
    op.create_table(
        "event",
        *_whole("id"), *_text("device"), *_real("at", "received_at"), *_text("kind", "label", "record"),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_index("event_device", "event", ["device", "id"])
    op.create_index("event_kind", "event", ["kind", "id"])
    op.create_index("event_label", "event", ["label", "id"])
    op.create_index("ix_event_received_at", "event", ["received_at"])
    op.create_table(
        "rollup",
        *_whole("span_s"), *_text("device"), *_whole("at"), *_bytes("figures"),
        sa.PrimaryKeyConstraint("span_s", "device", "at"), sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_index("rollup_at", "rollup", ["span_s", "at"])
    op.create_table(
        "checkpoint",
        *_text("name"), *_whole("value"),
        sa.PrimaryKeyConstraint("name"),
    )  # fmt: skip
    op.create_table(
        "version_share",
        *_whole("at"), *_json("shares"),
        sa.PrimaryKeyConstraint("at"),
    )  # fmt: skip
    op.create_table(
        "retention",
        *_text("kind"), *_real("at"), *_whole("removed"), *_real("took_s"), *_text("problem"),
        sa.PrimaryKeyConstraint("kind"),
    )  # fmt: skip
    if op.get_bind().dialect.name == "postgresql":
        for table in partitions.TABLES:
            partitions.partition_table(op.get_bind(), table)


def _create_alerts() -> None:
    op.create_table(
        "alert_rule",
        *_whole("id"), *_text("name"), *_json("rule"), *_flag("enabled"), *_real("silenced_until"), *_text("silenced_by"),
        *_real("created_at"), *_text("created_by"),
        sa.PrimaryKeyConstraint("id"), sa.UniqueConstraint("name"),
    )  # fmt: skip
    op.create_table(
        "alert",
        *_whole("id", "rule"), *_text("subject", "text"), *_real("value", "began_at"),
        *_real("ended_at", "acknowledged_at", nullable=True), *_text("acknowledged_by"),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["rule"], ["alert_rule.id"]),
    )  # fmt: skip
    op.create_index("alert_open", "alert", ["ended_at", "rule"])
    op.create_index("ix_alert_rule", "alert", ["rule"])
    op.create_table(
        "notice",
        *_whole("id"), *_text("target"), *_whole("alert"), *_text("body", "state"), *_whole("tries"),
        *_real("due_at", "created_at"), *_text("error"),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_index("notice_due", "notice", ["state", "due_at"])


def _create_people() -> None:
    op.create_table(
        "person",
        *_text("name", "role", "password"), *_real("created_at"), *_flag("disabled"), *_text("subject", nullable=True),
        sa.PrimaryKeyConstraint("name"),
    )  # fmt: skip
    op.create_index("ix_person_subject", "person", ["subject"], unique=True)
    op.create_table(
        "openid_login",
        *_text("state", "browser", "nonce", "verifier", "redirect"), *_real("started_at"),
        sa.PrimaryKeyConstraint("state"),
    )  # fmt: skip
    op.create_index("ix_openid_login_started_at", "openid_login", ["started_at"])
    op.create_table(
        "session",
        *_text("hash", "user"), *_real("created_at", "seen_at", "expires_at"), *_text("source", "agent"),
        sa.PrimaryKeyConstraint("hash"), sa.ForeignKeyConstraint(["user"], ["person.name"]),
    )  # fmt: skip
    op.create_index("ix_session_expires_at", "session", ["expires_at"])
    op.create_index("ix_session_user", "session", ["user"])
    op.create_table(
        "api_token",
        *_text("id", "hash", "user", "name", "role"), *_real("created_at", "expires_at"), *_real("used_at", nullable=True),
        *_json("scopes", default=sa.text("'[]'")),
        sa.PrimaryKeyConstraint("id"), sa.ForeignKeyConstraint(["user"], ["person.name"]), sa.UniqueConstraint("hash"),
    )  # fmt: skip
    op.create_index("ix_api_token_user", "api_token", ["user"])
    op.create_table(
        "audit",
        *_whole("seq"), *_real("at"), *_text("actor", "role", "via", "source", "action", "target"), *_whole("status"),
        *_text("detail", "previous", "digest"),
        sa.PrimaryKeyConstraint("seq"),
    )  # fmt: skip
    op.create_index("ix_audit_action", "audit", ["action"])
    op.create_index("ix_audit_actor", "audit", ["actor"])
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_table(
        "audit_archived",
        *_whole("seq"), *_text("digest"),
        sa.PrimaryKeyConstraint("seq"),
    )  # fmt: skip
    append_only.forbid(op.get_bind(), "audit", "UPDATE")
    append_only.forbid(op.get_bind(), "audit", "DELETE")


def _create_server() -> None:
    op.create_table(
        "secret",
        *_text("name", "value"), *_real("made_at"),
        sa.PrimaryKeyConstraint("name"),
    )  # fmt: skip
    op.create_table(
        "member",
        *_text("id", "role", "host", "version"),
        *_whole("pid", "messages", "refused", "waiting", "broadcasts", "sent_alone", "sent_bytes"),
        *_real("started_at", "seen_at", "broker_up_at", "samples_per_s", "wait_p50_s", "wait_p99_s"),
        *_flag("leads", "ingests"),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_table(
        "setting",
        *_text("name"), *_json("value"), *_real("changed_at"), *_text("changed_by"),
        sa.PrimaryKeyConstraint("name"),
    )  # fmt: skip
