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
    released_at double precision DEFAULT 0 NOT NULL
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
CREATE TABLE public.event_d20780 (
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
CREATE TABLE public.telemetry_d20780 (
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
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_d20780 FOR VALUES FROM ('1795392000') TO ('1795478400');
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_default DEFAULT;
ALTER TABLE ONLY public.telemetry ATTACH PARTITION public.telemetry_d20780 FOR VALUES FROM ('1795392000') TO ('1795478400');
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
ALTER TABLE ONLY public.rollout ALTER COLUMN id SET DEFAULT nextval('public.rollout_id_seq'::regclass);
ALTER TABLE ONLY public.telemetry ALTER COLUMN id SET DEFAULT nextval('public.telemetry_id_seq'::regclass);
ALTER TABLE ONLY public.timeline ALTER COLUMN id SET DEFAULT nextval('public.timeline_id_seq'::regclass);
ALTER TABLE ONLY public.version_share ALTER COLUMN at SET DEFAULT nextval('public.version_share_at_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0002');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795465815.4732964, NULL, 1795465815.552713, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795465875.579087, 'ada', 1795465809.7341082, 'ada');
INSERT INTO public.api_token VALUES ('91cec8c66a93', '63ce4fdf4aee96731ed0ddad703f168b0ea3630eb397c3a45a7cfeb1da67b2e9', 'ada', 'reads', 'admin', 1795465805.9079227, 1803241805.9079227, NULL, '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795465809.2498648, false);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795465807.0566454, false);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795465809.693434, true);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-05:1:back', 5, 0.2, 10, false, 1795465809.5257702, false);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-03:1:back', 5, 0.2, 10, false, 1795465809.5257702, false);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '5:press-04:1:back', 5, 0.2, 10, false, 1795465809.5257702, false);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795465809.346283, false);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795465809.693434, true);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795465807.0566454, 1795465807.436443, 1795465807.436443, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795465808.2444575, 1795465809.6157131, 1795465809.6157131, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795465808.1722717, 1795465808.1722717, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795465809.346283, 1795465811.4092941, 1795465811.4092941, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795465809.3555944, 1795465809.3555944, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795465809.3555944, 1795465809.3555944, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795465809.458726, 1795465809.5257702, 1795465809.5257702, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795465809.458726, 1795465809.5257702, 1795465809.5257702, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795465809.458726, 1795465809.5257702, 1795465809.5257702, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795465809.6157131, 1795465809.6157131, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795465809.6157131, 1795465809.6157131, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795465809.6157131, 1795465809.6157131, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795465809.693434, 1795465810.0591238, 1795465810.0591238, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795465805.5008366, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', 'eaf61e1cd42daa306dfa16bd77e395d062ed7c2078204c1e6a506e615004a4a7', '211c5428688670fe618fd313f88a9eca84bab88b92267c4b5617bbd9425191bd');
INSERT INTO public.audit VALUES (3, 1795465805.8591099, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '211c5428688670fe618fd313f88a9eca84bab88b92267c4b5617bbd9425191bd', '5cd3e471879a9823f59e598bfd0670a81478f71f75f603dbf57e134ff38c675d');
INSERT INTO public.audit VALUES (4, 1795465805.8899353, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '5cd3e471879a9823f59e598bfd0670a81478f71f75f603dbf57e134ff38c675d', '906ba01a2b6c7ad91c59e8eb4957d24768796071017d668856288d861116e898');
INSERT INTO public.audit VALUES (5, 1795465805.9119399, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', '906ba01a2b6c7ad91c59e8eb4957d24768796071017d668856288d861116e898', '2e3ee589c52cd4486efba40c75bae68e74c13fe50cf2cbef1acfa8e324365543');
INSERT INTO public.audit VALUES (6, 1795465805.9573843, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '2e3ee589c52cd4486efba40c75bae68e74c13fe50cf2cbef1acfa8e324365543', '79c9cbd0eaf3d7d48d88426b5b081abe95a1dbed6ac7ef76075e70c82afcb535');
INSERT INTO public.audit VALUES (7, 1795465805.9947455, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '79c9cbd0eaf3d7d48d88426b5b081abe95a1dbed6ac7ef76075e70c82afcb535', '3fce1335a40b542a373bcb29a183e93830258ef387d6ddd47ebeb5ef6624d0c5');
INSERT INTO public.audit VALUES (8, 1795465806.026692, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '3fce1335a40b542a373bcb29a183e93830258ef387d6ddd47ebeb5ef6624d0c5', '7e087b9d20f4af8e3b6c7d265f86970096973cb7b99b3b64a8f37a54704a8be6');
INSERT INTO public.audit VALUES (9, 1795465806.0481765, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '7e087b9d20f4af8e3b6c7d265f86970096973cb7b99b3b64a8f37a54704a8be6', 'dbcf3ee4212bf3e63014e03bb6a68e7bb15d5d99a4c8d846527643b84f5172a4');
INSERT INTO public.audit VALUES (10, 1795465806.0986357, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/698c697a269f9de18b9131fe87c6e991/finish', 201, '{}', 'dbcf3ee4212bf3e63014e03bb6a68e7bb15d5d99a4c8d846527643b84f5172a4', 'b6e2b73034798b249526c144ffac1c8cb9b4467a5d2a7eb54a746608ceebf5cd');
INSERT INTO public.audit VALUES (11, 1795465806.1480055, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'b6e2b73034798b249526c144ffac1c8cb9b4467a5d2a7eb54a746608ceebf5cd', '0b5946e4ee89b52908f6c1f391450d402625ec3b72405e703d8880d4b3de419d');
INSERT INTO public.audit VALUES (12, 1795465806.231978, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '0b5946e4ee89b52908f6c1f391450d402625ec3b72405e703d8880d4b3de419d', '1327780b0d6c05309c9f00eeb605c86585aaa472f191470f6e5ce23e0f6afb05');
INSERT INTO public.audit VALUES (13, 1795465806.2500546, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '1327780b0d6c05309c9f00eeb605c86585aaa472f191470f6e5ce23e0f6afb05', 'bf118fdfce8ea6f108beed0b35e32d9da748a4053051e54649921f1f4fade142');
INSERT INTO public.audit VALUES (14, 1795465806.316888, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', 'bf118fdfce8ea6f108beed0b35e32d9da748a4053051e54649921f1f4fade142', '4d69ee421d4dc471fffa0270c8e235a333d4ae1e3a27be7031c0238365eff006');
INSERT INTO public.audit VALUES (15, 1795465806.370108, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '4d69ee421d4dc471fffa0270c8e235a333d4ae1e3a27be7031c0238365eff006', '412825077e2e1499f49abbfbc4bd508b632e732a9dacce501326b2880fb87d9e');
INSERT INTO public.audit VALUES (16, 1795465806.5568895, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', '412825077e2e1499f49abbfbc4bd508b632e732a9dacce501326b2880fb87d9e', '62cc6831854e138ccca4ce1fb78d4dde692b5d7fb6920949b614a06b96136dc8');
INSERT INTO public.audit VALUES (17, 1795465806.6152809, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}}, "note": "in the north"}', '62cc6831854e138ccca4ce1fb78d4dde692b5d7fb6920949b614a06b96136dc8', '1bf496f875400c858f6e5f78e90121a58ea24dd61de0cde08bc5953cd95117af');
INSERT INTO public.audit VALUES (18, 1795465806.638143, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '1bf496f875400c858f6e5f78e90121a58ea24dd61de0cde08bc5953cd95117af', 'bb4ce12a8493832b6ef5f7525a3312d1a814ae55d22db99099cc93e212a9638b');
INSERT INTO public.audit VALUES (19, 1795465806.8071728, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'bb4ce12a8493832b6ef5f7525a3312d1a814ae55d22db99099cc93e212a9638b', '06eb4bf151af5213410aa518a86981f3289615bc0aefb2be25978cf3213b0cfe');
INSERT INTO public.audit VALUES (20, 1795465806.8337786, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '06eb4bf151af5213410aa518a86981f3289615bc0aefb2be25978cf3213b0cfe', '5e44aac0935cf0b68366c68cdf86fe9ac72e464e349b1202d7daeeb6addf045c');
INSERT INTO public.audit VALUES (21, 1795465807.0033007, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '5e44aac0935cf0b68366c68cdf86fe9ac72e464e349b1202d7daeeb6addf045c', 'e2d8a8d2a8e6e1e4e543f596db7014022f1d787720a2b38950596202fc4fdf04');
INSERT INTO public.audit VALUES (22, 1795465808.0619392, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', 'e2d8a8d2a8e6e1e4e543f596db7014022f1d787720a2b38950596202fc4fdf04', '2f9500a9847cbc7ef3eb88ccaa69109e077471f5bc425af826f396c7ccd580f4');
INSERT INTO public.audit VALUES (23, 1795465808.090654, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', '2f9500a9847cbc7ef3eb88ccaa69109e077471f5bc425af826f396c7ccd580f4', 'dfd08b1da67edff327d796e411a75e6140861a7131615f2f45a0a1ca1fab1a25');
INSERT INTO public.audit VALUES (24, 1795465808.1130192, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', 'dfd08b1da67edff327d796e411a75e6140861a7131615f2f45a0a1ca1fab1a25', '8f8606057ae4136d8496420dce8345521cbe305d2c090dfcb2fa50d253404b4e');
INSERT INTO public.audit VALUES (25, 1795465808.1447563, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '8f8606057ae4136d8496420dce8345521cbe305d2c090dfcb2fa50d253404b4e', 'cd4db7431e4e3037a3b0a256e575119e4db2f305626b6e4d98950f18439a8afb');
INSERT INTO public.audit VALUES (26, 1795465808.173024, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'cd4db7431e4e3037a3b0a256e575119e4db2f305626b6e4d98950f18439a8afb', '1531ebcdd861922d024ecf6d9961094ee5a0d07a75079d7f1e84aa7126bb2a01');
INSERT INTO public.audit VALUES (27, 1795465808.203767, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '1531ebcdd861922d024ecf6d9961094ee5a0d07a75079d7f1e84aa7126bb2a01', '701e12cc2a8037411d42be64ab4642790c97709957c990d55b689b4df6c083c9');
INSERT INTO public.audit VALUES (28, 1795465809.195954, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '701e12cc2a8037411d42be64ab4642790c97709957c990d55b689b4df6c083c9', 'd12636799171d52c2fb73dc41a5e3ec21ab9732e18f1fdcff224a95493009090');
INSERT INTO public.audit VALUES (29, 1795465809.293823, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'd12636799171d52c2fb73dc41a5e3ec21ab9732e18f1fdcff224a95493009090', 'eccc5b0661ec9789a1317ad374a6b25ebf5a56f7245d8a9a08856b744fb25919');
INSERT INTO public.audit VALUES (30, 1795465809.3280213, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', 'eccc5b0661ec9789a1317ad374a6b25ebf5a56f7245d8a9a08856b744fb25919', 'ab7f2188f3a0af1a1938a6da274ec6c3c0b72e0acbe46c8a86b5ba21c2f28d10');
INSERT INTO public.audit VALUES (31, 1795465809.3594632, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', 'ab7f2188f3a0af1a1938a6da274ec6c3c0b72e0acbe46c8a86b5ba21c2f28d10', '7977f385b500c0dffee5304dfcb4cf454e5575b5dbc434e06716010e75c0ded3');
INSERT INTO public.audit VALUES (32, 1795465809.4438674, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '7977f385b500c0dffee5304dfcb4cf454e5575b5dbc434e06716010e75c0ded3', 'ba1b7e8f124d8596f0776f1ca055781ff3c6cad73f93321ed5d96e29901cef52');
INSERT INTO public.audit VALUES (33, 1795465809.4800258, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'ba1b7e8f124d8596f0776f1ca055781ff3c6cad73f93321ed5d96e29901cef52', 'c59676adb5c9f2402b7b7545ee304b7ceb6978cc2538b25a535096c233e9b04c');
INSERT INTO public.audit VALUES (34, 1795465809.5388017, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'c59676adb5c9f2402b7b7545ee304b7ceb6978cc2538b25a535096c233e9b04c', '439b4460afc6d076f8f020895228f4130a4c8aa7b30e19c468d0f7d391522266');
INSERT INTO public.audit VALUES (35, 1795465809.5791957, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', '439b4460afc6d076f8f020895228f4130a4c8aa7b30e19c468d0f7d391522266', '639301bc85036b746fdddff8e96b692356f04c140c7f0fd23eeb971277032225');
INSERT INTO public.audit VALUES (36, 1795465809.6145892, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', '639301bc85036b746fdddff8e96b692356f04c140c7f0fd23eeb971277032225', '9debef05c202c3cf6ccb7976a6c4c4ec4de9396b9a2c2025b30cabd8fb79e81f');
INSERT INTO public.audit VALUES (37, 1795465809.6564047, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', '9debef05c202c3cf6ccb7976a6c4c4ec4de9396b9a2c2025b30cabd8fb79e81f', '9b8ff330c5cd22ed1ad5cbae8912691361a06a86ebe6018062f7748817b3448a');
INSERT INTO public.audit VALUES (38, 1795465809.677263, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', '9b8ff330c5cd22ed1ad5cbae8912691361a06a86ebe6018062f7748817b3448a', 'a3031b692614cbca5ff2539f8e204ebbdee6315dc2bc3376a82e7bbe9515b85b');
INSERT INTO public.audit VALUES (39, 1795465809.7064946, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', 'a3031b692614cbca5ff2539f8e204ebbdee6315dc2bc3376a82e7bbe9515b85b', 'c36e2a323561a2cd496557dbd50be07458e1b970a6d62724376abe0f1b1ec3b4');
INSERT INTO public.audit VALUES (40, 1795465809.7186906, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', 'c36e2a323561a2cd496557dbd50be07458e1b970a6d62724376abe0f1b1ec3b4', '7014c35d6fdb5a85e7c966f5125066ba197b7040d9f87fc0d4b4f9d49cc4fd17');
INSERT INTO public.audit VALUES (41, 1795465809.7350707, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '7014c35d6fdb5a85e7c966f5125066ba197b7040d9f87fc0d4b4f9d49cc4fd17', 'b7907b7ee1c83b4b42680ba4d812af09fff334df46a8d80fb7395fbbc93a5543');
INSERT INTO public.audit VALUES (42, 1795465815.5528343, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'b7907b7ee1c83b4b42680ba4d812af09fff334df46a8d80fb7395fbbc93a5543', '2623e7a41d4c70d39f05dbec71ab1aef49ea32b32866cc516f002a28bb39c421');
INSERT INTO public.audit VALUES (43, 1795465815.5687158, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '2623e7a41d4c70d39f05dbec71ab1aef49ea32b32866cc516f002a28bb39c421', '203144b1ef637eb66bbffdd66da082078aff5826862dc721f1cf5a9b8c726233');
INSERT INTO public.audit VALUES (44, 1795465815.5797894, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '203144b1ef637eb66bbffdd66da082078aff5826862dc721f1cf5a9b8c726233', '0b32f3b6fb8202459534823952370a6a83fbfb45f5dea8840c61b16083274e62');
INSERT INTO public.audit VALUES (45, 1795465815.636596, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', '0b32f3b6fb8202459534823952370a6a83fbfb45f5dea8840c61b16083274e62', 'cdf4042f05a8ce7a9134751a3c333410a5eda4c137b1ed52876ebb06059c80f1');
INSERT INTO public.audit VALUES (46, 1795465815.7080395, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', 'cdf4042f05a8ce7a9134751a3c333410a5eda4c137b1ed52876ebb06059c80f1', '924aded7a7cfe883ae0fa9efa65fab5c630e3bf7e79fa960bdc12c0493dbece5');
INSERT INTO public.audit VALUES (47, 1795465815.721949, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '924aded7a7cfe883ae0fa9efa65fab5c630e3bf7e79fa960bdc12c0493dbece5', 'e5f8c806c1ce526bb3033c24df3ced5bcd4d158a3db87ff24044c566afa795aa');
INSERT INTO public.audit VALUES (48, 1795465815.7792408, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABPLiCfmQG4X2TSZFuUBvVUZ2ccqYvE31KrQ9UgJ1YxJwtWLi6NU6\nVxXxfBhZYat/xAmpOo22jL3pQQ+Orb6q1v+gADAKBggqhkjOPQQDAgNJADBGAiEA\nsm7LfQ+4kdSiVEi3Qp2GVDcGEA1XfQvU91rIgbNZ6coCIQDiqnNQ+7Bjz7JmxeCf\nkefHdvKIIO0451x6mHppJKXzcA==\n-----END CERTIFICATE REQUEST-----\n"}', 'e5f8c806c1ce526bb3033c24df3ced5bcd4d158a3db87ff24044c566afa795aa', 'b8abd34fa59383b51fb1dd83457c1a04085cb52213686a8660babf60277e2274');
INSERT INTO public.audit VALUES (49, 1795465815.8043125, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', 'b8abd34fa59383b51fb1dd83457c1a04085cb52213686a8660babf60277e2274', '8497b5f746a19ffcca26489a9f3e42db6076cba4da6607dcba15d38df85fbc32');
INSERT INTO public.audit VALUES (50, 1795465815.8345459, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', '8497b5f746a19ffcca26489a9f3e42db6076cba4da6607dcba15d38df85fbc32', 'cc8fe305746955cdca5dafd9dc1ff62988df73f6706e723c8de01ce4edd88ffa');
INSERT INTO public.audit VALUES (51, 1795465815.8494139, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', 'cc8fe305746955cdca5dafd9dc1ff62988df73f6706e723c8de01ce4edd88ffa', '6f0acd9c050f4616535018b3c2aae95957d95be1c8264695283ee62f98e6f4dd');
INSERT INTO public.audit VALUES (52, 1795465816.5418587, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', '6f0acd9c050f4616535018b3c2aae95957d95be1c8264695283ee62f98e6f4dd', '2f657303e2350d438a742d9b8bcf6e2a68311f77cd6446d9fec3d6dabacb3eae');
INSERT INTO public.audit VALUES (53, 1795465819.8725088, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://postgres@127.0.0.1:47275/fleet_1', 0, '{"from": "/tmp/tmp4ja1s_oh/fleet/fleet.db"}', '2f657303e2350d438a742d9b8bcf6e2a68311f77cd6446d9fec3d6dabacb3eae', '1ba890cf02af7a403cdfcb19187a7f088c9149e11f19e3584859b4131626aff1');
INSERT INTO public.audit_archived VALUES (1, 'eaf61e1cd42daa306dfa16bd77e395d062ed7c2078204c1e6a506e615004a4a7');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795465805.9712856);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795465805.9712856);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795465806.0867662);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795465806.0867662);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795465805.9712856);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795465806.0164762);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795465806.0164762);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795465806.0164762);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795465806.0867662);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795465806.0867662);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795465806.0867662);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795465806.3441033);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795465806.3441033);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795465806.3441033);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795465815.847117, 'lost again');
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795465806.243254, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795465806.220137, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795465806.243254, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795471200);
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.command VALUES ('c60d764fdea941d0819b6a4a1484a9ee', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795465806.6343157, 1795465836.6343157, 1795465806.7619646);
INSERT INTO public.command VALUES ('80b5b41e0a704dd39c9ed380cabb3b5e', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795465806.805499, 1795465866.805499, 1795465806.913535);
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795465809.800042);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795465806.519514);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 4, '{"device":"press-05","generation":4,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-05:1:back"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":0.2}}', 4);
INSERT INTO public.desired VALUES ('press-03', 3, '{"device":"press-03","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-03:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.desired VALUES ('press-04', 3, '{"device":"press-04","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-04:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.device VALUES ('press-00', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', '{}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', 0);
INSERT INTO public.device VALUES ('press-01', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor": "1"}', '{}', '{"floor": "1"}', 1795465809.718628);
INSERT INTO public.device VALUES ('press-02', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-03', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-04', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-05', 1795465806.519514, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device_certificate VALUES ('21f1024ed0fee45a17f8116477e6a639ed440bfe', 'enrolled-1', 1795465815.749594, 1803241815, 1795465815.801705);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', 'in the north', 1795465806.6095207, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795465816.6350372, 'boot-1', '', 1, 1795465816.6350372, 'boot-1', 13, 3, '{}', 0, '[]', '[]', 0, 1795465809.7391996, '{"at":1795465809.7391996,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1, 1795465806.519514);
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795465816.6964118, 'boot-1', '', 1, 1795465816.6964118, 'boot-1', 12, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795465806.519514);
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795465816.792385, 'boot-1', '', 1, 1795465816.792385, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795465806.519514);
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795465816.8982275, 'boot-1', '', 1, 1795465816.8982275, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795465806.519514);
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795465816.9535143, 'boot-1', '', 1, 1795465816.9535143, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795465806.519514);
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795465817.049596, 'boot-1', '', 1, 1795465817.049596, 'boot-1', 14, 4, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795465806.519514);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795465807.322392}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795465807.3224018);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795465809.5049267}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795465809.504942);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.7432868}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-03:1', 'none', '', 0, 0, 1795465809.7432957);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.786188}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-04:1', 'none', '', 0, 0, 1795465809.7862);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795465809.9516587}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795465809.951679);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.9519353}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795465809.951943);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465811.3052824}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '5:press-05:1', 'none', '', 0, 0, 1795465811.305288);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795465811.30498}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795465811.3049927);
INSERT INTO public.enrolment_token VALUES ('efb86d90a879', '474b4eac0704986169975d948689cc4f9f51d950927df6718a42d4ef01c237f5', '', '{"site": "north"}', 1795465815.702556, 1795565815.702556, 1795465815.749594, 'enrolled-1', NULL);
INSERT INTO public.enrolment_token VALUES ('c2cfe8832a0b', '799f11e74d36812feb6a892d5cfe85c8ea90b987bd9d4f42c24273196722e4a9', '', '{"site": "north"}', 1795465815.7198706, 1795565815.7198706, NULL, '', NULL);
INSERT INTO public.event_d20780 VALUES (1, 'press-00', 1795465806.4924989, 1795465806.519514, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795465806.4924989,"label":"person","count":0}');
INSERT INTO public.event_d20780 VALUES (2, 'press-00', 1795465806.4925005, 1795465806.519514, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795465806.4925005,"label":"person","count":1}');
INSERT INTO public.event_d20780 VALUES (3, 'press-00', 1795465806.492502, 1795465806.519514, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795465806.492502,"label":"person","count":2}');
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795465809.4323432, 'ada', 1795465809.4732528, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795465809.5129917, 'ada', 1795465809.5753908, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795465806.1393921, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795465817.6094282, 1795465817.6094282, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795465815.4732964, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}', 'waiting', 1, 1795465826.424651, 1795465815.4732964, '[Errno 111] Connection refused');
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795465817.6094282);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795465805.9712856, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795465806.0164762, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795465806.0867662, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795465806.3441033, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate"}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$Y8O/p81G5zl9A7EhNTg9ag==$Pf5D8Q027IrqOSiAxMt4SIIvnWLb7vxMKmKI96+8umU=', 1795465804.7658467, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$QpuEshe5YRgvf+wSOHJZgQ==$hirJXyjCff6IvegIGxSP2i1sshoXcdG7mD7h93Bcl9s=', 1795465805.8576033, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795465809.6561751);
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795465817.6094282, 1795466117.6094282, 0);
INSERT INTO public.retention VALUES ('samples', 1795465805.4132025, 0, 0.0006244050018722191, '');
INSERT INTO public.retention VALUES ('events', 1795465805.4132025, 0, 0.000516614003572613, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795465806.9922507, 1795465806.9922507, 1795465807.996708, 1795465807.996708, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795465808.0599637, 1795465808.0820153, 1795465809.6157131, 1795465809.6157131, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795465809.2894251, 1795465809.2894251, 1795465811.962833, 1795465811.962833, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795465809.3255014, NULL, 1795465809.3555944, 1795465809.3555944, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795465809.4323432, 1795465809.4323432, 1795465809.5257702, 1795465809.5257702, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795465809.5129917, 1795465809.5129917, 1795465809.6157131, 1795465809.6157131, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795465809.608659, 1795465809.608659, 1795465810.6189775, 1795465810.6189775, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465500, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465560, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465620, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465680, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465740, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795465800, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795464000, '\x84ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', '0497d9f9a5fd6bdf2c8c03c0fd7cd13f', 1795465804.2202456);
INSERT INTO public.secret VALUES ('corpus', '2084bc05da97326e3a1d4c3309094801', 1795465817.6847308);
INSERT INTO public.session VALUES ('4f8f91ca3f3ce27a325aa83dec1e2c31f2ca36deef5c8c1991fb6fc7589e6d0b', 'ada', 1795465805.1356475, 1795465805.1356475, 1796070605.1356475, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795465805.9544275, 'ada');
INSERT INTO public.telemetry_d20780 VALUES (1, 'press-00', 1795465506.4924695, 1795465806.519514, '{"at":1795465506.4924695,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20780 VALUES (2, 'press-00', 1795465566.4924746, 1795465806.519514, '{"at":1795465566.4924746,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20780 VALUES (3, 'press-00', 1795465626.4924781, 1795465806.519514, '{"at":1795465626.4924781,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20780 VALUES (4, 'press-00', 1795465686.492481, 1795465806.519514, '{"at":1795465686.492481,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20780 VALUES (5, 'press-00', 1795465746.492485, 1795465806.519514, '{"at":1795465746.492485,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20780 VALUES (6, 'press-00', 1795465809.7391996, 1795465809.800042, '{"at":1795465809.7391996,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795465806.9922507, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795465806.9922507, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795465807.0566454, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795465807.436443, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795465807.996708, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795465807.996708, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795465808.0599637, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795465808.0820153, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795465808.1096182, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795465808.1340384, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795465808.1668262, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795465808.2001903, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795465808.2444575, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795465808.6061192, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795465809.1607592, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795465809.1607592, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795465809.1929579, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795465809.2894251, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795465809.2894251, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795465809.3255014, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 3, 1795465809.346283, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (22, 4, 1795465809.3555944, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795465809.4323432, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795465809.4323432, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795465809.458726, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (26, 5, 1795465809.4732528, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795465809.5129917, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795465809.5129917, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795465809.5257702, 'wave_failed', 'Wave ''all'' failed: stopped', 0, NULL);
INSERT INTO public.timeline VALUES (30, 5, 1795465809.5257702, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 6, 1795465809.5753908, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (32, 7, 1795465809.608659, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 7, 1795465809.608659, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (34, 2, 1795465809.6157131, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (35, 2, 1795465809.6157131, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (36, 6, 1795465809.6157131, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (37, 6, 1795465809.6157131, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 7, 1795465809.693434, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795465810.0591238, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 7, 1795465810.6189775, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 7, 1795465810.6189775, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 3, 1795465811.4092941, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (43, 3, 1795465811.962833, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (44, 3, 1795465811.962833, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.version_share VALUES (1795465800, '[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795465807.0566454, 1795465807.436443, 1795465807.996708, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795465808.2444575, 1795465808.6061192, 1795465809.1607592, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795465808.1668262, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795465809.346283, 1795465811.4092941, 1795465811.962833, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'failed', 3, 1795465809.458726, NULL, 1795465809.5257702, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795465809.6157131, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795465809.693434, 1795465810.0591238, 1795465810.6189775, 0, 0, false, NULL, false);
SELECT pg_catalog.setval('public.alert_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 2, false);
SELECT pg_catalog.setval('public.audit_archived_seq_seq', 2, false);
SELECT pg_catalog.setval('public.audit_seq_seq', 53, false);
SELECT pg_catalog.setval('public.channel_change_id_seq', 3, false);
SELECT pg_catalog.setval('public.event_id_seq', 4, false);
SELECT pg_catalog.setval('public.experiment_id_seq', 3, false);
SELECT pg_catalog.setval('public.measurement_id_seq', 2, false);
SELECT pg_catalog.setval('public.notice_id_seq', 2, false);
SELECT pg_catalog.setval('public.rollout_id_seq', 8, false);
SELECT pg_catalog.setval('public.telemetry_id_seq', 7, false);
SELECT pg_catalog.setval('public.timeline_id_seq', 45, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795465801, false);
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
ALTER TABLE ONLY public.event_d20780
    ADD CONSTRAINT event_d20780_pkey PRIMARY KEY (id, received_at);
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
ALTER TABLE ONLY public.restricted_device
    ADD CONSTRAINT restricted_device_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (kind);
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
ALTER TABLE ONLY public.telemetry_d20780
    ADD CONSTRAINT telemetry_d20780_pkey PRIMARY KEY (id, received_at);
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
CREATE INDEX event_d20780_device_id_idx ON public.event_d20780 USING btree (device, id);
CREATE INDEX event_kind ON ONLY public.event USING btree (kind, id);
CREATE INDEX event_d20780_kind_id_idx ON public.event_d20780 USING btree (kind, id);
CREATE INDEX event_label ON ONLY public.event USING btree (label, id);
CREATE INDEX event_d20780_label_id_idx ON public.event_d20780 USING btree (label, id);
CREATE INDEX ix_event_received_at ON ONLY public.event USING btree (received_at);
CREATE INDEX event_d20780_received_at_idx ON public.event_d20780 USING btree (received_at);
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
CREATE INDEX telemetry_d20780_device_at_idx ON public.telemetry_d20780 USING btree (device, at);
CREATE INDEX telemetry_default_device_at_idx ON public.telemetry_default USING btree (device, at);
ALTER INDEX public.event_device ATTACH PARTITION public.event_d20780_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_d20780_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_d20780_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_d20780_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_d20780_received_at_idx;
ALTER INDEX public.event_device ATTACH PARTITION public.event_default_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_default_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_default_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_default_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_default_received_at_idx;
ALTER INDEX public.telemetry_device_at ATTACH PARTITION public.telemetry_d20780_device_at_idx;
ALTER INDEX public.telemetry_pkey ATTACH PARTITION public.telemetry_d20780_pkey;
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
