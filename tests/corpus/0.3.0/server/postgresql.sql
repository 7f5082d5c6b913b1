CREATE FUNCTION public.audit_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.alert (
    id bigint NOT NULL,
    rule bigint NOT NULL,
    subject character varying NOT NULL,
    text character varying NOT NULL,
    value double precision NOT NULL,
    began_at double precision NOT NULL,
    ended_at double precision,
    acknowledged_at double precision,
    acknowledged_by character varying NOT NULL
);
CREATE SEQUENCE public.alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_id_seq OWNED BY public.alert.id;
CREATE TABLE public.alert_rule (
    id bigint NOT NULL,
    name character varying NOT NULL,
    rule json NOT NULL,
    enabled boolean NOT NULL,
    silenced_until double precision NOT NULL,
    silenced_by character varying NOT NULL,
    created_at double precision NOT NULL,
    created_by character varying NOT NULL
);
CREATE SEQUENCE public.alert_rule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_rule_id_seq OWNED BY public.alert_rule.id;
CREATE TABLE public.api_token (
    id character varying NOT NULL,
    hash character varying NOT NULL,
    "user" character varying NOT NULL,
    name character varying NOT NULL,
    role character varying NOT NULL,
    created_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    used_at double precision,
    scopes json DEFAULT '[]'::json NOT NULL
);
CREATE TABLE public.assignment (
    device character varying NOT NULL,
    slot character varying NOT NULL,
    package character varying NOT NULL,
    attempt character varying NOT NULL,
    rollout bigint NOT NULL,
    trial_s double precision NOT NULL,
    trial_frames_min bigint NOT NULL,
    hold boolean DEFAULT false NOT NULL,
    assigned_at double precision DEFAULT 0 NOT NULL,
    atomic boolean DEFAULT false NOT NULL
);
CREATE TABLE public.attempt (
    id character varying NOT NULL,
    rollout bigint NOT NULL,
    device character varying NOT NULL,
    wave bigint NOT NULL,
    number bigint NOT NULL,
    state character varying NOT NULL,
    open boolean NOT NULL,
    reason character varying NOT NULL,
    detail character varying NOT NULL,
    previous character varying,
    offered_at double precision,
    updated_at double precision NOT NULL,
    finished_at double precision,
    bytes_done bigint NOT NULL,
    bytes_total bigint NOT NULL,
    latest boolean DEFAULT true NOT NULL,
    staging boolean DEFAULT false NOT NULL,
    not_before double precision DEFAULT 0 NOT NULL,
    baseline json,
    regressed character varying DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.attempt_part (
    attempt character varying NOT NULL,
    slot character varying NOT NULL,
    previous character varying
);
CREATE TABLE public.audit (
    seq bigint NOT NULL,
    at double precision NOT NULL,
    actor character varying NOT NULL,
    role character varying NOT NULL,
    via character varying NOT NULL,
    source character varying NOT NULL,
    action character varying NOT NULL,
    target character varying NOT NULL,
    status bigint NOT NULL,
    detail character varying NOT NULL,
    previous character varying NOT NULL,
    digest character varying NOT NULL
);
CREATE TABLE public.audit_archived (
    seq bigint NOT NULL,
    digest character varying NOT NULL
);
CREATE SEQUENCE public.audit_archived_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_archived_seq_seq OWNED BY public.audit_archived.seq;
CREATE SEQUENCE public.audit_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_seq_seq OWNED BY public.audit.seq;
CREATE TABLE public.blob (
    sha256 character varying NOT NULL,
    length bigint NOT NULL,
    created_at double precision NOT NULL
);
CREATE TABLE public.blocked_device (
    device character varying NOT NULL,
    blocked_at double precision NOT NULL,
    reason character varying NOT NULL
);
CREATE TABLE public.channel (
    model character varying NOT NULL,
    name character varying NOT NULL,
    package character varying NOT NULL,
    changed_at double precision NOT NULL,
    changed_by character varying NOT NULL,
    note character varying NOT NULL
);
CREATE TABLE public.channel_change (
    id bigint NOT NULL,
    model character varying NOT NULL,
    name character varying NOT NULL,
    version character varying NOT NULL,
    before character varying NOT NULL,
    at double precision NOT NULL,
    by character varying NOT NULL,
    note character varying NOT NULL
);
CREATE SEQUENCE public.channel_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.channel_change_id_seq OWNED BY public.channel_change.id;
CREATE TABLE public.checkpoint (
    name character varying NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.command (
    id character varying NOT NULL,
    device character varying NOT NULL,
    op character varying NOT NULL,
    args json NOT NULL,
    state character varying NOT NULL,
    detail character varying NOT NULL,
    result json NOT NULL,
    created_at double precision NOT NULL,
    deadline_at double precision NOT NULL,
    finished_at double precision
);
CREATE TABLE public.configuration (
    name character varying NOT NULL,
    revision bigint NOT NULL,
    resources json NOT NULL,
    changed_at double precision NOT NULL,
    changed_by character varying NOT NULL
);
CREATE TABLE public.cursor (
    device character varying NOT NULL,
    stream character varying NOT NULL,
    epoch character varying NOT NULL,
    seq bigint NOT NULL,
    ahead json NOT NULL,
    gap_at double precision NOT NULL,
    lost bigint NOT NULL,
    refused bigint NOT NULL,
    updated_at double precision NOT NULL
);
CREATE TABLE public.desired (
    device character varying NOT NULL,
    generation bigint NOT NULL,
    document character varying NOT NULL,
    published bigint NOT NULL
);
CREATE TABLE public.device (
    id character varying NOT NULL,
    first_seen_at double precision NOT NULL,
    agent_version character varying NOT NULL,
    profile character varying NOT NULL,
    runtimes json NOT NULL,
    hardware json NOT NULL,
    labels json NOT NULL,
    labels_own json NOT NULL,
    label_edits json NOT NULL,
    released_at double precision DEFAULT 0 NOT NULL,
    capabilities json DEFAULT '[]'::json NOT NULL
);
CREATE TABLE public.device_certificate (
    serial character varying NOT NULL,
    device character varying NOT NULL,
    issued_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    revoked_at double precision
);
CREATE TABLE public.device_group (
    name character varying NOT NULL,
    selector json NOT NULL,
    note character varying NOT NULL,
    changed_at double precision NOT NULL,
    changed_by character varying NOT NULL
);
CREATE TABLE public.device_last (
    device character varying NOT NULL,
    presence character varying NOT NULL,
    presence_at double precision NOT NULL,
    boot character varying NOT NULL,
    boot_before character varying NOT NULL,
    connection bigint NOT NULL,
    last_seen_at double precision NOT NULL,
    report_boot character varying NOT NULL,
    report_version bigint NOT NULL,
    generation bigint NOT NULL,
    pipelines json NOT NULL,
    disk_free_bytes bigint NOT NULL,
    attention_slots json NOT NULL,
    attention_sample json NOT NULL,
    attention_count bigint NOT NULL,
    sample_at double precision NOT NULL,
    sample json NOT NULL,
    fps double precision NOT NULL,
    latency_p95_ms double precision NOT NULL,
    dropped_per_s double precision NOT NULL,
    temperature_c double precision,
    cpu_percent double precision NOT NULL,
    births double precision DEFAULT 0 NOT NULL,
    births_at double precision DEFAULT 0 NOT NULL
);
CREATE TABLE public.device_slot (
    device character varying NOT NULL,
    slot character varying NOT NULL,
    phase character varying NOT NULL,
    running_package character varying NOT NULL,
    running_version character varying NOT NULL,
    running_digest character varying NOT NULL,
    running json,
    target_digest character varying NOT NULL,
    attempt character varying NOT NULL,
    reason character varying NOT NULL,
    detail character varying NOT NULL,
    bytes_done bigint NOT NULL,
    bytes_total bigint NOT NULL,
    since_at double precision NOT NULL
);
CREATE TABLE public.enrolment_token (
    id character varying NOT NULL,
    secret_sha256 character varying NOT NULL,
    device character varying NOT NULL,
    labels json NOT NULL,
    created_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    used_at double precision,
    used_by character varying NOT NULL,
    revoked_at double precision
);
CREATE TABLE public.event (
    id bigint NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    kind character varying NOT NULL,
    label character varying NOT NULL,
    record character varying NOT NULL
)
PARTITION BY RANGE (received_at);
CREATE SEQUENCE public.event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.event_id_seq OWNED BY public.event.id;
CREATE TABLE public.event_d20784 (
    id bigint DEFAULT nextval('public.event_id_seq'::regclass) NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    kind character varying NOT NULL,
    label character varying NOT NULL,
    record character varying NOT NULL
);
CREATE TABLE public.event_default (
    id bigint DEFAULT nextval('public.event_id_seq'::regclass) NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    kind character varying NOT NULL,
    label character varying NOT NULL,
    record character varying NOT NULL
);
CREATE TABLE public.experiment (
    id bigint NOT NULL,
    name character varying NOT NULL,
    slot character varying NOT NULL,
    state character varying NOT NULL,
    split character varying NOT NULL,
    label_key character varying NOT NULL,
    created_at double precision NOT NULL,
    created_by character varying NOT NULL,
    ended_at double precision,
    ended_by character varying NOT NULL,
    chosen_arm character varying NOT NULL,
    chosen_rollout bigint,
    compared character varying DEFAULT ''::character varying NOT NULL,
    review_after_s double precision
);
CREATE TABLE public.experiment_arm (
    experiment bigint NOT NULL,
    "position" bigint NOT NULL,
    name character varying NOT NULL,
    package character varying NOT NULL,
    share double precision NOT NULL,
    value character varying NOT NULL,
    rollout bigint
);
CREATE SEQUENCE public.experiment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.experiment_id_seq OWNED BY public.experiment.id;
CREATE TABLE public.experiment_member (
    experiment bigint NOT NULL,
    device character varying NOT NULL,
    arm character varying NOT NULL
);
CREATE TABLE public.measurement (
    id bigint NOT NULL,
    package character varying NOT NULL,
    profile character varying NOT NULL,
    machine character varying NOT NULL,
    measured_at double precision NOT NULL,
    variant character varying NOT NULL,
    runtime character varying NOT NULL,
    device character varying NOT NULL,
    threads bigint NOT NULL,
    streams bigint NOT NULL,
    instances bigint NOT NULL,
    batch bigint NOT NULL,
    p50_ms double precision NOT NULL,
    p95_ms double precision NOT NULL,
    per_s double precision NOT NULL,
    memory_bytes bigint NOT NULL,
    load_ms double precision NOT NULL,
    best boolean NOT NULL
);
CREATE SEQUENCE public.measurement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.measurement_id_seq OWNED BY public.measurement.id;
CREATE TABLE public.member (
    id character varying NOT NULL,
    role character varying NOT NULL,
    host character varying NOT NULL,
    version character varying NOT NULL,
    pid bigint NOT NULL,
    messages bigint NOT NULL,
    refused bigint NOT NULL,
    waiting bigint NOT NULL,
    broadcasts bigint NOT NULL,
    sent_alone bigint NOT NULL,
    sent_bytes bigint NOT NULL,
    started_at double precision NOT NULL,
    seen_at double precision NOT NULL,
    broker_up_at double precision NOT NULL,
    samples_per_s double precision NOT NULL,
    wait_p50_s double precision NOT NULL,
    wait_p99_s double precision NOT NULL,
    leads boolean NOT NULL,
    ingests boolean NOT NULL
);
CREATE TABLE public.notice (
    id bigint NOT NULL,
    target character varying NOT NULL,
    alert bigint NOT NULL,
    body character varying NOT NULL,
    state character varying NOT NULL,
    tries bigint NOT NULL,
    due_at double precision NOT NULL,
    created_at double precision NOT NULL,
    error character varying NOT NULL
);
CREATE SEQUENCE public.notice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.notice_id_seq OWNED BY public.notice.id;
CREATE TABLE public.openid_login (
    state character varying NOT NULL,
    browser character varying NOT NULL,
    nonce character varying NOT NULL,
    verifier character varying NOT NULL,
    redirect character varying NOT NULL,
    started_at double precision NOT NULL
);
CREATE TABLE public.package (
    digest character varying NOT NULL,
    name character varying NOT NULL,
    version character varying NOT NULL,
    created_at double precision NOT NULL,
    descriptor_bytes bigint NOT NULL,
    length_bytes bigint NOT NULL,
    manifest json NOT NULL,
    files json NOT NULL,
    retired_at double precision
);
CREATE TABLE public.package_blob (
    package character varying NOT NULL,
    sha256 character varying NOT NULL
);
CREATE TABLE public.person (
    name character varying NOT NULL,
    role character varying NOT NULL,
    password character varying NOT NULL,
    created_at double precision NOT NULL,
    disabled boolean NOT NULL,
    subject character varying
);
CREATE TABLE public.pin (
    device character varying NOT NULL,
    slot character varying NOT NULL,
    package character varying NOT NULL,
    reason character varying NOT NULL,
    pinned_by character varying NOT NULL,
    pinned_at double precision NOT NULL
);
CREATE TABLE public.proposal (
    id bigint NOT NULL,
    state character varying NOT NULL,
    token character varying NOT NULL,
    token_name character varying NOT NULL,
    proposed_by character varying NOT NULL,
    operation character varying NOT NULL,
    summary character varying NOT NULL,
    needed character varying NOT NULL,
    method character varying NOT NULL,
    path character varying NOT NULL,
    body character varying NOT NULL,
    note character varying NOT NULL,
    checked character varying NOT NULL,
    made_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    decided_at double precision,
    decided_by character varying NOT NULL,
    reason character varying NOT NULL,
    status bigint NOT NULL,
    outcome character varying NOT NULL
);
CREATE SEQUENCE public.proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.proposal_id_seq OWNED BY public.proposal.id;
CREATE TABLE public.restricted_device (
    device character varying NOT NULL,
    state character varying NOT NULL,
    offence character varying NOT NULL,
    since_at double precision NOT NULL,
    until_at double precision NOT NULL,
    times bigint NOT NULL
);
CREATE TABLE public.retention (
    kind character varying NOT NULL,
    at double precision NOT NULL,
    removed bigint NOT NULL,
    took_s double precision NOT NULL,
    problem character varying NOT NULL
);
CREATE TABLE public.rollout (
    id bigint NOT NULL,
    name character varying NOT NULL,
    package character varying NOT NULL,
    slot character varying NOT NULL,
    state character varying NOT NULL,
    state_reason character varying NOT NULL,
    created_at double precision NOT NULL,
    started_at double precision,
    finished_at double precision,
    changed_at double precision NOT NULL,
    selector json NOT NULL,
    plans json NOT NULL,
    gate json NOT NULL,
    policy json NOT NULL,
    wave_timeout_s double precision NOT NULL,
    terms json DEFAULT '{}'::json NOT NULL,
    priority bigint DEFAULT 500 NOT NULL,
    created_by character varying DEFAULT ''::character varying NOT NULL,
    approved_by character varying
);
CREATE SEQUENCE public.rollout_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.rollout_id_seq OWNED BY public.rollout.id;
CREATE TABLE public.rollout_key (
    key character varying NOT NULL,
    rollout bigint
);
CREATE TABLE public.rollout_part (
    rollout bigint NOT NULL,
    slot character varying NOT NULL,
    package character varying NOT NULL,
    "position" bigint NOT NULL
);
CREATE TABLE public.rollup (
    span_s bigint NOT NULL,
    device character varying NOT NULL,
    at bigint NOT NULL,
    figures bytea NOT NULL
);
CREATE TABLE public.secret (
    name character varying NOT NULL,
    value character varying NOT NULL,
    made_at double precision NOT NULL
);
CREATE TABLE public.session (
    hash character varying NOT NULL,
    "user" character varying NOT NULL,
    created_at double precision NOT NULL,
    seen_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    source character varying NOT NULL,
    agent character varying NOT NULL
);
CREATE TABLE public.setting (
    name character varying NOT NULL,
    value json NOT NULL,
    changed_at double precision NOT NULL,
    changed_by character varying NOT NULL
);
CREATE TABLE public.telemetry (
    id bigint NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    record character varying NOT NULL
)
PARTITION BY RANGE (received_at);
CREATE SEQUENCE public.telemetry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.telemetry_id_seq OWNED BY public.telemetry.id;
CREATE TABLE public.telemetry_d20784 (
    id bigint DEFAULT nextval('public.telemetry_id_seq'::regclass) NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    record character varying NOT NULL
);
CREATE TABLE public.telemetry_default (
    id bigint DEFAULT nextval('public.telemetry_id_seq'::regclass) NOT NULL,
    device character varying NOT NULL,
    at double precision NOT NULL,
    received_at double precision NOT NULL,
    record character varying NOT NULL
);
CREATE TABLE public.timeline (
    id bigint NOT NULL,
    rollout bigint NOT NULL,
    at double precision NOT NULL,
    kind character varying NOT NULL,
    text character varying NOT NULL,
    wave bigint,
    device character varying
);
CREATE SEQUENCE public.timeline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.timeline_id_seq OWNED BY public.timeline.id;
CREATE TABLE public.version_share (
    at bigint NOT NULL,
    shares json NOT NULL
);
CREATE SEQUENCE public.version_share_at_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.version_share_at_seq OWNED BY public.version_share.at;
CREATE TABLE public.wave (
    rollout bigint NOT NULL,
    index bigint NOT NULL,
    name character varying NOT NULL,
    state character varying NOT NULL,
    total bigint NOT NULL,
    started_at double precision,
    soaking_at double precision,
    finished_at double precision,
    excused_reported bigint NOT NULL,
    excused_failed bigint NOT NULL,
    approval boolean DEFAULT false NOT NULL,
    approved_by character varying,
    late_joiners boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_d20784 FOR VALUES FROM ('1795737600') TO ('1795824000');
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_default DEFAULT;
ALTER TABLE ONLY public.telemetry ATTACH PARTITION public.telemetry_d20784 FOR VALUES FROM ('1795737600') TO ('1795824000');
ALTER TABLE ONLY public.telemetry ATTACH PARTITION public.telemetry_default DEFAULT;
ALTER TABLE ONLY public.alert ALTER COLUMN id SET DEFAULT nextval('public.alert_id_seq'::regclass);
ALTER TABLE ONLY public.alert_rule ALTER COLUMN id SET DEFAULT nextval('public.alert_rule_id_seq'::regclass);
ALTER TABLE ONLY public.audit ALTER COLUMN seq SET DEFAULT nextval('public.audit_seq_seq'::regclass);
ALTER TABLE ONLY public.audit_archived ALTER COLUMN seq SET DEFAULT nextval('public.audit_archived_seq_seq'::regclass);
ALTER TABLE ONLY public.channel_change ALTER COLUMN id SET DEFAULT nextval('public.channel_change_id_seq'::regclass);
ALTER TABLE ONLY public.event ALTER COLUMN id SET DEFAULT nextval('public.event_id_seq'::regclass);
ALTER TABLE ONLY public.experiment ALTER COLUMN id SET DEFAULT nextval('public.experiment_id_seq'::regclass);
ALTER TABLE ONLY public.measurement ALTER COLUMN id SET DEFAULT nextval('public.measurement_id_seq'::regclass);
ALTER TABLE ONLY public.notice ALTER COLUMN id SET DEFAULT nextval('public.notice_id_seq'::regclass);
ALTER TABLE ONLY public.proposal ALTER COLUMN id SET DEFAULT nextval('public.proposal_id_seq'::regclass);
ALTER TABLE ONLY public.rollout ALTER COLUMN id SET DEFAULT nextval('public.rollout_id_seq'::regclass);
ALTER TABLE ONLY public.telemetry ALTER COLUMN id SET DEFAULT nextval('public.telemetry_id_seq'::regclass);
ALTER TABLE ONLY public.timeline ALTER COLUMN id SET DEFAULT nextval('public.timeline_id_seq'::regclass);
ALTER TABLE ONLY public.version_share ALTER COLUMN at SET DEFAULT nextval('public.version_share_at_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0005');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795749211.5130215, NULL, 1795749211.5698175, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795749271.5843914, 'ada', 1795749207.7154503, 'ada');
INSERT INTO public.api_token VALUES ('35ee1eccf29f', '7a86c7c60783b4ec39c2e83a4f9f3bdc1532e5f2a3bc588f4fd7afbecdfaba91', 'ada', 'reads', 'admin', 1795749203.4496646, 1803525203.4496646, NULL, '[]');
INSERT INTO public.api_token VALUES ('e704c9c4ef2c', '69a5e1d402b7fd7db8ce84acc8a3e1d461f8e41224fb9bbc972ca7f0d7e00f44', 'ada', 'proposes', 'operator', 1795749211.9914799, 1803525211.9914799, 1795749212.114492, '["propose"]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795749207.4944122, false);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795749205.1070993, false);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795749207.740065, true);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-05:1:back', 5, 0.2, 10, false, 1795749207.6678402, false);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-03:1:back', 5, 0.2, 10, false, 1795749207.6678402, false);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-04:1:back', 5, 0.2, 10, false, 1795749207.6678402, false);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795749207.555458, false);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795749207.740065, true);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795749205.1070993, 1795749205.4846327, 1795749205.4846327, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795749206.355027, 1795749207.7954383, 1795749207.7954383, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795749206.2450213, 1795749206.2450213, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795749207.555458, 1795749209.5048068, 1795749209.5048068, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795749207.5347974, 1795749207.5347974, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795749207.5347974, 1795749207.5347974, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795749207.6105502, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795749207.6105502, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795749207.6105502, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795749207.6678402, 1795749207.6678402, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795749207.740065, 1795749208.090647, 1795749208.090647, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795749202.731947, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', 'edb481e7a1f16c13345a188e085e494772dc85f5f5d8bfedcdf94ff74df7cbd5', '492c4376dbc26c2c5bcd7eb49c13106fdfa09938c64bea03de79b7378b4799a7');
INSERT INTO public.audit VALUES (3, 1795749203.4002228, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '492c4376dbc26c2c5bcd7eb49c13106fdfa09938c64bea03de79b7378b4799a7', '06fafb51044644dcf6921bb118faf8635bf6bce21a97604b08ef3c34533ca9e5');
INSERT INTO public.audit VALUES (4, 1795749203.4364166, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '06fafb51044644dcf6921bb118faf8635bf6bce21a97604b08ef3c34533ca9e5', 'd97ba0d126a907b615cd1a4119ec79ce0f3c1fd03ca11e89088b5afb12d0b453');
INSERT INTO public.audit VALUES (5, 1795749203.451581, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', 'd97ba0d126a907b615cd1a4119ec79ce0f3c1fd03ca11e89088b5afb12d0b453', '98053cab6dcc6521a8d07adf3df27b76dc27e36083a6b21148d86625de8cb3e0');
INSERT INTO public.audit VALUES (6, 1795749203.5159578, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '98053cab6dcc6521a8d07adf3df27b76dc27e36083a6b21148d86625de8cb3e0', '123eea9d73ce04ae7016467288302b86ed251ab5f4322badbb5fc48fccde28e8');
INSERT INTO public.audit VALUES (7, 1795749203.5999, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '123eea9d73ce04ae7016467288302b86ed251ab5f4322badbb5fc48fccde28e8', 'd0264a0e99b071736f6362e5f5871a653aa9014394b5917cd51257f9850f8f10');
INSERT INTO public.audit VALUES (8, 1795749203.7975667, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', 'd0264a0e99b071736f6362e5f5871a653aa9014394b5917cd51257f9850f8f10', '67904d05578746dfcdf385dc05502c92ae21bcbe5801911c0aaf6cd3e5f35c92');
INSERT INTO public.audit VALUES (9, 1795749203.837482, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '67904d05578746dfcdf385dc05502c92ae21bcbe5801911c0aaf6cd3e5f35c92', '3077e8eae465adea5c267b5ba3651f30baa1c4a79c0d7278a52a437afeeeeef1');
INSERT INTO public.audit VALUES (10, 1795749203.9204671, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/1a83baa5c0ff43aac3df7501f71038ec/finish', 201, '{}', '3077e8eae465adea5c267b5ba3651f30baa1c4a79c0d7278a52a437afeeeeef1', 'e75281383d040632661ecb54266eaf8720e70096a6f5174335e521482d8a9597');
INSERT INTO public.audit VALUES (11, 1795749204.0475388, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'e75281383d040632661ecb54266eaf8720e70096a6f5174335e521482d8a9597', '74585f8a407e8bac41bc614ce7d8b84027b9fd23e0b1be6a6a0d46e8217b99c7');
INSERT INTO public.audit VALUES (12, 1795749204.0719876, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '74585f8a407e8bac41bc614ce7d8b84027b9fd23e0b1be6a6a0d46e8217b99c7', '788adb78fd82f232d4d80976e24da2be86ea44faa3d9dd86883172c3f088cb9d');
INSERT INTO public.audit VALUES (13, 1795749204.0803888, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '788adb78fd82f232d4d80976e24da2be86ea44faa3d9dd86883172c3f088cb9d', 'e6bfe4021fb712b50f8579bc021b18e6c9405d62bc03ddc992c285c1450069bd');
INSERT INTO public.audit VALUES (14, 1795749204.106491, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', 'e6bfe4021fb712b50f8579bc021b18e6c9405d62bc03ddc992c285c1450069bd', '96de23b9f6c85300eb9e3ec948467514f5da0652cb60305acdb70e5b07ad4018');
INSERT INTO public.audit VALUES (15, 1795749204.21808, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '96de23b9f6c85300eb9e3ec948467514f5da0652cb60305acdb70e5b07ad4018', '63cc540574f7b45c509fadddaea18e12c7bce4d27f7d3e2d3f133fe85cd26934');
INSERT INTO public.audit VALUES (16, 1795749204.4180176, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', '63cc540574f7b45c509fadddaea18e12c7bce4d27f7d3e2d3f133fe85cd26934', '3b3702eaff4f4301362fa5df8e022cf3e25fb40be4f26857b4096e8bae960a21');
INSERT INTO public.audit VALUES (17, 1795749204.756668, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}}, "note": "in the north"}', '3b3702eaff4f4301362fa5df8e022cf3e25fb40be4f26857b4096e8bae960a21', 'b1d2b240a62503c113670dadc35e99bdc0398e1bc661a36cf94444121be5e50f');
INSERT INTO public.audit VALUES (18, 1795749204.767395, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', 'b1d2b240a62503c113670dadc35e99bdc0398e1bc661a36cf94444121be5e50f', '295657b17a44e06a0125fee94fd31b6c16de9fab41ef7410e76dd8696cd471b9');
INSERT INTO public.audit VALUES (19, 1795749204.781194, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '295657b17a44e06a0125fee94fd31b6c16de9fab41ef7410e76dd8696cd471b9', 'b117c9ff5d7852bad303e0c753da1ac17c860a7327b798a483131e583e9a805f');
INSERT INTO public.audit VALUES (20, 1795749204.9167252, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'b117c9ff5d7852bad303e0c753da1ac17c860a7327b798a483131e583e9a805f', 'bd035aefcd1d648c0f7a0b3787d7a6e9d10b9dbbeca1c8ac9a9ba1d4dbadb06a');
INSERT INTO public.audit VALUES (21, 1795749204.9354432, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', 'bd035aefcd1d648c0f7a0b3787d7a6e9d10b9dbbeca1c8ac9a9ba1d4dbadb06a', 'a1b5d02592d7228d56c231d3193b2fb83a42e93d0c6dab8554d9ad7ce7f64719');
INSERT INTO public.audit VALUES (22, 1795749205.0548449, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'a1b5d02592d7228d56c231d3193b2fb83a42e93d0c6dab8554d9ad7ce7f64719', 'c0349e59ea36563f916e67423e80e9d87280e9bc4bdd914f7f954cdab344b868');
INSERT INTO public.audit VALUES (23, 1795749206.1109645, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', 'c0349e59ea36563f916e67423e80e9d87280e9bc4bdd914f7f954cdab344b868', '597ce9a258fda82ed79d106355a56619704703887964f77d137bb2211edb23b0');
INSERT INTO public.audit VALUES (24, 1795749206.1409645, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', '597ce9a258fda82ed79d106355a56619704703887964f77d137bb2211edb23b0', '58dace26abef02ce72b864f44c93943abc0d6df3826d4cf22fdeb4ab4450e3b3');
INSERT INTO public.audit VALUES (25, 1795749206.1538272, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '58dace26abef02ce72b864f44c93943abc0d6df3826d4cf22fdeb4ab4450e3b3', 'ba587377993946febd579a02f84d7eb91fc881ae7db026981454873ff3420822');
INSERT INTO public.audit VALUES (26, 1795749206.1747308, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', 'ba587377993946febd579a02f84d7eb91fc881ae7db026981454873ff3420822', '8fc7b59c7e98f6cdfc58ff6cafd7f8b616d13fb6e31e6bf0f9e3c809b3589571');
INSERT INTO public.audit VALUES (27, 1795749206.205158, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', '8fc7b59c7e98f6cdfc58ff6cafd7f8b616d13fb6e31e6bf0f9e3c809b3589571', 'c6f33cc2df5a15a4e1e10e625bbe90cfd8c4226fc7e891ed7162583f74e9d2bf');
INSERT INTO public.audit VALUES (28, 1795749206.2558806, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', 'c6f33cc2df5a15a4e1e10e625bbe90cfd8c4226fc7e891ed7162583f74e9d2bf', 'cba704dde0f48558de9f630c7bdceecff5bd0e60cbde2a79417a0867ee2b7b6e');
INSERT INTO public.audit VALUES (29, 1795749207.441041, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', 'cba704dde0f48558de9f630c7bdceecff5bd0e60cbde2a79417a0867ee2b7b6e', 'a1dafae309b99148373e4c011006303a863b7b6ce3685834c738757026224ae8');
INSERT INTO public.audit VALUES (30, 1795749207.503782, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'a1dafae309b99148373e4c011006303a863b7b6ce3685834c738757026224ae8', 'e42031039aa3ec57f500b17d5e0455aea8f1584654d3168b4ba0c769c8670031');
INSERT INTO public.audit VALUES (31, 1795749207.5268347, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', 'e42031039aa3ec57f500b17d5e0455aea8f1584654d3168b4ba0c769c8670031', '17435a238b93685d35b535a6d17af0b343be6c630c721a3105122d59bc9f645c');
INSERT INTO public.audit VALUES (32, 1795749207.536803, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', '17435a238b93685d35b535a6d17af0b343be6c630c721a3105122d59bc9f645c', '86d6eb83d33500e06303bd593576ee6e0ffb08affdaa1572812af31dedcd83aa');
INSERT INTO public.audit VALUES (33, 1795749207.6041224, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '86d6eb83d33500e06303bd593576ee6e0ffb08affdaa1572812af31dedcd83aa', 'ed746779f52fc06ca81ce815d986917382ce3ee11a355a54104ecb33102ee68d');
INSERT INTO public.audit VALUES (34, 1795749207.6300566, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'ed746779f52fc06ca81ce815d986917382ce3ee11a355a54104ecb33102ee68d', 'b6297cd04d1a878acf060004f4429e52bcfedccf9ffc06b55566387fec55a5d6');
INSERT INTO public.audit VALUES (35, 1795749207.6425312, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'b6297cd04d1a878acf060004f4429e52bcfedccf9ffc06b55566387fec55a5d6', 'bd2f0ca946264bc7b47568ee4d908b41dce6be26b8af02c5b9afeae78075a305');
INSERT INTO public.audit VALUES (36, 1795749207.650107, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', 'bd2f0ca946264bc7b47568ee4d908b41dce6be26b8af02c5b9afeae78075a305', '7e9326525a5e266efca946afa7b9f4adaabe82fb4e76ae092564836ea3081535');
INSERT INTO public.audit VALUES (37, 1795749207.6712575, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', '7e9326525a5e266efca946afa7b9f4adaabe82fb4e76ae092564836ea3081535', '19e45cd0ba3c4da466d47dc798c16d50aae07e171c86abef02fa6f3c16ae4a8a');
INSERT INTO public.audit VALUES (38, 1795749207.685836, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', '19e45cd0ba3c4da466d47dc798c16d50aae07e171c86abef02fa6f3c16ae4a8a', '39551de847609ce7cdb292b6d44720edfc7093add80cca9e9f77ba40455366cb');
INSERT INTO public.audit VALUES (39, 1795749207.6980906, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', '39551de847609ce7cdb292b6d44720edfc7093add80cca9e9f77ba40455366cb', '4074c9bfb003f9853e584c66f97ba194f91f9a66048629b70cf187729c2c4f2c');
INSERT INTO public.audit VALUES (40, 1795749207.7033787, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '4074c9bfb003f9853e584c66f97ba194f91f9a66048629b70cf187729c2c4f2c', '52d4a92c29a2f1b99fcfd9049252cf991da9bdb99a5d35b04be5b920e1d90745');
INSERT INTO public.audit VALUES (41, 1795749207.7093592, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', '52d4a92c29a2f1b99fcfd9049252cf991da9bdb99a5d35b04be5b920e1d90745', '0fcf2d26c8fd342db89e1ae7057723a2b4cf253a5263bcebbd59b8732722703f');
INSERT INTO public.audit VALUES (42, 1795749207.7160234, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '0fcf2d26c8fd342db89e1ae7057723a2b4cf253a5263bcebbd59b8732722703f', 'e1e8834d59d65bb9d52bb083779ea6e876bc61f0c93d99040f0563befee5e0e1');
INSERT INTO public.audit VALUES (43, 1795749211.5699077, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'e1e8834d59d65bb9d52bb083779ea6e876bc61f0c93d99040f0563befee5e0e1', '4555448b8b0423e643f3b7c1d2bb48271c2f6541ae689c416c14c048ab72156b');
INSERT INTO public.audit VALUES (44, 1795749211.5764704, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '4555448b8b0423e643f3b7c1d2bb48271c2f6541ae689c416c14c048ab72156b', '768aaacc47831f7ec96e7f4efa92456b092f5a32f8768bd21b94a54be20307b4');
INSERT INTO public.audit VALUES (45, 1795749211.5847557, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '768aaacc47831f7ec96e7f4efa92456b092f5a32f8768bd21b94a54be20307b4', 'dbe7e25bacfede0ca5332cdb8c404c359728a579013d866668b64ebfc9ba28e8');
INSERT INTO public.audit VALUES (46, 1795749211.7116592, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', 'dbe7e25bacfede0ca5332cdb8c404c359728a579013d866668b64ebfc9ba28e8', '3b7dfb29baed22400d1a9be7a6b8a7ea2db76514d53d80600b1206444571ca5f');
INSERT INTO public.audit VALUES (47, 1795749211.7938843, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '3b7dfb29baed22400d1a9be7a6b8a7ea2db76514d53d80600b1206444571ca5f', '0b32d86d087e900681c828a855b47de4f2921ed1228a92ea124d86997ef9aad3');
INSERT INTO public.audit VALUES (48, 1795749211.8156052, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '0b32d86d087e900681c828a855b47de4f2921ed1228a92ea124d86997ef9aad3', 'cdc5b02a058325922fbbf6296442b06f61a13d923c0df444d4704bd55dc88184');
INSERT INTO public.audit VALUES (49, 1795749211.8934596, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABL4yb6uPlREYaWfwx7dNFZlUjz5KU7yaVqMWZFUJ31067s1uvpI0\nI7x8VPTkvQ2Ksl+Gd0GOX/yfdE11DvmAVaCgADAKBggqhkjOPQQDAgNIADBFAiEA\ntIabr16jew/ePEx+U/ce5ZmPVKAYaIzjXXJfzrFWejYCIC3Us7B5fS9FQce02jQT\nlhs8JUDzBVUA9aZzaQbQUGTk\n-----END CERTIFICATE REQUEST-----\n"}', 'cdc5b02a058325922fbbf6296442b06f61a13d923c0df444d4704bd55dc88184', 'caee8b555b040587d5ef0ffcdaea497bb586095c5b828b2985273b5416f0d97d');
INSERT INTO public.audit VALUES (50, 1795749211.9223418, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', 'caee8b555b040587d5ef0ffcdaea497bb586095c5b828b2985273b5416f0d97d', 'd82397e0e0da25b4244adb19edbec1fee359cc1cb59c4a3dadb00b5913b9675c');
INSERT INTO public.audit VALUES (51, 1795749211.94822, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', 'd82397e0e0da25b4244adb19edbec1fee359cc1cb59c4a3dadb00b5913b9675c', 'cb14ff33ee13effb5ffa8f172f830ba43055219194a8bf8d16a27a014ffc166f');
INSERT INTO public.audit VALUES (52, 1795749211.9708724, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', 'cb14ff33ee13effb5ffa8f172f830ba43055219194a8bf8d16a27a014ffc166f', 'cbe1932dc44a98c15a4bff1692b98a69b43f0369b58b17db891f404bf671b628');
INSERT INTO public.audit VALUES (53, 1795749211.992295, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', 'cbe1932dc44a98c15a4bff1692b98a69b43f0369b58b17db891f404bf671b628', 'ebacb5719aa1381f5e0ebc8f0005280bdc0073b8a3812b08ff5660bb938cf3ef');
INSERT INTO public.audit VALUES (54, 1795749212.1300452, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', 'ebacb5719aa1381f5e0ebc8f0005280bdc0073b8a3812b08ff5660bb938cf3ef', 'd829ef859cf1f9d16fdb6fc4a48471fda62fb1d541fa8c475d3734838d65449b');
INSERT INTO public.audit VALUES (55, 1795749212.1402836, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', 'd829ef859cf1f9d16fdb6fc4a48471fda62fb1d541fa8c475d3734838d65449b', 'ce9f887259fa1fd78a38322734b26bf1838b9d3fb93085b52996a0f513f849ea');
INSERT INTO public.audit VALUES (56, 1795749212.16742, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', 'ce9f887259fa1fd78a38322734b26bf1838b9d3fb93085b52996a0f513f849ea', 'e9f90cc2aba5326591f4e53b78f179ca7c9c01434ca09539812102826d792bee');
INSERT INTO public.audit VALUES (57, 1795749212.1933317, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', 'e9f90cc2aba5326591f4e53b78f179ca7c9c01434ca09539812102826d792bee', 'c55e657c10645258f29457a46cb64a683ebae955e77c9a6ccde361b2ff608295');
INSERT INTO public.audit VALUES (58, 1795749212.204752, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "e704c9c4ef2c", "token_name": "proposes", "note": ""}}', 'c55e657c10645258f29457a46cb64a683ebae955e77c9a6ccde361b2ff608295', '07ce1a5c6f8fc3f7c88f4248fabbe4d82bc78c3cdb5daff563d07cbdba6f83e8');
INSERT INTO public.audit VALUES (59, 1795749212.2203789, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', '07ce1a5c6f8fc3f7c88f4248fabbe4d82bc78c3cdb5daff563d07cbdba6f83e8', '234fe5df732c59dec87929255ab7c24e20d529914044f0df172b3eba992d69f7');
INSERT INTO public.audit VALUES (60, 1795749213.5517771, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', '234fe5df732c59dec87929255ab7c24e20d529914044f0df172b3eba992d69f7', '539f8267e6a04e2934f8984ba31eae690b6ccb116d088ae0f117b8ec3568a6c9');
INSERT INTO public.audit VALUES (61, 1795749218.553983, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://postgres@127.0.0.1:50295/fleet_1', 0, '{"from": "/tmp/tmpz175371g/fleet/fleet.db"}', '539f8267e6a04e2934f8984ba31eae690b6ccb116d088ae0f117b8ec3568a6c9', '57e4b5623b0ea0b4298b578801633dd09d1ae2e74095f9771cdc493e70e9b08b');
INSERT INTO public.audit_archived VALUES (1, 'edb481e7a1f16c13345a188e085e494772dc85f5f5d8bfedcdf94ff74df7cbd5');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795749203.534565);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795749203.534565);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795749203.849914);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795749203.849914);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795749203.534565);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795749203.71954);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795749203.71954);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795749203.71954);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795749203.849914);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795749203.849914);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795749203.849914);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795749204.2067428);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795749204.2067428);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795749204.2067428);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795749211.9692295, 'lost again');
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795749204.078321, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795749204.0685036, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795749204.078321, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795755600);
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.command VALUES ('f0a3a7b944fc405786b45ed818d50129', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795749204.7789545, 1795749234.7789545, 1795749204.8919232);
INSERT INTO public.command VALUES ('65c138962e8f453e99e92d7012a3ae31', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795749204.9156535, 1795749264.9156535, 1795749205.027328);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795749204.765661, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795749207.7235847);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795749204.353535);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 4, '{"device":"press-05","generation":4,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-05:1:back"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":0.2}}', 4);
INSERT INTO public.desired VALUES ('press-03', 3, '{"device":"press-03","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-03:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.desired VALUES ('press-04', 3, '{"device":"press-04","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-04:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.device VALUES ('press-00', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', '{}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor": "1"}', '{}', '{"floor": "1"}', 1795749207.7093058, '[]');
INSERT INTO public.device VALUES ('press-02', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795749204.353535, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_certificate VALUES ('4ba447db660cb9828a7c47dd9cb156ae3f9437e8', 'enrolled-1', 1795749211.8840878, 1803525211, 1795749211.9200659);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', 'in the north', 1795749204.7490084, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795749212.1961658, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795749213.66359, 'boot-1', '', 1, 1795749213.66359, 'boot-1', 13, 3, '{}', 10000000000, '[]', '[]', 0, 1795749207.7175815, '{"at":1795749207.7175815,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1, 1795749204.353535);
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795749213.762952, 'boot-1', '', 1, 1795749213.762952, 'boot-1', 12, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795749204.353535);
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795749213.8631508, 'boot-1', '', 1, 1795749213.8631508, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795749204.353535);
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795749213.9723632, 'boot-1', '', 1, 1795749213.9723632, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795749204.353535);
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795749214.096224, 'boot-1', '', 1, 1795749214.096224, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795749204.353535);
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795749214.1968622, 'boot-1', '', 1, 1795749214.1968622, 'boot-1', 14, 4, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795749204.353535);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795749205.3850763}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795749205.3850794);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795749207.7657392}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795749207.76575);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.8892453}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-03:1', 'none', '', 0, 0, 1795749207.8892474);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.889059}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-04:1', 'none', '', 0, 0, 1795749207.889067);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795749207.9880273}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795749207.9880416);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.988229}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795749207.9882314);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.8402216}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-05:1', 'none', '', 0, 0, 1795749207.8402328);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795749209.4011405}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795749209.4011571);
INSERT INTO public.enrolment_token VALUES ('f24f12a4b963', '931fd8c89c19710fea57fd1ee261edf76ede366761498c0092027071332dc450', '', '{"site": "north"}', 1795749211.790945, 1795849211.790945, 1795749211.8840878, 'enrolled-1', NULL);
INSERT INTO public.enrolment_token VALUES ('5ad221f19f5c', '4e6abf9a5676ac832f08da9dd96953fea2905309f6fb6000a0f0eade73a0e9fa', '', '{"site": "north"}', 1795749211.8126807, 1795849211.8126807, NULL, '', NULL);
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795749204.3083847, 1795749204.353535, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795749204.3083847,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795749204.3083858, 1795749204.353535, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795749204.3083858,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795749204.3083866, 1795749204.353535, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795749204.3083866,"label":"person","count":2}');
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795749207.5976121, 'ada', 1795749207.6278713, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795749207.6361322, 'ada', 1795749207.6487176, 'ada', '', NULL, '', NULL);
INSERT INTO public.experiment_arm VALUES (1, 0, 'a', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1, '', NULL);
INSERT INTO public.experiment_arm VALUES (1, 1, 'b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1, '', 5);
INSERT INTO public.experiment_arm VALUES (2, 0, 'a', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1, '', NULL);
INSERT INTO public.experiment_arm VALUES (2, 1, 'b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1, '', 6);
INSERT INTO public.experiment_member VALUES (1, 'press-02', 'a');
INSERT INTO public.experiment_member VALUES (1, 'press-03', 'b');
INSERT INTO public.experiment_member VALUES (1, 'press-04', 'b');
INSERT INTO public.experiment_member VALUES (1, 'press-05', 'b');
INSERT INTO public.experiment_member VALUES (2, 'press-02', 'a');
INSERT INTO public.experiment_member VALUES (2, 'press-03', 'b');
INSERT INTO public.experiment_member VALUES (2, 'press-04', 'b');
INSERT INTO public.experiment_member VALUES (2, 'press-05', 'b');
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795749204.0441992, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795749214.9235034, 1795749214.9235034, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795749211.5130215, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}', 'waiting', 1, 1795749222.3476758, 1795749211.5130215, 'Connection refused');
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795749214.9235034);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795749203.534565, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795749203.71954, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795749203.849914, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795749204.2067428, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
INSERT INTO public.package_blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723');
INSERT INTO public.package_blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'd4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b');
INSERT INTO public.package_blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO public.package_blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO public.package_blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509');
INSERT INTO public.package_blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410');
INSERT INTO public.package_blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de');
INSERT INTO public.package_blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO public.package_blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO public.package_blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129');
INSERT INTO public.package_blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb');
INSERT INTO public.package_blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d');
INSERT INTO public.package_blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO public.package_blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO public.package_blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01');
INSERT INTO public.package_blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'd1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a');
INSERT INTO public.package_blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66');
INSERT INTO public.package_blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', '8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9');
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$K7Z4K9GWiqhRP8ZjgGtj3Q==$0IoLAjDKtAAVYjzv+GoYR6So4e3X4qoNLJ4kM8WXmLE=', 1795749200.97361, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$3RpTgLzBzQTObDr/8kpKWw==$LYVOEDWMRqMkJPx7kBmVA5+kPNGlgGJdT6sanqv66s8=', 1795749203.3993394, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795749207.6856306);
INSERT INTO public.proposal VALUES (1, 'approved', 'e704c9c4ef2c', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795749212.1223674, 1796354012.1223674, 1795749212.1923878, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', 'e704c9c4ef2c', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795749212.1376126, 1796354012.1376126, 1795749212.2197149, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', 'e704c9c4ef2c', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795749212.1647794, 1796354012.1647794, NULL, '', '', 0, '');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795749214.9235034, 1795749514.9235034, 0);
INSERT INTO public.retention VALUES ('samples', 1795749201.3434782, 0, 0.00046332599958986975, '');
INSERT INTO public.retention VALUES ('events', 1795749201.3434782, 0, 0.0004694050003308803, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795749205.0492163, 1795749205.0492163, 1795749206.0386002, 1795749206.0386002, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795749206.1066885, 1795749206.136991, 1795749207.7954383, 1795749207.7954383, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795749207.5000293, 1795749207.5000293, 1795749210.0578432, 1795749210.0578432, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795749207.5252318, NULL, 1795749207.5347974, 1795749207.5347974, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795749207.5976121, 1795749207.5976121, 1795749207.6678402, 1795749207.6678402, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795749207.6361322, 1795749207.6361322, 1795749207.6678402, 1795749207.6678402, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795749207.6675618, 1795749207.6675618, 1795749208.6472387, 1795749208.6472387, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795748880, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795748940, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795749000, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795749060, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795749120, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795749180, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795748400, '\x84ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', 'b378108be1bf69468be9ea62ad09e506', 1795749200.076243);
INSERT INTO public.secret VALUES ('corpus', 'e5f491c30f6e0879766ccb273755d766', 1795749215.0572083);
INSERT INTO public.session VALUES ('1c31195d8294800577da78373ea6b53ffa20fc2d7fc10ff09f93dfc545f01393', 'ada', 1795749201.923104, 1795749201.923104, 1796354001.923104, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795749203.5140672, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795748904.3083708, 1795749204.353535, '{"at":1795748904.3083708,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795748964.3083732, 1795749204.353535, '{"at":1795748964.3083732,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795749024.3083751, 1795749204.353535, '{"at":1795749024.3083751,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795749084.3083768, 1795749204.353535, '{"at":1795749084.3083768,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795749144.308379, 1795749204.353535, '{"at":1795749144.308379,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795749207.7175815, 1795749207.7235847, '{"at":1795749207.7175815,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795749205.0492163, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795749205.0492163, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795749205.1070993, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795749205.4846327, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795749206.0386002, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795749206.0386002, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795749206.1066885, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795749206.136991, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795749206.1523163, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795749206.1713712, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795749206.2020822, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795749206.2535233, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795749206.355027, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795749206.8170934, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795749207.370602, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795749207.370602, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795749207.439603, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795749207.5000293, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795749207.5000293, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795749207.5252318, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795749207.5347974, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 3, 1795749207.555458, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795749207.5976121, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795749207.5976121, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795749207.6105502, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (26, 5, 1795749207.6278713, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795749207.6361322, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795749207.6361322, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 6, 1795749207.6487176, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (30, 7, 1795749207.6675618, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 7, 1795749207.6675618, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (32, 5, 1795749207.6678402, 'wave_failed', 'Wave ''all'' failed: stopped', 0, NULL);
INSERT INTO public.timeline VALUES (33, 5, 1795749207.6678402, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (34, 6, 1795749207.6678402, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (35, 6, 1795749207.6678402, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (36, 7, 1795749207.740065, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (37, 2, 1795749207.7954383, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (38, 2, 1795749207.7954383, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795749208.090647, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 7, 1795749208.6472387, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 7, 1795749208.6472387, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 3, 1795749209.5048068, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (43, 3, 1795749210.0578432, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (44, 3, 1795749210.0578432, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.version_share VALUES (1795749000, '[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795749205.1070993, 1795749205.4846327, 1795749206.0386002, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795749206.355027, 1795749206.8170934, 1795749207.370602, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795749206.2020822, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795749207.555458, 1795749209.5048068, 1795749210.0578432, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'failed', 3, 1795749207.6105502, NULL, 1795749207.6678402, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795749207.6678402, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795749207.740065, 1795749208.090647, 1795749208.6472387, 0, 0, false, NULL, false);
SELECT pg_catalog.setval('public.alert_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 2, false);
SELECT pg_catalog.setval('public.audit_archived_seq_seq', 2, false);
SELECT pg_catalog.setval('public.audit_seq_seq', 61, false);
SELECT pg_catalog.setval('public.channel_change_id_seq', 3, false);
SELECT pg_catalog.setval('public.event_id_seq', 4, false);
SELECT pg_catalog.setval('public.experiment_id_seq', 3, false);
SELECT pg_catalog.setval('public.measurement_id_seq', 2, false);
SELECT pg_catalog.setval('public.notice_id_seq', 2, false);
SELECT pg_catalog.setval('public.proposal_id_seq', 4, false);
SELECT pg_catalog.setval('public.rollout_id_seq', 8, false);
SELECT pg_catalog.setval('public.telemetry_id_seq', 7, false);
SELECT pg_catalog.setval('public.timeline_id_seq', 45, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795749001, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_rule
    ADD CONSTRAINT alert_rule_name_key UNIQUE (name);
ALTER TABLE ONLY public.alert_rule
    ADD CONSTRAINT alert_rule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.assignment
    ADD CONSTRAINT assignment_pkey PRIMARY KEY (device, slot);
ALTER TABLE ONLY public.attempt_part
    ADD CONSTRAINT attempt_part_pkey PRIMARY KEY (attempt, slot);
ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_archived
    ADD CONSTRAINT audit_archived_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.blob
    ADD CONSTRAINT blob_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.blocked_device
    ADD CONSTRAINT blocked_device_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.channel_change
    ADD CONSTRAINT channel_change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (model, name);
ALTER TABLE ONLY public.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.command
    ADD CONSTRAINT command_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.configuration
    ADD CONSTRAINT configuration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.cursor
    ADD CONSTRAINT cursor_pkey PRIMARY KEY (device, stream, epoch);
ALTER TABLE ONLY public.desired
    ADD CONSTRAINT desired_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.device_certificate
    ADD CONSTRAINT device_certificate_pkey PRIMARY KEY (serial);
ALTER TABLE ONLY public.device_group
    ADD CONSTRAINT device_group_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.device_last
    ADD CONSTRAINT device_last_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_slot
    ADD CONSTRAINT device_slot_pkey PRIMARY KEY (device, slot);
ALTER TABLE ONLY public.enrolment_token
    ADD CONSTRAINT enrolment_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.enrolment_token
    ADD CONSTRAINT enrolment_token_secret_sha256_key UNIQUE (secret_sha256);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.event_d20784
    ADD CONSTRAINT event_d20784_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.experiment_arm
    ADD CONSTRAINT experiment_arm_pkey PRIMARY KEY (experiment, "position");
ALTER TABLE ONLY public.experiment_member
    ADD CONSTRAINT experiment_member_pkey PRIMARY KEY (experiment, device);
ALTER TABLE ONLY public.experiment
    ADD CONSTRAINT experiment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.measurement
    ADD CONSTRAINT measurement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.openid_login
    ADD CONSTRAINT openid_login_pkey PRIMARY KEY (state);
ALTER TABLE ONLY public.package_blob
    ADD CONSTRAINT package_blob_pkey PRIMARY KEY (package, sha256);
ALTER TABLE ONLY public.package
    ADD CONSTRAINT package_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.pin
    ADD CONSTRAINT pin_pkey PRIMARY KEY (device, slot);
ALTER TABLE ONLY public.proposal
    ADD CONSTRAINT proposal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.restricted_device
    ADD CONSTRAINT restricted_device_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY public.rollout_key
    ADD CONSTRAINT rollout_key_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.rollout_part
    ADD CONSTRAINT rollout_part_pkey PRIMARY KEY (rollout, slot);
ALTER TABLE ONLY public.rollout
    ADD CONSTRAINT rollout_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rollup
    ADD CONSTRAINT rollup_pkey PRIMARY KEY (span_s, device, at);
ALTER TABLE ONLY public.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.telemetry
    ADD CONSTRAINT telemetry_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.telemetry_d20784
    ADD CONSTRAINT telemetry_d20784_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.telemetry_default
    ADD CONSTRAINT telemetry_default_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.version_share
    ADD CONSTRAINT version_share_pkey PRIMARY KEY (at);
ALTER TABLE ONLY public.wave
    ADD CONSTRAINT wave_pkey PRIMARY KEY (rollout, index);
CREATE INDEX alert_open ON public.alert USING btree (ended_at, rule);
CREATE INDEX attempt_device ON public.attempt USING btree (device, rollout);
CREATE INDEX attempt_ended ON public.attempt USING btree (state, finished_at);
CREATE INDEX attempt_offered ON public.attempt USING btree (rollout, offered_at);
CREATE INDEX attempt_open ON public.attempt USING btree (rollout, open);
CREATE INDEX attempt_rollout ON public.attempt USING btree (rollout, wave, state);
CREATE INDEX channel_change_name ON public.channel_change USING btree (model, name, id);
CREATE INDEX command_deadline ON public.command USING btree (state, deadline_at);
CREATE INDEX command_device ON public.command USING btree (device, state);
CREATE INDEX device_slot_running ON public.device_slot USING btree (running_package, running_version);
CREATE INDEX event_device ON ONLY public.event USING btree (device, id);
CREATE INDEX event_d20784_device_id_idx ON public.event_d20784 USING btree (device, id);
CREATE INDEX event_kind ON ONLY public.event USING btree (kind, id);
CREATE INDEX event_d20784_kind_id_idx ON public.event_d20784 USING btree (kind, id);
CREATE INDEX event_label ON ONLY public.event USING btree (label, id);
CREATE INDEX event_d20784_label_id_idx ON public.event_d20784 USING btree (label, id);
CREATE INDEX ix_event_received_at ON ONLY public.event USING btree (received_at);
CREATE INDEX event_d20784_received_at_idx ON public.event_d20784 USING btree (received_at);
CREATE INDEX event_default_device_id_idx ON public.event_default USING btree (device, id);
CREATE INDEX event_default_kind_id_idx ON public.event_default USING btree (kind, id);
CREATE INDEX event_default_label_id_idx ON public.event_default USING btree (label, id);
CREATE INDEX event_default_received_at_idx ON public.event_default USING btree (received_at);
CREATE INDEX ix_alert_rule ON public.alert USING btree (rule);
CREATE INDEX ix_api_token_user ON public.api_token USING btree ("user");
CREATE INDEX ix_audit_action ON public.audit USING btree (action);
CREATE INDEX ix_audit_actor ON public.audit USING btree (actor);
CREATE INDEX ix_audit_at ON public.audit USING btree (at);
CREATE INDEX ix_channel_package ON public.channel USING btree (package);
CREATE INDEX ix_device_certificate_device ON public.device_certificate USING btree (device);
CREATE INDEX ix_device_certificate_revoked_at ON public.device_certificate USING btree (revoked_at);
CREATE INDEX ix_device_last_attention_count ON public.device_last USING btree (attention_count);
CREATE INDEX ix_device_last_fps ON public.device_last USING btree (fps);
CREATE INDEX ix_device_last_last_seen_at ON public.device_last USING btree (last_seen_at);
CREATE INDEX ix_device_last_latency_p95_ms ON public.device_last USING btree (latency_p95_ms);
CREATE INDEX ix_device_last_presence ON public.device_last USING btree (presence);
CREATE INDEX ix_device_profile ON public.device USING btree (profile);
CREATE INDEX ix_openid_login_started_at ON public.openid_login USING btree (started_at);
CREATE INDEX ix_package_blob_sha256 ON public.package_blob USING btree (sha256);
CREATE UNIQUE INDEX ix_person_subject ON public.person USING btree (subject);
CREATE INDEX ix_proposal_state ON public.proposal USING btree (state);
CREATE INDEX ix_proposal_token ON public.proposal USING btree (token);
CREATE INDEX ix_rollout_package ON public.rollout USING btree (package);
CREATE INDEX ix_rollout_state ON public.rollout USING btree (state);
CREATE INDEX ix_session_expires_at ON public.session USING btree (expires_at);
CREATE INDEX ix_session_user ON public.session USING btree ("user");
CREATE INDEX ix_timeline_rollout ON public.timeline USING btree (rollout);
CREATE INDEX measurement_package ON public.measurement USING btree (package, profile);
CREATE INDEX notice_due ON public.notice USING btree (state, due_at);
CREATE UNIQUE INDEX package_name_version ON public.package USING btree (name, version);
CREATE INDEX rollup_at ON public.rollup USING btree (span_s, at);
CREATE INDEX telemetry_device_at ON ONLY public.telemetry USING btree (device, at);
CREATE INDEX telemetry_d20784_device_at_idx ON public.telemetry_d20784 USING btree (device, at);
CREATE INDEX telemetry_default_device_at_idx ON public.telemetry_default USING btree (device, at);
ALTER INDEX public.event_device ATTACH PARTITION public.event_d20784_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_d20784_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_d20784_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_d20784_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_d20784_received_at_idx;
ALTER INDEX public.event_device ATTACH PARTITION public.event_default_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_default_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_default_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_default_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_default_received_at_idx;
ALTER INDEX public.telemetry_device_at ATTACH PARTITION public.telemetry_d20784_device_at_idx;
ALTER INDEX public.telemetry_pkey ATTACH PARTITION public.telemetry_d20784_pkey;
ALTER INDEX public.telemetry_device_at ATTACH PARTITION public.telemetry_default_device_at_idx;
ALTER INDEX public.telemetry_pkey ATTACH PARTITION public.telemetry_default_pkey;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER audit_no_update BEFORE UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.audit_is_append_only();
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_rule_fkey FOREIGN KEY (rule) REFERENCES public.alert_rule(id);
ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_user_fkey FOREIGN KEY ("user") REFERENCES public.person(name);
ALTER TABLE ONLY public.assignment
    ADD CONSTRAINT assignment_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.assignment
    ADD CONSTRAINT assignment_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.command
    ADD CONSTRAINT command_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.desired
    ADD CONSTRAINT desired_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.device_last
    ADD CONSTRAINT device_last_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.device_slot
    ADD CONSTRAINT device_slot_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.experiment_arm
    ADD CONSTRAINT experiment_arm_experiment_fkey FOREIGN KEY (experiment) REFERENCES public.experiment(id);
ALTER TABLE ONLY public.experiment_arm
    ADD CONSTRAINT experiment_arm_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.experiment_member
    ADD CONSTRAINT experiment_member_experiment_fkey FOREIGN KEY (experiment) REFERENCES public.experiment(id);
ALTER TABLE ONLY public.measurement
    ADD CONSTRAINT measurement_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.package_blob
    ADD CONSTRAINT package_blob_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.package_blob
    ADD CONSTRAINT package_blob_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.blob(sha256);
ALTER TABLE ONLY public.pin
    ADD CONSTRAINT pin_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.pin
    ADD CONSTRAINT pin_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.rollout_key
    ADD CONSTRAINT rollout_key_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
ALTER TABLE ONLY public.rollout
    ADD CONSTRAINT rollout_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.rollout_part
    ADD CONSTRAINT rollout_part_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.rollout_part
    ADD CONSTRAINT rollout_part_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_user_fkey FOREIGN KEY ("user") REFERENCES public.person(name);
ALTER TABLE ONLY public.timeline
    ADD CONSTRAINT timeline_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
ALTER TABLE ONLY public.wave
    ADD CONSTRAINT wave_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
