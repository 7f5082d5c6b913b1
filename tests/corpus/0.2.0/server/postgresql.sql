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
INSERT INTO public.alembic_version VALUES ('0001');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, over the limit of -1', 15, 1795406970.2022364, NULL, 1795406970.254772, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795407030.2674034, 'ada', 1795406964.970772, 'ada');
INSERT INTO public.api_token VALUES ('58106347b172', 'd0e8e3c9322c782eb0d35b853242bebde6bf4a61478acc39515f49ada8505e45', 'ada', 'reads', 'admin', 1795406960.6391988, 1803182960.6391988, NULL, '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795406964.668046, false);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795406962.3599026, false);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795406964.895744, true);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795406962.3599026, false);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795406962.3599026, false);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795406962.3599026, false);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795406964.764717, false);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795406964.895744, true);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795406962.3599026, 1795406962.719927, 1795406962.719927, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'brought back to the version it ran before', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795406963.6421497, 1795406965.03772, 1795406965.03772, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'its wave was skipped', NULL, NULL, 1795406963.4439504, 1795406963.4439504, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795406964.764717, 1795406965.1074877, 1795406965.1074877, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795406964.7442756, 1795406964.7442756, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795406964.7442756, 1795406964.7442756, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795406964.895744, 1795406964.895744, 0, 0, true, false, 0, NULL, '');
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795406964.895744, 1795406965.2778828, 1795406965.2778828, 0, 0, true, false, 0, 'null', '');
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795406960.245999, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', '0b4d70aee5a8210605ce52f63b3aeccad3152b7db0d72ea8c7c595e94804a6d3', '5bd4ea2eb026852846043de5076a30ce9730d0fe5e604b58539879a3c4abc4e5');
INSERT INTO public.audit VALUES (3, 1795406960.613402, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '5bd4ea2eb026852846043de5076a30ce9730d0fe5e604b58539879a3c4abc4e5', '7c71db201ca43712639e0f2ae9116949c626c367b28e1a0e2b76382d36bb10fb');
INSERT INTO public.audit VALUES (4, 1795406960.630655, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '7c71db201ca43712639e0f2ae9116949c626c367b28e1a0e2b76382d36bb10fb', '2cb56251169d0010678054f1adc2e217c050e79dda780ef2fa51760f51a9092d');
INSERT INTO public.audit VALUES (5, 1795406960.641654, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', '2cb56251169d0010678054f1adc2e217c050e79dda780ef2fa51760f51a9092d', 'bf16cb53fb7391999e75ad5e007e60950f4904d0676a8335e2006719617524ee');
INSERT INTO public.audit VALUES (6, 1795406960.6756608, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', 'bf16cb53fb7391999e75ad5e007e60950f4904d0676a8335e2006719617524ee', '20ccb01a23f7dcf09f8b63f550691562f7e8e7b9010f9d7416d204c597fe140e');
INSERT INTO public.audit VALUES (7, 1795406960.7387493, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '20ccb01a23f7dcf09f8b63f550691562f7e8e7b9010f9d7416d204c597fe140e', '92819795ebd6330fb00098d8a7e383a6e7f842d963a3f15373ce65e120e10861');
INSERT INTO public.audit VALUES (8, 1795406960.8548768, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '92819795ebd6330fb00098d8a7e383a6e7f842d963a3f15373ce65e120e10861', '7ebbf0819ee91ba5328d6c92e614d135f98926ec4113d70f82d2c5fdc5005c53');
INSERT INTO public.audit VALUES (9, 1795406960.888557, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '7ebbf0819ee91ba5328d6c92e614d135f98926ec4113d70f82d2c5fdc5005c53', '339e874914297da8f33ddc9d95fc0ff0594d33d080f6aefe01eeadf6536ec7dc');
INSERT INTO public.audit VALUES (10, 1795406960.9362583, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/71a4e385148c3f650a70afc8662ca825/finish', 201, '{}', '339e874914297da8f33ddc9d95fc0ff0594d33d080f6aefe01eeadf6536ec7dc', 'a0a9b9eff1b4f626064f8e0fac4f62c70ec985fb166285a724a3ce0b74347a3f');
INSERT INTO public.audit VALUES (11, 1795406961.0232584, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'a0a9b9eff1b4f626064f8e0fac4f62c70ec985fb166285a724a3ce0b74347a3f', '25f953f63d3afc24b9fe988c8883c5a0744cc4d5dd12c4bb9f2fc8af18bdd8a7');
INSERT INTO public.audit VALUES (12, 1795406961.062845, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '25f953f63d3afc24b9fe988c8883c5a0744cc4d5dd12c4bb9f2fc8af18bdd8a7', '8cce8e07171e22370c4c875d7eb5651c39a09c45d4cc1bc80f4d5927c909978d');
INSERT INTO public.audit VALUES (13, 1795406961.0748708, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '8cce8e07171e22370c4c875d7eb5651c39a09c45d4cc1bc80f4d5927c909978d', '0fc23a17fd593759ebf2d06c17a7bf37c628bff0498ab2545b405145e15c4d99');
INSERT INTO public.audit VALUES (14, 1795406961.164091, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '0fc23a17fd593759ebf2d06c17a7bf37c628bff0498ab2545b405145e15c4d99', 'cd63b21b12b3324cf15b83daddfb15984b2a7a685c76e1c2c25e50238ce500df');
INSERT INTO public.audit VALUES (15, 1795406961.2263753, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', 'cd63b21b12b3324cf15b83daddfb15984b2a7a685c76e1c2c25e50238ce500df', 'aff31f42d642b9c3ff5cd459f723c1110a8a7c3274216c400e41debc22910a58');
INSERT INTO public.audit VALUES (16, 1795406961.500448, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', 'aff31f42d642b9c3ff5cd459f723c1110a8a7c3274216c400e41debc22910a58', '0866a4235e1075fff0215864ac5460ef88b040c2cfe081981b92f626eba0a30a');
INSERT INTO public.audit VALUES (17, 1795406961.5386431, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}}, "note": "in the north"}', '0866a4235e1075fff0215864ac5460ef88b040c2cfe081981b92f626eba0a30a', '6c3383f9a5d2ce7b1c152178d7144239b670a891c4a71bc32f94c4df302c9af7');
INSERT INTO public.audit VALUES (18, 1795406961.5753448, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '6c3383f9a5d2ce7b1c152178d7144239b670a891c4a71bc32f94c4df302c9af7', 'ad5cfad9c823c839309043ee0066ad5476598c785c85f7fe3a511c3c72498d4a');
INSERT INTO public.audit VALUES (19, 1795406961.7721686, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'ad5cfad9c823c839309043ee0066ad5476598c785c85f7fe3a511c3c72498d4a', 'dce725b6791cc9814cd9d6ffa75e521a10f36c7bcb3f593c446574919af671d7');
INSERT INTO public.audit VALUES (20, 1795406961.9800863, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', 'dce725b6791cc9814cd9d6ffa75e521a10f36c7bcb3f593c446574919af671d7', '832c5128ca50d4214545c05267b66e354e2f671c28a7bb586a59fa95de00598c');
INSERT INTO public.audit VALUES (21, 1795406962.3053732, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '832c5128ca50d4214545c05267b66e354e2f671c28a7bb586a59fa95de00598c', '45b8ad66dc70f6cec81ed6088a2db2a38cf97632f7be0b99ffd893c090bc066c');
INSERT INTO public.audit VALUES (22, 1795406963.323994, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '45b8ad66dc70f6cec81ed6088a2db2a38cf97632f7be0b99ffd893c090bc066c', 'e417bcf2e3101986dcbc87ccc87df0294d04dcec81b1f76f134478d2de29c0b5');
INSERT INTO public.audit VALUES (23, 1795406963.3876112, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', 'e417bcf2e3101986dcbc87ccc87df0294d04dcec81b1f76f134478d2de29c0b5', '33bc1aa5f788b8c38bf3393a5359a668e6693e260271f762432465318a1619fd');
INSERT INTO public.audit VALUES (24, 1795406963.4025116, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '33bc1aa5f788b8c38bf3393a5359a668e6693e260271f762432465318a1619fd', '053fa3563a095f44620bfd725d760d6072cb8e11a22fc72fca12be1ba3a30e7e');
INSERT INTO public.audit VALUES (25, 1795406963.416601, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '053fa3563a095f44620bfd725d760d6072cb8e11a22fc72fca12be1ba3a30e7e', 'effadd0c1d5b183bd1e5dd749d9ae57c89c81482b60eb0c49219a1dec824bc5f');
INSERT INTO public.audit VALUES (26, 1795406963.434462, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'effadd0c1d5b183bd1e5dd749d9ae57c89c81482b60eb0c49219a1dec824bc5f', 'b4820ea717a7fc3f73de1e2e10da0668c000d51b9d8c566c613a1295840f85a4');
INSERT INTO public.audit VALUES (27, 1795406963.587523, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', 'b4820ea717a7fc3f73de1e2e10da0668c000d51b9d8c566c613a1295840f85a4', '46d3960f26c9d7d177c234801c6158ed7e6df8b7c2406ffeda4830d2d16bcd29');
INSERT INTO public.audit VALUES (28, 1795406964.6007528, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '46d3960f26c9d7d177c234801c6158ed7e6df8b7c2406ffeda4830d2d16bcd29', '0678c015560371bc3d43432a8e971f566569ffaadf62e7834eed137db4ccc05e');
INSERT INTO public.audit VALUES (29, 1795406964.7116966, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '0678c015560371bc3d43432a8e971f566569ffaadf62e7834eed137db4ccc05e', '47deada273abee07680c08cf508d76a02e72096c27a6767f448222e7c32b9dae');
INSERT INTO public.audit VALUES (30, 1795406964.734398, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '47deada273abee07680c08cf508d76a02e72096c27a6767f448222e7c32b9dae', '904d95aae4967e39223842c7fbed60b78f247bca5ce2d7fa74688013ddfb7872');
INSERT INTO public.audit VALUES (31, 1795406964.746993, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', '904d95aae4967e39223842c7fbed60b78f247bca5ce2d7fa74688013ddfb7872', '33431537b474838bc8992d54fc2973afddf2b13eb856f213cba12f47c3b0ae0b');
INSERT INTO public.audit VALUES (32, 1795406964.821692, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '33431537b474838bc8992d54fc2973afddf2b13eb856f213cba12f47c3b0ae0b', 'cd0061433e66ee7fcdeb579f8e33f0682f1fea0e96ffd6556f620a6f004757a3');
INSERT INTO public.audit VALUES (33, 1795406964.8419495, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'cd0061433e66ee7fcdeb579f8e33f0682f1fea0e96ffd6556f620a6f004757a3', 'f842449efdc2236a840fa3d915f721b16d2e756b785db1b3c93e1af6540bffc6');
INSERT INTO public.audit VALUES (34, 1795406964.8596244, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'f842449efdc2236a840fa3d915f721b16d2e756b785db1b3c93e1af6540bffc6', 'c6d73a45d7c88f36337aa005487d3044af01a0f2b601ec041a9be4d3c3bb616c');
INSERT INTO public.audit VALUES (35, 1795406964.8699903, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', 'c6d73a45d7c88f36337aa005487d3044af01a0f2b601ec041a9be4d3c3bb616c', '8ab3630b48fa9d733119d8729ab6a778e631322f0cdddc357097a74e639a71a6');
INSERT INTO public.audit VALUES (36, 1795406964.8901324, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', '8ab3630b48fa9d733119d8729ab6a778e631322f0cdddc357097a74e639a71a6', 'acd8d0380d57d2c06f6527ff31f5b984c3ee9067a7c06f48ef7e3d44159ffd1b');
INSERT INTO public.audit VALUES (37, 1795406964.909309, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', 'acd8d0380d57d2c06f6527ff31f5b984c3ee9067a7c06f48ef7e3d44159ffd1b', 'b55df03338874ae924f8c88a7f6266b2416c207bacbfcd937cca817840f92609');
INSERT INTO public.audit VALUES (38, 1795406964.931732, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', 'b55df03338874ae924f8c88a7f6266b2416c207bacbfcd937cca817840f92609', 'bb2ee444608911b602ad8161efdbcf05b74d7d21d24abb8252a8d463dc9b9d1a');
INSERT INTO public.audit VALUES (39, 1795406964.9470098, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', 'bb2ee444608911b602ad8161efdbcf05b74d7d21d24abb8252a8d463dc9b9d1a', 'bec672db9ca6c43512cf41a9de0f885c917b1e326b797230d620ed7f3d6ad2f5');
INSERT INTO public.audit VALUES (40, 1795406964.958485, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', 'bec672db9ca6c43512cf41a9de0f885c917b1e326b797230d620ed7f3d6ad2f5', 'c88695b1028646548ad327910afa119ee23a7b2257ea7cd31736a70ffe7b1d2b');
INSERT INTO public.audit VALUES (41, 1795406964.9715285, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', 'c88695b1028646548ad327910afa119ee23a7b2257ea7cd31736a70ffe7b1d2b', '30b32a03f0b4c292ebff1b3a5dcbcdf9c7af2cc0de16747c06ac9871a31a8b32');
INSERT INTO public.audit VALUES (42, 1795406970.2548578, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', '30b32a03f0b4c292ebff1b3a5dcbcdf9c7af2cc0de16747c06ac9871a31a8b32', '3881e117cce28b68195a6f761d103203b3f13e7dbd03e2719f5e0aa2b3db1625');
INSERT INTO public.audit VALUES (43, 1795406970.2609828, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', '3881e117cce28b68195a6f761d103203b3f13e7dbd03e2719f5e0aa2b3db1625', '55e47dcb2ecfccad89ce5e09cdf701079e88a4f0e03e3b9432894fa4f31ae0c9');
INSERT INTO public.audit VALUES (44, 1795406970.267728, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '55e47dcb2ecfccad89ce5e09cdf701079e88a4f0e03e3b9432894fa4f31ae0c9', 'b3bf8e66d72deaea96e3fc2504f7304f069731c8f5b237e6415a3fc43a12ce77');
INSERT INTO public.audit VALUES (45, 1795406970.3077374, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', 'b3bf8e66d72deaea96e3fc2504f7304f069731c8f5b237e6415a3fc43a12ce77', '110cd8a30f67f3c2d27423465a23ba0b16949abdb4581904551fc526c27b82b7');
INSERT INTO public.audit VALUES (46, 1795406970.3832211, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '110cd8a30f67f3c2d27423465a23ba0b16949abdb4581904551fc526c27b82b7', '07b238760a3a97a86949cff08eaef49bf4fdf6d23c7c3e108f2f15adada70574');
INSERT INTO public.audit VALUES (47, 1795406970.3909051, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '07b238760a3a97a86949cff08eaef49bf4fdf6d23c7c3e108f2f15adada70574', 'afd1dce0f42bd7d28a8d7b7b8c53195e3c75e4463d58116f7bffe588d6794932');
INSERT INTO public.audit VALUES (48, 1795406970.5133228, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABNGr9iBlDI4rhmN72M1tlrOHoMxvsCHOQ5MzZx6n2NdLlTWn5dkq\ncfdocvpUPxlBTHBVj/0icOuaG9sYcG6z6bSgADAKBggqhkjOPQQDAgNIADBFAiAo\nhGHHV8U3vu6R7gbps3xbUkapyW92oxV4rtPAnjIwngIhAPE5182EZ6aTWTIGXsj7\n1bIaFOV9qToJNtsjiCnaT32l\n-----END CERTIFICATE REQUEST-----\n"}', 'afd1dce0f42bd7d28a8d7b7b8c53195e3c75e4463d58116f7bffe588d6794932', 'd070c7026eb08a8c112f245016def83ed9b94d090128b29ff8c1e7f5f00a179e');
INSERT INTO public.audit VALUES (49, 1795406970.5322158, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', 'd070c7026eb08a8c112f245016def83ed9b94d090128b29ff8c1e7f5f00a179e', 'cff989bc564914bc383ae4b8bbe1de254b9b5653382bc1e7d6320c94b85a8ab2');
INSERT INTO public.audit VALUES (50, 1795406970.5432696, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', 'cff989bc564914bc383ae4b8bbe1de254b9b5653382bc1e7d6320c94b85a8ab2', 'a387940cd50c6df8f40a21935a56abf9d7c56d8a1821ea0029bfec922e6395ce');
INSERT INTO public.audit VALUES (51, 1795406970.5514338, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', 'a387940cd50c6df8f40a21935a56abf9d7c56d8a1821ea0029bfec922e6395ce', '51063f6aa827a2253217187c5c6fe20f08c74b4d4c08b1aa7bf279f714f96eca');
INSERT INTO public.audit VALUES (52, 1795406971.9522634, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', '51063f6aa827a2253217187c5c6fe20f08c74b4d4c08b1aa7bf279f714f96eca', 'ea0b78552d0ce871f6042a394e684a6ee8afce5fa1fe0a468ba93215d168003f');
INSERT INTO public.audit VALUES (53, 1795406976.2169063, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://postgres@127.0.0.1:45041/fleet_1', 0, '{"from": "/tmp/tmp9cu4sl7z/fleet/fleet.db"}', 'ea0b78552d0ce871f6042a394e684a6ee8afce5fa1fe0a468ba93215d168003f', 'e8a9c27e7403fe2508433351155d4ed6016ca66f4dfde5f2dd0821ccfcab4f18');
INSERT INTO public.audit_archived VALUES (1, '0b4d70aee5a8210605ce52f63b3aeccad3152b7db0d72ea8c7c595e94804a6d3');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795406960.6866643);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795406960.6866643);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795406960.918589);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795406960.918589);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795406960.6866643);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795406960.8278875);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795406960.8278875);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795406960.8278875);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795406960.918589);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795406960.918589);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795406960.918589);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795406961.1799924);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795406961.1799924);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795406961.1799924);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795406970.5494852, 'lost again');
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795406961.0709534, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795406961.0572212, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795406961.0709534, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795413600);
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.command VALUES ('1d8ed9473a304bce8ca4cb68c771bd34', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795406961.5631385, 1795406991.5631385, 1795406961.6842992);
INSERT INTO public.command VALUES ('c2c66c6656e5462cba7ad04086fb2803', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795406961.7709794, 1795407021.7709794, 1795406961.8682039);
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795406965.0325778);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795406961.4099212);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', '{}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', 0);
INSERT INTO public.device VALUES ('press-01', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor": "1"}', '{}', '{"floor": "1"}', 1795406964.9584167);
INSERT INTO public.device VALUES ('press-02', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-03', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-04', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device VALUES ('press-05', 1795406961.4099212, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0);
INSERT INTO public.device_certificate VALUES ('2bd48f17e125671842649a8537bb2abce95145fa', 'enrolled-1', 1795406970.4944534, 1803182970, 1795406970.5301611);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', 'in the north', 1795406961.5353184, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795406972.099688, 'boot-1', '', 1, 1795406972.099688, 'boot-1', 13, 3, '{}', 0, '[]', '[]', 0, 1795406964.9739063, '{"at":1795406964.9739063,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1, 1795406961.4099212);
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795406972.1532714, 'boot-1', '', 1, 1795406972.1532714, 'boot-1', 12, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795406961.4099212);
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795406972.250719, 'boot-1', '', 1, 1795406972.250719, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795406961.4099212);
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795406972.3042338, 'boot-1', '', 1, 1795406972.3042338, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795406961.4099212);
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795406972.401257, 'boot-1', '', 1, 1795406972.401257, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795406961.4099212);
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795406972.4546916, 'boot-1', '', 1, 1795406972.4546916, 'boot-1', 9, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795406961.4099212);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.615551}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795406962.6155567);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.616528}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795406962.6165342);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.617973}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795406962.6179779);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406964.9193995}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795406964.919408);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406964.7919765}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795406964.7919838);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795406965.037733}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795406965.0377395);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795406965.1744254}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795406965.1744354);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795406965.174602}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795406965.1746051);
INSERT INTO public.enrolment_token VALUES ('d9dd11c448e8', '5829b7daaaed1e8346b5a69bc0f69fb142c2112f9150ffe75b05f9354a5aa29c', '', '{"site": "north"}', 1795406970.3783724, 1795506970.3783724, 1795406970.4944534, 'enrolled-1', NULL);
INSERT INTO public.enrolment_token VALUES ('00b4c316bcee', 'd6e3cfd50f768f803f35630529922919df3033c0e1b1455d183ae7096483b4bc', '', '{"site": "north"}', 1795406970.3898573, 1795506970.3898573, NULL, '', NULL);
INSERT INTO public.event_d20780 VALUES (1, 'press-00', 1795406961.3881607, 1795406961.4099212, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795406961.3881607,"label":"person","count":0}');
INSERT INTO public.event_d20780 VALUES (2, 'press-00', 1795406961.3881621, 1795406961.4099212, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795406961.3881621,"label":"person","count":1}');
INSERT INTO public.event_d20780 VALUES (3, 'press-00', 1795406961.3881629, 1795406961.4099212, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795406961.3881629,"label":"person","count":2}');
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795406964.8103034, 'ada', 1795406964.8375237, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795406964.8522635, 'ada', 1795406964.8681462, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795406961.018473, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795406973.1600637, 1795406973.1600637, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, over the limit of -1", "value": 15.0, "began_at": 1795406970.2022364, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}', 'waiting', 1, 1795406981.0735455, 1795406970.2022364, '[Errno 111] Connection refused');
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795406973.1600637);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795406960.6866643, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795406960.8278875, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795406960.918589, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795406961.1799924, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate"}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$3KUDYegykwuEeOnOPi6Veg==$dP5FSm2zLnJwP8Xc+poNxC7ZvDLABS0e3MHxjh156sI=', 1795406959.5285647, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$ikWaJ9njfusV1NGmWGL6Iw==$1RdzdaM6sET2cvwN033b91zIW7BytsiQf/9GO7y5rVE=', 1795406960.6085434, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795406964.9086637);
INSERT INTO public.retention VALUES ('samples', 1795406960.0670657, 0, 0.0003001400000357535, '');
INSERT INTO public.retention VALUES ('events', 1795406960.0670657, 0, 0.0003396829997655004, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795406962.2990031, 1795406962.2990031, 1795406963.2817523, 1795406963.2817523, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795406963.3223445, 1795406963.3835988, 1795406965.03772, 1795406965.03772, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795406964.7088315, 1795406964.7088315, 1795406965.8319664, 1795406965.8319664, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795406964.7328992, NULL, 1795406964.7442756, 1795406964.7442756, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795406964.8103034, 1795406964.8103034, 1795406964.895744, 1795406964.895744, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795406964.8522635, 1795406964.8522635, 1795406964.895744, 1795406964.895744, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795406964.8824363, 1795406964.8824363, 1795406965.8319664, 1795406965.8319664, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406640, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406700, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406760, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406820, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406880, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795406940, '\x84ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795406400, '\x84ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('corpus', '09b9474a149c3cbafa2c5f0af4ec4c8d', 1795406973.2820797);
INSERT INTO public.session VALUES ('46bbd3d3ef703d4a952b40798a45bf94e2ad4c540c235137961bdcb1f3ab7b37', 'ada', 1795406959.91168, 1795406959.91168, 1796011759.91168, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795406960.6737916, 'ada');
INSERT INTO public.telemetry_d20780 VALUES (1, 'press-00', 1795406661.3881402, 1795406961.4099212, '{"at":1795406661.3881402,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20780 VALUES (2, 'press-00', 1795406721.388145, 1795406961.4099212, '{"at":1795406721.388145,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20780 VALUES (3, 'press-00', 1795406781.3881474, 1795406961.4099212, '{"at":1795406781.3881474,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20780 VALUES (4, 'press-00', 1795406841.3881495, 1795406961.4099212, '{"at":1795406841.3881495,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20780 VALUES (5, 'press-00', 1795406901.3881516, 1795406961.4099212, '{"at":1795406901.3881516,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20780 VALUES (6, 'press-00', 1795406964.9739063, 1795406965.0325778, '{"at":1795406964.9739063,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795406962.2990031, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795406962.2990031, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795406962.3599026, 'wave_running', 'Wave ''all'' began', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795406962.719927, 'wave_soaking', 'Wave ''all'' is done and being watched', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795406963.2817523, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); the limit is 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795406963.2817523, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795406963.3223445, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795406963.3835988, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795406963.4005291, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795406963.4129515, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795406963.4303002, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not done, left as they are', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795406963.4583259, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795406963.6421497, 'wave_running', 'Wave ''one'' began', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795406963.9959462, 'wave_soaking', 'Wave ''one'' is done and being watched', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795406964.5541415, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795406964.5541415, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795406964.5983248, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795406964.7088315, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795406964.7088315, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795406964.7328992, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795406964.7442756, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 3, 1795406964.764717, 'wave_running', 'Wave ''all'' began', 0, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795406964.8103034, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795406964.8103034, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795406964.8375237, 'aborting', 'Aborting: experiment 1 took a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795406964.8522635, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795406964.8522635, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795406964.8681462, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 7, 1795406964.8824363, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (30, 7, 1795406964.8824363, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 5, 1795406964.895744, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (32, 5, 1795406964.895744, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 6, 1795406964.895744, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (34, 6, 1795406964.895744, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 7, 1795406964.895744, 'wave_running', 'Wave ''all'' began', 0, NULL);
INSERT INTO public.timeline VALUES (36, 2, 1795406965.03772, 'device_rolled_back', 'press-00: rolled back: an operator rolled the rollout back; brought back to the version it ran before', 0, 'press-00');
INSERT INTO public.timeline VALUES (37, 2, 1795406965.03772, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 3, 1795406965.1074877, 'wave_soaking', 'Wave ''all'' is done and being watched', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795406965.2778828, 'wave_soaking', 'Wave ''all'' is done and being watched', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795406965.8319664, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 3, 1795406965.8319664, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795406965.8319664, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795406965.8319664, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.version_share VALUES (1795406700, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795406962.3599026, 1795406962.719927, 1795406963.2817523, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795406963.6421497, 1795406963.9959462, 1795406964.5541415, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795406963.4303002, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795406964.764717, 1795406965.1074877, 1795406965.8319664, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795406964.895744, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795406964.895744, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795406964.895744, 1795406965.2778828, 1795406965.8319664, 0, 0, false, NULL, false);
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
SELECT pg_catalog.setval('public.timeline_id_seq', 44, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795406701, false);
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
