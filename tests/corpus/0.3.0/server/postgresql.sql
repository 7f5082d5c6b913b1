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
CREATE TABLE public.enrolment_request (
    device character varying NOT NULL,
    token character varying NOT NULL,
    key_sha256 character varying NOT NULL,
    state character varying NOT NULL,
    requested_at double precision NOT NULL,
    last_requested_at double precision NOT NULL,
    decided_at double precision,
    decided_by character varying NOT NULL
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
    revoked_at double precision,
    devices_max bigint DEFAULT 1 NOT NULL,
    uses bigint DEFAULT 0 NOT NULL,
    approval boolean DEFAULT false NOT NULL
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
INSERT INTO public.alembic_version VALUES ('0006');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795763418.5489035, NULL, 1795763418.7192693, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795763478.859073, 'ada', 1795763417.6849406, 'ada');
INSERT INTO public.api_token VALUES ('754045ebab8b', '2b9307002db007d8aa3bc5e5481d376381ac7b3a6acdb8221281d5c7cc8815e8', 'ada', 'reads', 'admin', 1795763412.401439, 1803539412.401439, NULL, '[]');
INSERT INTO public.api_token VALUES ('6d85d83a206d', 'be8eac8f8f2d83e5630065810624db1113e77c875757a8e7896d7c8667ba0891', 'ada', 'proposes', 'operator', 1795763419.413503, 1803539419.413503, 1795763419.6835234, '["propose"]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795763417.1221068, false);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795763414.3369002, false);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795763417.6811466, true);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795763414.3369002, false);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795763414.3369002, false);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795763414.3369002, false);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795763417.1221068, false);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795763417.6811466, true);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.879304, 1795763414.879304, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.879304, 1795763414.879304, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.8223193, 1795763414.8223193, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.879304, 1795763414.879304, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.8223193, 1795763414.8223193, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795763414.3369002, 1795763414.879304, 1795763414.879304, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795763415.9935877, 1795763417.6811466, 1795763417.6811466, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795763415.9254832, 1795763415.9254832, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795763417.1221068, 1795763417.6811466, 1795763417.6811466, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795763417.261524, 1795763417.261524, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795763417.261524, 1795763417.261524, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.5248775, 1795763417.5248775, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.5248775, 1795763417.5248775, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.5248775, 1795763417.5248775, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.6811466, 1795763417.6811466, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.6811466, 1795763417.6811466, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795763417.6811466, 1795763417.6811466, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795763417.6811466, 1795763418.1554809, 1795763418.1554809, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795763411.0280511, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', '17a94bd8ab70320540fc28424654b047e486556723d04f9ef7b73600aa8ff539', '82744cef1384585a83489d42b1105bbc4bac36477be9c5997f548b01cd25b20f');
INSERT INTO public.audit VALUES (3, 1795763412.2872798, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '82744cef1384585a83489d42b1105bbc4bac36477be9c5997f548b01cd25b20f', '3f61662298f98795af21372c9d97bb560a04496f4d6ca7a3a95349dc1fdc8d95');
INSERT INTO public.audit VALUES (4, 1795763412.350789, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '3f61662298f98795af21372c9d97bb560a04496f4d6ca7a3a95349dc1fdc8d95', '91a461bbf9069694be56216e798969fb1c811e5504fdb74d08b55506c9ab0ab9');
INSERT INTO public.audit VALUES (5, 1795763412.4038866, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', '91a461bbf9069694be56216e798969fb1c811e5504fdb74d08b55506c9ab0ab9', '4a727d1ee8cfa23d94dc6c41c19331198a8409dcaf63aef7bd508fa4b84c2e22');
INSERT INTO public.audit VALUES (6, 1795763412.4603107, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '4a727d1ee8cfa23d94dc6c41c19331198a8409dcaf63aef7bd508fa4b84c2e22', 'd1914cfb5574a433d22b70856dbb15dbbb46e239df8857097d8dd9fe28a12ab6');
INSERT INTO public.audit VALUES (7, 1795763412.508104, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', 'd1914cfb5574a433d22b70856dbb15dbbb46e239df8857097d8dd9fe28a12ab6', '6b9c78717d2b42c9ac044ad6823865dc85d0e45de12375eb642d38cdbe8455aa');
INSERT INTO public.audit VALUES (8, 1795763412.60712, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '6b9c78717d2b42c9ac044ad6823865dc85d0e45de12375eb642d38cdbe8455aa', '3fce57504de5c26da680a42cf26b199624e58131c3932f9187ba918c976ead77');
INSERT INTO public.audit VALUES (9, 1795763412.6641903, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '3fce57504de5c26da680a42cf26b199624e58131c3932f9187ba918c976ead77', 'b84eeccc3e77c1244a6b1dca1768e2ad3cd94307079be9f50ab1d1e1e6eb9aa2');
INSERT INTO public.audit VALUES (10, 1795763412.7512965, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/fac770d64c958f0fa7c9fa809b2157b0/finish', 201, '{}', 'b84eeccc3e77c1244a6b1dca1768e2ad3cd94307079be9f50ab1d1e1e6eb9aa2', '3e14cc0c25ed96531705b211d63698e90c89e7faa43237aaed43926f075ca005');
INSERT INTO public.audit VALUES (11, 1795763412.8935285, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', '3e14cc0c25ed96531705b211d63698e90c89e7faa43237aaed43926f075ca005', '20069361d3dfc6574ba2c27219844c19d989cf39d7030799f868056fe11fee5b');
INSERT INTO public.audit VALUES (12, 1795763412.971783, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '20069361d3dfc6574ba2c27219844c19d989cf39d7030799f868056fe11fee5b', '9b36b3a0fabf74338913c9925413f22cc00aa046484496da12f82095ba73cf26');
INSERT INTO public.audit VALUES (13, 1795763412.988444, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '9b36b3a0fabf74338913c9925413f22cc00aa046484496da12f82095ba73cf26', '85379cf3f8089f4a56334807aa33cfd61b1b3240afd09a586829cd69bf01b43e');
INSERT INTO public.audit VALUES (14, 1795763413.091542, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '85379cf3f8089f4a56334807aa33cfd61b1b3240afd09a586829cd69bf01b43e', 'fb530f5bd4a8309bd243e973a5a081b30fe6e7e590ff992a78600cafd283847a');
INSERT INTO public.audit VALUES (15, 1795763413.1640625, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', 'fb530f5bd4a8309bd243e973a5a081b30fe6e7e590ff992a78600cafd283847a', 'e654acca9c82cb06868a8952f5a456812c1cfb85fa1a2de58c3f999650bc0a6d');
INSERT INTO public.audit VALUES (16, 1795763413.6220434, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', 'e654acca9c82cb06868a8952f5a456812c1cfb85fa1a2de58c3f999650bc0a6d', '9ec32966b8f70753a1c3d068e64915280504e9585e1fbb86066200ddcd16eb31');
INSERT INTO public.audit VALUES (17, 1795763413.6664534, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}}, "note": "in the north"}', '9ec32966b8f70753a1c3d068e64915280504e9585e1fbb86066200ddcd16eb31', '7e48db04f0ff63aea76a9c9d5340795be73c9602491f48b800496d06829c5ad4');
INSERT INTO public.audit VALUES (18, 1795763413.6822288, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', '7e48db04f0ff63aea76a9c9d5340795be73c9602491f48b800496d06829c5ad4', 'eb4f2997e3ada855fbb27c1c5e194b2b86e753a0c1ecb70cba10a57a2df99aa4');
INSERT INTO public.audit VALUES (19, 1795763413.7080433, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', 'eb4f2997e3ada855fbb27c1c5e194b2b86e753a0c1ecb70cba10a57a2df99aa4', '470dfcb4b3c262f410b2649e14259049717e753bd0557aa57a6f716439033110');
INSERT INTO public.audit VALUES (20, 1795763413.915066, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', '470dfcb4b3c262f410b2649e14259049717e753bd0557aa57a6f716439033110', '40ee3ca018e87a0bb0242dff68b7e062cd002ad5a35bae90b4dd270150b2ee70');
INSERT INTO public.audit VALUES (21, 1795763413.9881692, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '40ee3ca018e87a0bb0242dff68b7e062cd002ad5a35bae90b4dd270150b2ee70', 'e8e79d4914698b31283dd7857e0f8873e2a829400ae2fa93e24eafeb64ee73e5');
INSERT INTO public.audit VALUES (22, 1795763414.2436168, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'e8e79d4914698b31283dd7857e0f8873e2a829400ae2fa93e24eafeb64ee73e5', '62f87a4d5de678e413621f7e39988498700761017839df2cfa740481b9a76935');
INSERT INTO public.audit VALUES (23, 1795763415.59227, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', '62f87a4d5de678e413621f7e39988498700761017839df2cfa740481b9a76935', 'aa57df75bc017e8514f9199ba190d26f2895be7c50297a1d47e7c70b2e66d8a8');
INSERT INTO public.audit VALUES (24, 1795763415.7418213, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', 'aa57df75bc017e8514f9199ba190d26f2895be7c50297a1d47e7c70b2e66d8a8', '734c9ca652bb05d5fdfe492758b0f7e230520cba13e4168f8cf7b8c426897312');
INSERT INTO public.audit VALUES (25, 1795763415.7713115, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '734c9ca652bb05d5fdfe492758b0f7e230520cba13e4168f8cf7b8c426897312', '163d0158b020c06dc0516e310602ed6e9abbd3f98b4f904784ed62e8ad3aa4d9');
INSERT INTO public.audit VALUES (26, 1795763415.8166745, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '163d0158b020c06dc0516e310602ed6e9abbd3f98b4f904784ed62e8ad3aa4d9', '22b87a38b687475f92a34edf67a19e5be60a403c5bc9e74f6c9702b3a0bd5286');
INSERT INTO public.audit VALUES (27, 1795763415.895583, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', '22b87a38b687475f92a34edf67a19e5be60a403c5bc9e74f6c9702b3a0bd5286', 'a762acfb5980c4922e4e9d935a12641fba8c5d8159d93729a1e339c5db0085b4');
INSERT INTO public.audit VALUES (28, 1795763415.924143, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', 'a762acfb5980c4922e4e9d935a12641fba8c5d8159d93729a1e339c5db0085b4', '5b3a4bfdc001fd4707f69a227a6e6319c794aa2080ae95e756f13b25065d82cb');
INSERT INTO public.audit VALUES (29, 1795763417.0654795, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '5b3a4bfdc001fd4707f69a227a6e6319c794aa2080ae95e756f13b25065d82cb', '4053afda89aeecddc57bf37a9af571507b90e10d3d2d8d639b028ff3ce87079a');
INSERT INTO public.audit VALUES (30, 1795763417.1172512, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '4053afda89aeecddc57bf37a9af571507b90e10d3d2d8d639b028ff3ce87079a', '4b53c2d57ef1d9617b3e3eaf09c255809b58344f6d8bc5957b53d14541b37681');
INSERT INTO public.audit VALUES (31, 1795763417.169432, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '4b53c2d57ef1d9617b3e3eaf09c255809b58344f6d8bc5957b53d14541b37681', '3da462ba111a2ff4ceb1b526f8c11196e00febd7350c77e03a55a8d1c42ff2bf');
INSERT INTO public.audit VALUES (32, 1795763417.2666647, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', '3da462ba111a2ff4ceb1b526f8c11196e00febd7350c77e03a55a8d1c42ff2bf', '253788714220347ea8e8cf4331816110a8f5d989bc14618726944cb06d25fa30');
INSERT INTO public.audit VALUES (33, 1795763417.4577014, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '253788714220347ea8e8cf4331816110a8f5d989bc14618726944cb06d25fa30', '25619e0fc3f0c90ce5a871bd749f4a3bc782c7f57d9709d925fd0549c03bce89');
INSERT INTO public.audit VALUES (34, 1795763417.4972012, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '25619e0fc3f0c90ce5a871bd749f4a3bc782c7f57d9709d925fd0549c03bce89', 'ca054a7c176515f886e706cd2bb269c506950f00423fd36f3b82d8eafd225886');
INSERT INTO public.audit VALUES (35, 1795763417.546497, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'ca054a7c176515f886e706cd2bb269c506950f00423fd36f3b82d8eafd225886', 'ace9f0c108e5aa24cfc17a677b9325634272ce3be63f6dea7ff07b068356612f');
INSERT INTO public.audit VALUES (36, 1795763417.617403, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', 'ace9f0c108e5aa24cfc17a677b9325634272ce3be63f6dea7ff07b068356612f', 'a15868b2a48b0332176ea3ac2d5aec268cc64220ce8822a57b0182a4a3475e86');
INSERT INTO public.audit VALUES (37, 1795763417.6351287, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', 'a15868b2a48b0332176ea3ac2d5aec268cc64220ce8822a57b0182a4a3475e86', '73317567a01f3149edcf07dac5e1427b469a7cb435e89af4382e59000104979f');
INSERT INTO public.audit VALUES (38, 1795763417.6511152, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', '73317567a01f3149edcf07dac5e1427b469a7cb435e89af4382e59000104979f', '50887c54ed61e1b2c98b85843d65f3382a883cd0ec0bb1665bff5cf195f003a1');
INSERT INTO public.audit VALUES (39, 1795763417.6601112, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', '50887c54ed61e1b2c98b85843d65f3382a883cd0ec0bb1665bff5cf195f003a1', '56cab76c62b5866c701684787f168a43820a5aa05beb77fa15f913b2eb790549');
INSERT INTO public.audit VALUES (40, 1795763417.6666856, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '56cab76c62b5866c701684787f168a43820a5aa05beb77fa15f913b2eb790549', '589bda6d812fc78d3207256332d99f2b3c2195f4afa6d79ffbfcaf280d2e07ce');
INSERT INTO public.audit VALUES (41, 1795763417.673827, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', '589bda6d812fc78d3207256332d99f2b3c2195f4afa6d79ffbfcaf280d2e07ce', '66da714562408231008374bf3df0c3f6e33286e677b68d81553e394c487e44e8');
INSERT INTO public.audit VALUES (42, 1795763417.6855834, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '66da714562408231008374bf3df0c3f6e33286e677b68d81553e394c487e44e8', '5988e0c56c0c3d3ef2bf58e34ca4135f016dada00b7108b5cd80136892168405');
INSERT INTO public.audit VALUES (43, 1795763418.7193763, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', '5988e0c56c0c3d3ef2bf58e34ca4135f016dada00b7108b5cd80136892168405', '407e8472a6a23082f3cb5ce726c1ddb6daa16b3f87450520b28c14b52ebfbf6a');
INSERT INTO public.audit VALUES (44, 1795763418.8262029, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '407e8472a6a23082f3cb5ce726c1ddb6daa16b3f87450520b28c14b52ebfbf6a', 'c163efa9b4c7a8eb380b074c538f7b5bac2d56a639805af5010ea19f753e63a5');
INSERT INTO public.audit VALUES (45, 1795763418.859534, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', 'c163efa9b4c7a8eb380b074c538f7b5bac2d56a639805af5010ea19f753e63a5', '7f62d6e5b6d7441d7e1ebcae8897804d95f040d7ac0368f5ef1cd6ee9a0960d1');
INSERT INTO public.audit VALUES (46, 1795763418.8963053, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', '7f62d6e5b6d7441d7e1ebcae8897804d95f040d7ac0368f5ef1cd6ee9a0960d1', '977369145fed2dd19a8092d666434245592768c58b9a45afa25771dd12e76f03');
INSERT INTO public.audit VALUES (47, 1795763418.9649608, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', '977369145fed2dd19a8092d666434245592768c58b9a45afa25771dd12e76f03', 'a363b37fedff675e01b7cd46f41391a88b46a2fd64807f695c975135890f72dd');
INSERT INTO public.audit VALUES (48, 1795763419.050474, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABCmcXHRhUFxYTZ9m3qeRwgIqYoB1s1koiz66+D4nEneV2y79GRRIH7+Z\ng2fOHyPMVHHd1trVboz+4O2wsTDZmImgADAKBggqhkjOPQQDAgNJADBGAiEA6gUi\nQzl19ehjQjUWUXnWmGpbFmoXEOG7DRY882lsZIICIQDdd64UeEpU8XkbRxJzvrTu\njvfkS+5UKfn641q+P1vIRA==\n-----END CERTIFICATE REQUEST-----\n"}', 'a363b37fedff675e01b7cd46f41391a88b46a2fd64807f695c975135890f72dd', '46ed810b39d9a80547ffe988e8aea64445e023f16ab3dad7f66202c6ecd6f6b3');
INSERT INTO public.audit VALUES (49, 1795763419.1301737, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABBFi7vt9LOzQF9c8IGJVep+6Wkto6wyaiV0hn39mtnEAYhJGpOzGtIM/\niVXBCeTa6arItuk87yoasR/WlPVmRimgADAKBggqhkjOPQQDAgNIADBFAiEA175O\nzxJSanCzHbv90SFDdYaf3AR6fta5u2KyxEMLRFwCIFznvlvT+V8dUJID6A4CIwG5\n+PfqR6Jvqn/S5uH9E1rg\n-----END CERTIFICATE REQUEST-----\n"}', '46ed810b39d9a80547ffe988e8aea64445e023f16ab3dad7f66202c6ecd6f6b3', 'd18e5f6c0ca7673ce7cae3ef6b7cec4f7de2e4efc54b28bd29cdd09ba810b33d');
INSERT INTO public.audit VALUES (50, 1795763419.1457405, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', 'd18e5f6c0ca7673ce7cae3ef6b7cec4f7de2e4efc54b28bd29cdd09ba810b33d', '3a82c87c8a7c577fdf8f6505748dcce3c5a48a16ad42f771ea9f4c14d09c24d5');
INSERT INTO public.audit VALUES (51, 1795763419.1568103, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '3a82c87c8a7c577fdf8f6505748dcce3c5a48a16ad42f771ea9f4c14d09c24d5', '583818679ecf59daec3b6a310da10ae69049af91ee1a495fafd7b5cffb1b9a51');
INSERT INTO public.audit VALUES (52, 1795763419.1676192, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '583818679ecf59daec3b6a310da10ae69049af91ee1a495fafd7b5cffb1b9a51', '232ee09b1d509386af390efe9017ab870fe1efb29995b257c6b3d218569912a5');
INSERT INTO public.audit VALUES (53, 1795763419.1876545, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABHQIQLnyqDghr6b9yuE2+I1LJbXczrrbWJyWaej4lMbrLKRPnfS7\nqW72JTz9vF9J5fbQT3g3Jd8Gnfs3x744vAGgADAKBggqhkjOPQQDAgNIADBFAiEA\nozF0OXsr+/RHubfj3LubXo+FQVXY508VaAlpyyKabwgCIByxy6H/gFqdv7nih+ov\njZsn9N9Y3Wz2Jypsr1m9xM9m\n-----END CERTIFICATE REQUEST-----\n"}', '232ee09b1d509386af390efe9017ab870fe1efb29995b257c6b3d218569912a5', '2302a6e8841852da946e0b7eb06896a4c618e0e1c3a769c7a4a9078d865476d2');
INSERT INTO public.audit VALUES (54, 1795763419.2040238, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', '2302a6e8841852da946e0b7eb06896a4c618e0e1c3a769c7a4a9078d865476d2', 'e789baf69db0e3dc1e2bd7b8078a87521dfbb3423197e55ee7e94cb8e4c296f5');
INSERT INTO public.audit VALUES (55, 1795763419.2674172, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', 'e789baf69db0e3dc1e2bd7b8078a87521dfbb3423197e55ee7e94cb8e4c296f5', '18cf35f3fd730e95f1bbfb25abdb4376bbe0c3bc77c8435be68f11d674077cfc');
INSERT INTO public.audit VALUES (56, 1795763419.3450918, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', '18cf35f3fd730e95f1bbfb25abdb4376bbe0c3bc77c8435be68f11d674077cfc', '1f8af5a046b3be394f2618307fc2fa783bbe618b50f53ef9b2e38964bafdc464');
INSERT INTO public.audit VALUES (57, 1795763419.4148397, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', '1f8af5a046b3be394f2618307fc2fa783bbe618b50f53ef9b2e38964bafdc464', 'cd0f3fd3389b5fc92c2f176d2f184d43edf00d04a02ce85fceea59fed5adc9ea');
INSERT INTO public.audit VALUES (58, 1795763419.861924, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', 'cd0f3fd3389b5fc92c2f176d2f184d43edf00d04a02ce85fceea59fed5adc9ea', '573c852c11f0f76824b0df9a35cdaa4e68c78e215f55e9f78d71451e4e2c72c5');
INSERT INTO public.audit VALUES (59, 1795763419.901447, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', '573c852c11f0f76824b0df9a35cdaa4e68c78e215f55e9f78d71451e4e2c72c5', '13ea968f65540f1ed04c5afc9e615d6108ac379c3de71c662b13042ce5026445');
INSERT INTO public.audit VALUES (60, 1795763419.956111, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', '13ea968f65540f1ed04c5afc9e615d6108ac379c3de71c662b13042ce5026445', '1a9e97ae1967369f17675d8199e5f9fe4040f66114fda0b63153fe0cdb6a337c');
INSERT INTO public.audit VALUES (61, 1795763420.034854, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', '1a9e97ae1967369f17675d8199e5f9fe4040f66114fda0b63153fe0cdb6a337c', 'fc4e92c9ba56060a6d23f3c0e5d6d3acbc73f44fa4cd2f1c2ddb80a8a171db99');
INSERT INTO public.audit VALUES (62, 1795763420.0783458, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', 'fc4e92c9ba56060a6d23f3c0e5d6d3acbc73f44fa4cd2f1c2ddb80a8a171db99', 'a36d690367caece48fc73a25bb43183ab2a29bbf3a0bae7fa28d88ffc511de11');
INSERT INTO public.audit VALUES (63, 1795763420.1689966, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', 'a36d690367caece48fc73a25bb43183ab2a29bbf3a0bae7fa28d88ffc511de11', 'b03ceefea3cbe251f34e932e403219d41aab90e9d5f110dde0febd592d8de8c3');
INSERT INTO public.audit VALUES (64, 1795763424.4376254, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', 'b03ceefea3cbe251f34e932e403219d41aab90e9d5f110dde0febd592d8de8c3', 'e162e3b07ea96444ddf798f09cd140034735a73954ae99780859e7facabeb7e8');
INSERT INTO public.audit VALUES (65, 1795763439.8077934, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:48499/fleet_1', 0, '{"from": "/tmp/tmpqnoa2goz/fleet/fleet.db"}', 'e162e3b07ea96444ddf798f09cd140034735a73954ae99780859e7facabeb7e8', '4ed22f2c64c68cbcf626c65865c14b3b8ff51606de3b643d8100f3f8f5aabed8');
INSERT INTO public.audit_archived VALUES (1, '17a94bd8ab70320540fc28424654b047e486556723d04f9ef7b73600aa8ff539');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795763412.4682982);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795763412.4682982);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795763412.7294073);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795763412.7294073);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795763412.4682982);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795763412.5646453);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795763412.5646453);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795763412.5646453);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795763412.7294073);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795763412.7294073);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795763412.7294073);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795763413.1459584);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795763413.1459584);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795763413.1459584);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795763419.3356419, 'lost again');
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795763412.9850981, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795763412.9662728, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795763412.9850981, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795770000);
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.command VALUES ('db27d2697c7240f38e37369ba664f480', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795763413.705492, 1795763443.705492, 1795763413.820015);
INSERT INTO public.command VALUES ('724a5ac164dd4610b64cfa8400921ebc', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795763413.9142008, 1795763473.9142008, 1795763414.0466595);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795763413.680015, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795763417.755689);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795763413.5603728);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795763413.4119334, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', '{}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795763413.500185, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor": "1"}', '{}', '{"floor": "1"}', 1795763417.6737585, '[]');
INSERT INTO public.device VALUES ('press-02', 1795763413.500185, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795763413.500185, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795763413.500185, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795763413.500185, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_certificate VALUES ('4fea4560f3ab818cf4c1f121c800cdef391a04e4', 'enrolled-1', 1795763419.180438, 1803539419, 1795763419.20222);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', 'in the north', 1795763413.6620498, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795763420.0742106, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795763424.527883, 'boot-1', '', 1, 1795763424.527883, 'boot-1', 13, 3, '{}', 0, '[]', '[]', 0, 1795763417.6893585, '{"at":1795763417.6893585,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1, 1795763413.4119334);
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795763424.610108, 'boot-1', '', 1, 1795763424.610108, 'boot-1', 12, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795763413.500185);
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795763424.7318661, 'boot-1', '', 1, 1795763424.7318661, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795763413.500185);
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795763424.8361518, 'boot-1', '', 1, 1795763424.8361518, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795763413.500185);
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795763424.901594, 'boot-1', '', 1, 1795763424.901594, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795763413.500185);
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795763425.0172532, 'boot-1', '', 1, 1795763425.0172532, 'boot-1', 9, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795763413.500185);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.692944}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795763414.692959);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.6945434}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795763414.6945467);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.7027419}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795763414.7027526);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763417.4669333}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795763417.4669445);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763417.18024}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795763417.1802454);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795763417.472606}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795763417.4726155);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795763417.9851544}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795763417.9851692);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795763417.9868402}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795763417.9868486);
INSERT INTO public.enrolment_request VALUES ('image-1', '647834c4d983', 'e6ec64efd20225af98822b0eeeb94a052cd451078b41da39a1b048c0cbebec0f', 'approved', 1795763418.987777, 1795763418.987777, 1795763419.143603, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '647834c4d983', '49b7638888323c718b48fbcc43b8760d97ae30ef5de4dd8350cacd70d017bc6e', 'waiting', 1795763419.1261709, 1795763419.1261709, NULL, '');
INSERT INTO public.enrolment_token VALUES ('647834c4d983', '17a1223d374fecc12742916be9a5b28c6ac02e4b6f8496c35798d435e1e97d7a', '', '{}', 1795763418.9580889, 1795863418.9580889, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('d3a975229c02', 'ecb0abb601701b9370d08808f3621ba2e2ee6df6c24470028a5ba2fa4b26926b', '', '{"site": "north"}', 1795763419.155513, 1795863419.155513, 1795763419.180438, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('7cdf07572402', '3e93bbb973d0b14e2fc6e25a2a95feda66d5e13c460d9c9b33474dbbb1068dbe', '', '{"site": "north"}', 1795763419.1664937, 1795863419.1664937, NULL, '', NULL, 1, 0, false);
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795763413.4938712, 1795763413.5603728, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795763413.4938712,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795763413.4938767, 1795763413.5603728, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795763413.4938767,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795763413.4938772, 1795763413.5603728, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795763413.4938772,"label":"person","count":2}');
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795763417.430378, 'ada', 1795763417.4913344, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795763417.516769, 'ada', 1795763417.6153717, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795763412.8840494, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795763426.334507, 1795763426.334507, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795763418.5489035, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}', 'waiting', 1, 1795763429.3716667, 1795763418.5489035, 'Connection refused');
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795763426.334507);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795763412.4682982, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795763412.5646453, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795763412.7294073, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795763413.1459584, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$jBctf3hr7STPIDTnZDTOzw==$pvLC/ufz2zv+SemYLr71U3m/xdBazeDxfZ2re97tOUg=', 1795763408.181186, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$W0T5PJONNxgkznihQua3Wg==$frrgvroSyiOFwDuZdwDkFqsHCNIMGGOj1ElgNAdSLl0=', 1795763412.2862663, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795763417.6508214);
INSERT INTO public.proposal VALUES (1, 'approved', '6d85d83a206d', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795763419.7652752, 1796368219.7652752, 1795763420.033526, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', '6d85d83a206d', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795763419.8915877, 1796368219.8915877, 1795763420.1665697, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', '6d85d83a206d', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795763419.9534628, 1796368219.9534628, NULL, '', '', 0, '');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795763426.334507, 1795763726.334507, 0);
INSERT INTO public.retention VALUES ('samples', 1795763408.3412175, 0, 0.0004789200029335916, '');
INSERT INTO public.retention VALUES ('events', 1795763408.3412175, 0, 0.0003180210005666595, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795763414.2276714, 1795763414.2276714, 1795763415.4700105, 1795763415.4700105, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795763415.5888019, 1795763415.737226, 1795763417.6811466, 1795763417.6811466, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795763417.1140196, 1795763417.1140196, 1795763418.0329785, 1795763418.0329785, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795763417.1671662, NULL, 1795763417.261524, 1795763417.261524, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795763417.430378, 1795763417.430378, 1795763417.5248775, 1795763417.5248775, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795763417.516769, 1795763417.516769, 1795763417.6811466, 1795763417.6811466, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795763417.6309779, 1795763417.6309779, 1795763418.7686553, 1795763418.7686553, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763100, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763160, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763220, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763280, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763340, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795763400, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795762800, '\x84ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', '2085e83c12f8d02ba98dfd99790c96ba', 1795763406.5899947);
INSERT INTO public.secret VALUES ('corpus', '9c2cc867cb14937651b6bac105501c55', 1795763426.88528);
INSERT INTO public.session VALUES ('ca07c18d5a82244205e1e089714535dcc2de734e9deda899b5495a611ec2340d', 'ada', 1795763409.786462, 1795763409.786462, 1796368209.786462, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795763412.4586291, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795763113.493852, 1795763413.5603728, '{"at":1795763113.493852,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795763173.4938552, 1795763413.5603728, '{"at":1795763173.4938552,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795763233.4938586, 1795763413.5603728, '{"at":1795763233.4938586,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795763293.4938612, 1795763413.5603728, '{"at":1795763293.4938612,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795763353.493863, 1795763413.5603728, '{"at":1795763353.493863,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795763417.6893585, 1795763417.755689, '{"at":1795763417.6893585,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795763414.2276714, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795763414.2276714, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795763414.3369002, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795763414.879304, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795763415.4700105, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795763415.4700105, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795763415.5888019, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795763415.737226, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795763415.7696297, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795763415.8134108, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795763415.882164, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795763415.92125, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795763415.9935877, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795763416.4708326, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795763417.023997, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795763417.023997, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795763417.063821, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795763417.1140196, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795763417.1140196, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 3, 1795763417.1221068, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795763417.1671662, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 4, 1795763417.261524, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795763417.430378, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795763417.430378, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795763417.4913344, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795763417.516769, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795763417.516769, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795763417.6153717, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795763417.5248775, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (30, 5, 1795763417.5248775, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 7, 1795763417.6309779, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (32, 7, 1795763417.6309779, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 2, 1795763417.6811466, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (34, 2, 1795763417.6811466, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 3, 1795763417.6811466, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (36, 6, 1795763417.6811466, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (37, 6, 1795763417.6811466, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 7, 1795763417.6811466, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (39, 3, 1795763418.0329785, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795763418.0329785, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (41, 7, 1795763418.1554809, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795763418.7686553, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795763418.7686553, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.version_share VALUES (1795763400, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795763414.3369002, 1795763414.879304, 1795763415.4700105, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795763415.9935877, 1795763416.4708326, 1795763417.023997, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795763415.882164, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795763417.1221068, 1795763417.6811466, 1795763418.0329785, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795763417.5248775, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795763417.6811466, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795763417.6811466, 1795763418.1554809, 1795763418.7686553, 0, 0, false, NULL, false);
SELECT pg_catalog.setval('public.alert_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 2, false);
SELECT pg_catalog.setval('public.audit_archived_seq_seq', 2, false);
SELECT pg_catalog.setval('public.audit_seq_seq', 65, false);
SELECT pg_catalog.setval('public.channel_change_id_seq', 3, false);
SELECT pg_catalog.setval('public.event_id_seq', 4, false);
SELECT pg_catalog.setval('public.experiment_id_seq', 3, false);
SELECT pg_catalog.setval('public.measurement_id_seq', 2, false);
SELECT pg_catalog.setval('public.notice_id_seq', 2, false);
SELECT pg_catalog.setval('public.proposal_id_seq', 4, false);
SELECT pg_catalog.setval('public.rollout_id_seq', 8, false);
SELECT pg_catalog.setval('public.telemetry_id_seq', 7, false);
SELECT pg_catalog.setval('public.timeline_id_seq', 44, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795763401, false);
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
ALTER TABLE ONLY public.enrolment_request
    ADD CONSTRAINT enrolment_request_pkey PRIMARY KEY (device);
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
CREATE INDEX ix_enrolment_request_token ON public.enrolment_request USING btree (token);
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
