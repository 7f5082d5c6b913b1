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
    acknowledged_by character varying NOT NULL,
    notified json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_id_seq OWNED BY public.alert.id;
CREATE TABLE public.alert_recipient (
    id bigint NOT NULL,
    name character varying NOT NULL,
    kind character varying NOT NULL,
    settings json NOT NULL,
    groups json NOT NULL,
    severities json NOT NULL,
    enabled boolean NOT NULL,
    since_at double precision NOT NULL,
    created_at double precision NOT NULL,
    created_by character varying NOT NULL
);
CREATE SEQUENCE public.alert_recipient_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_recipient_id_seq OWNED BY public.alert_recipient.id;
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
CREATE TABLE public.alert_snooze (
    id bigint NOT NULL,
    rule bigint,
    device_group character varying NOT NULL,
    device character varying NOT NULL,
    until_at double precision NOT NULL,
    reason character varying NOT NULL,
    created_at double precision NOT NULL,
    created_by character varying NOT NULL
);
CREATE SEQUENCE public.alert_snooze_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_snooze_id_seq OWNED BY public.alert_snooze.id;
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
    regressed character varying DEFAULT ''::character varying NOT NULL,
    controls bigint
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
CREATE TABLE public.camera_hour (
    device character varying NOT NULL,
    pipeline character varying NOT NULL,
    at bigint NOT NULL,
    seconds double precision NOT NULL,
    detections double precision NOT NULL
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
CREATE TABLE public.event_review (
    event bigint NOT NULL,
    verdict character varying NOT NULL,
    by character varying NOT NULL,
    at double precision NOT NULL
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
    error character varying NOT NULL,
    recipient bigint
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
CREATE TABLE public.request_key (
    hash character varying NOT NULL,
    who character varying NOT NULL,
    fingerprint character varying NOT NULL,
    owner character varying NOT NULL,
    made_at double precision NOT NULL,
    runs_until double precision NOT NULL,
    committed boolean NOT NULL,
    status bigint NOT NULL,
    answer character varying NOT NULL
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
ALTER TABLE ONLY public.alert_recipient ALTER COLUMN id SET DEFAULT nextval('public.alert_recipient_id_seq'::regclass);
ALTER TABLE ONLY public.alert_rule ALTER COLUMN id SET DEFAULT nextval('public.alert_rule_id_seq'::regclass);
ALTER TABLE ONLY public.alert_snooze ALTER COLUMN id SET DEFAULT nextval('public.alert_snooze_id_seq'::regclass);
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
INSERT INTO public.alembic_version VALUES ('0012');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795784084.806691, NULL, 1795784084.8644376, 'ada', '[]');
INSERT INTO public.alert_recipient VALUES (1, 'on call', 'ntfy', '{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}', '[]', '["critical"]', true, 1795784084.8854666, 1795784084.8854666, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795784144.8759453, 'ada', 1795784078.1078792, 'ada');
INSERT INTO public.alert_snooze VALUES (1, 1, '', '', 1795787684.9060347, 'the fan is replaced', 1795784084.9163246, 'ada');
INSERT INTO public.alert_snooze VALUES (2, NULL, '', 'press-00', 1795784084.9324534, 'moved', 1795784084.9274526, 'ada');
INSERT INTO public.api_token VALUES ('6f80e594f916', '16b9430fc4cfa5023bb4aa3498c5fd5915cea0f7c5d61c07b7d49b2c03155af7', 'ada', 'reads', 'admin', 1795784074.8011835, 1803560074.8011835, NULL, '[]');
INSERT INTO public.api_token VALUES ('0b275db849bc', 'fde2df64ee0d20b098fd44879cb76b5911feedcc34f7c09c2d3ef340341d49e1', 'ada', 'proposes', 'operator', 1795784085.1297607, 1803560085.1297607, 1795784085.1731539, '["propose"]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795784077.919582, false);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795784075.873954, false);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795784078.0887434, true);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '6:press-05:1:back', 6, 0.2, 10, false, 1795784078.0887434, false);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '6:press-03:1:back', 6, 0.2, 10, false, 1795784078.0887434, false);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '6:press-04:1:back', 6, 0.2, 10, false, 1795784078.0887434, false);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795784077.919582, false);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795784078.0887434, true);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795784075.873954, 1795784076.2257135, 1795784076.2257135, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795784076.9509661, 1795784078.2057276, 1795784078.2057276, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795784076.8950572, 1795784076.8950572, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795784077.919582, 1795784079.9233935, 1795784079.9233935, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795784077.9415233, 1795784077.9415233, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795784077.9415233, 1795784077.9415233, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795784078.030462, 1795784078.030462, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795784078.030462, 1795784078.030462, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795784078.030462, 1795784078.030462, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795784078.030462, 1795784078.0887434, 1795784078.0887434, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795784078.030462, 1795784078.0887434, 1795784078.0887434, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795784078.030462, 1795784078.0887434, 1795784078.0887434, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795784078.0887434, 1795784078.4459755, 1795784078.4459755, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795784074.5059335, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', 'e81c35a548213425ed9f7be206e5d72e4c32ab7e4b54694118e0f861480fd58f', 'b2290c21a404d10a318f309a8670a10a80640fe01ff02af8dcdcf3c5cbbde22f');
INSERT INTO public.audit VALUES (3, 1795784074.7696342, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', 'b2290c21a404d10a318f309a8670a10a80640fe01ff02af8dcdcf3c5cbbde22f', '1dbe73a2fd9fcc9b57d2edd721371e340a0b7960ce8b301c31afef55d5c2cf63');
INSERT INTO public.audit VALUES (4, 1795784074.7876976, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '1dbe73a2fd9fcc9b57d2edd721371e340a0b7960ce8b301c31afef55d5c2cf63', 'e92a844a38beb0c54bab29637dd181598cd18243b87740ddad02b5317c9adca9');
INSERT INTO public.audit VALUES (5, 1795784074.8028574, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', 'e92a844a38beb0c54bab29637dd181598cd18243b87740ddad02b5317c9adca9', '0902f5883ff1e3593826c7d175cd3cd43a02ca274ad4ef83783cb6a97089a3a0');
INSERT INTO public.audit VALUES (6, 1795784074.8243885, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '0902f5883ff1e3593826c7d175cd3cd43a02ca274ad4ef83783cb6a97089a3a0', '4f8e8d8b2552e2937687729305dbbf575fa1c04d9bb5e37bca207d1283038522');
INSERT INTO public.audit VALUES (7, 1795784074.8597598, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '4f8e8d8b2552e2937687729305dbbf575fa1c04d9bb5e37bca207d1283038522', '0eb6fb15a7005f21f557280519e221d6e04792ae923b4f168fe6add82a25a52c');
INSERT INTO public.audit VALUES (8, 1795784074.8824618, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '0eb6fb15a7005f21f557280519e221d6e04792ae923b4f168fe6add82a25a52c', '2d1988979d749f97e6c1d7378a45025749e21b63dc766262bda272db53a607c5');
INSERT INTO public.audit VALUES (9, 1795784074.896796, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '2d1988979d749f97e6c1d7378a45025749e21b63dc766262bda272db53a607c5', '334c84721de8f725f2d167a1ec15bc7c20af3eee40d4e25b0de1c3eec9610640');
INSERT INTO public.audit VALUES (10, 1795784074.921037, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/7270e71bb03081ffcce25b79ee09f199/finish', 201, '{}', '334c84721de8f725f2d167a1ec15bc7c20af3eee40d4e25b0de1c3eec9610640', 'd666ec98732c3300bbaa2de56b3ee132b7f13033c51b0d2ac15d2e6628e87d69');
INSERT INTO public.audit VALUES (11, 1795784074.943366, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'd666ec98732c3300bbaa2de56b3ee132b7f13033c51b0d2ac15d2e6628e87d69', 'b6314f2955810802e9b89a1e9dc10f5bd71445cd1f7570524f0a6c9b0a039c84');
INSERT INTO public.audit VALUES (12, 1795784074.9744194, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', 'b6314f2955810802e9b89a1e9dc10f5bd71445cd1f7570524f0a6c9b0a039c84', '765d92b92f16c501d20203213b11cc7531618a373c1ed413ca9872a9aee140a8');
INSERT INTO public.audit VALUES (13, 1795784074.9818578, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '765d92b92f16c501d20203213b11cc7531618a373c1ed413ca9872a9aee140a8', '46d12197ecc69a599c1240ac85d347415421cf03fe416d998509c04d88764b14');
INSERT INTO public.audit VALUES (14, 1795784075.0143204, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '46d12197ecc69a599c1240ac85d347415421cf03fe416d998509c04d88764b14', '3c207f02009e6f088da5fa2c6259ff55f5dc5fda45b776df839b9fc1735c4256');
INSERT INTO public.audit VALUES (15, 1795784075.0344512, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '3c207f02009e6f088da5fa2c6259ff55f5dc5fda45b776df839b9fc1735c4256', 'f9598227415921751e1978e44597d487a2e777d3f0b374f0c588d1b8fd395bc2');
INSERT INTO public.audit VALUES (16, 1795784075.1813178, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', 'f9598227415921751e1978e44597d487a2e777d3f0b374f0c588d1b8fd395bc2', 'c1ce073e2f2c2668e5023154d6c72af4e8c2347ffd4b3044716fa42953c52e39');
INSERT INTO public.audit VALUES (17, 1795784075.204322, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}', 'c1ce073e2f2c2668e5023154d6c72af4e8c2347ffd4b3044716fa42953c52e39', 'acc1810be1643f68b28e1bd5734500837eeddde6ca72f1c637bf0b047d7fb591');
INSERT INTO public.audit VALUES (18, 1795784075.2114713, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', 'acc1810be1643f68b28e1bd5734500837eeddde6ca72f1c637bf0b047d7fb591', '7750fecc11d7c62e255271c6cfb9412b4c75a8765f325f06184bc7b45d34a48c');
INSERT INTO public.audit VALUES (19, 1795784075.2225478, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '7750fecc11d7c62e255271c6cfb9412b4c75a8765f325f06184bc7b45d34a48c', 'dace47a09f9efcdb7a3914f78f0f0f90853475d28dd9f9a825cc590a86017764');
INSERT INTO public.audit VALUES (20, 1795784075.3485012, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'dace47a09f9efcdb7a3914f78f0f0f90853475d28dd9f9a825cc590a86017764', '0ceddcbc20eb99418f8b0ed50a2622f9c6d52477f19bc0e13be38ea0e6687629');
INSERT INTO public.audit VALUES (21, 1795784075.3595998, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '0ceddcbc20eb99418f8b0ed50a2622f9c6d52477f19bc0e13be38ea0e6687629', 'ec2c54d5041830b8e1e7a84400b94316c9341e2652dbeb0643a3bd20dd59f3fe');
INSERT INTO public.audit VALUES (22, 1795784075.4265966, 'ada', 'admin', 'session', '127.0.0.1', 'review_events', '/events/reviews', 200, '{"events": [3], "verdict": "confirmed"}', 'ec2c54d5041830b8e1e7a84400b94316c9341e2652dbeb0643a3bd20dd59f3fe', 'f72365972c4bcf38947119ce25ac0ae910ab5e6cf62dcee3a7223c1f3ef5bdf1');
INSERT INTO public.audit VALUES (23, 1795784075.4493687, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'f72365972c4bcf38947119ce25ac0ae910ab5e6cf62dcee3a7223c1f3ef5bdf1', 'a8b4f9b08c2fc5a4301dd9c837107c6095de8bc9c790c737b7d1400109afd5e9');
INSERT INTO public.audit VALUES (24, 1795784076.8401804, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', 'a8b4f9b08c2fc5a4301dd9c837107c6095de8bc9c790c737b7d1400109afd5e9', '8bdd3e63fd53409b94e481b655809d3e2a1a698d582bfbe085336fe58864d457');
INSERT INTO public.audit VALUES (25, 1795784076.8535237, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', '8bdd3e63fd53409b94e481b655809d3e2a1a698d582bfbe085336fe58864d457', '4dcfb8b93334b9291668704f1349c8e2a86ad0a5e944cdb2273528272f2559b7');
INSERT INTO public.audit VALUES (26, 1795784076.864063, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '4dcfb8b93334b9291668704f1349c8e2a86ad0a5e944cdb2273528272f2559b7', '9e0b7a602e5615f4de2fa924de97e7b2efab385e547443e4b4a22519e2d2aefe');
INSERT INTO public.audit VALUES (27, 1795784076.8755636, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '9e0b7a602e5615f4de2fa924de97e7b2efab385e547443e4b4a22519e2d2aefe', 'c4f940634aec1c734637977d2a90f12590effe3a1b015992631332e357cef574');
INSERT INTO public.audit VALUES (28, 1795784076.8880491, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'c4f940634aec1c734637977d2a90f12590effe3a1b015992631332e357cef574', '964d042a35e80e570ceec04e2d27e3a5ca51f9738eaa617152a7b075861d1229');
INSERT INTO public.audit VALUES (29, 1795784076.9027898, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '964d042a35e80e570ceec04e2d27e3a5ca51f9738eaa617152a7b075861d1229', 'b09f5233ee8d435540c5961ba20e0607728c7bed9285cced1a73b34fe3d529c9');
INSERT INTO public.audit VALUES (30, 1795784077.8649516, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', 'b09f5233ee8d435540c5961ba20e0607728c7bed9285cced1a73b34fe3d529c9', '49cfdc7ca3da386b23852eca1cc71f2122e4cfabf096a07cce89f3182fe83e6e');
INSERT INTO public.audit VALUES (31, 1795784077.9101539, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '49cfdc7ca3da386b23852eca1cc71f2122e4cfabf096a07cce89f3182fe83e6e', '904f7d61e3f0af6ab3f993b41d177bbdc0390be78c8a88818080876d16f89ad6');
INSERT INTO public.audit VALUES (32, 1795784077.9332137, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '904f7d61e3f0af6ab3f993b41d177bbdc0390be78c8a88818080876d16f89ad6', 'cc9b3042192d7222e99dd6d8b12c2a33110634132e26063af3e2dc3967a95d41');
INSERT INTO public.audit VALUES (33, 1795784077.9435663, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', 'cc9b3042192d7222e99dd6d8b12c2a33110634132e26063af3e2dc3967a95d41', '209baf052cfa438bbc5b0d33acdbafd198bd3bf9dd3a22aa2e3e74f1d1bc681d');
INSERT INTO public.audit VALUES (34, 1795784077.9925263, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '209baf052cfa438bbc5b0d33acdbafd198bd3bf9dd3a22aa2e3e74f1d1bc681d', '4978c5220a6116eea0f4c435bd916900a0579ef9470be57fd76c9847432e220c');
INSERT INTO public.audit VALUES (35, 1795784078.0070264, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '4978c5220a6116eea0f4c435bd916900a0579ef9470be57fd76c9847432e220c', '17f38982cba9aee0d2ab3a1d780915767cde2cd3f0d02c0a1649489c9d3b2c32');
INSERT INTO public.audit VALUES (36, 1795784078.0201252, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '17f38982cba9aee0d2ab3a1d780915767cde2cd3f0d02c0a1649489c9d3b2c32', 'fe95996e4e95189af7fec28afa7544f0620e5b101848affa9f127a754c1e60da');
INSERT INTO public.audit VALUES (37, 1795784078.0403507, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', 'fe95996e4e95189af7fec28afa7544f0620e5b101848affa9f127a754c1e60da', '5735b43d283731b3dc10ff3532ca7235d48ce2a2e613c50a8bd274f4109245b9');
INSERT INTO public.audit VALUES (38, 1795784078.057124, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', '5735b43d283731b3dc10ff3532ca7235d48ce2a2e613c50a8bd274f4109245b9', 'a2e0eca6c833b428d9df3992632835bb5f3d2a6242559326390fa5e52058cb87');
INSERT INTO public.audit VALUES (39, 1795784078.068293, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', 'a2e0eca6c833b428d9df3992632835bb5f3d2a6242559326390fa5e52058cb87', 'cc2ea1879e4906f7416c1d13b5c25503e5b611c9754b2a04b62b8310a8352780');
INSERT INTO public.audit VALUES (40, 1795784078.076807, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', 'cc2ea1879e4906f7416c1d13b5c25503e5b611c9754b2a04b62b8310a8352780', '30f5c78e117f3aed2426ee9d11118d4ab4c7da6bba35c36d6853b8e721564813');
INSERT INTO public.audit VALUES (41, 1795784078.08358, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '30f5c78e117f3aed2426ee9d11118d4ab4c7da6bba35c36d6853b8e721564813', 'cb3db5f56457f8139afe036a80d540a59b6e233d62956187b4fa6c56bbac7afa');
INSERT INTO public.audit VALUES (42, 1795784078.0963187, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', 'cb3db5f56457f8139afe036a80d540a59b6e233d62956187b4fa6c56bbac7afa', 'd0f0369f871f0801a1cf8d0279a23ef1512b694c9b395fb3f637446b20a9ab2b');
INSERT INTO public.audit VALUES (43, 1795784078.1086068, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', 'd0f0369f871f0801a1cf8d0279a23ef1512b694c9b395fb3f637446b20a9ab2b', 'f7b2a652ac17a07c2efef481f5c1aa8917d6007ed1f96ccc95b1e3bafe5b61a7');
INSERT INTO public.audit VALUES (44, 1795784084.8645427, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'f7b2a652ac17a07c2efef481f5c1aa8917d6007ed1f96ccc95b1e3bafe5b61a7', 'd0fab71a8c009f731db7f579fe0ec911214887676bed521c68c88699af4e6dfb');
INSERT INTO public.audit VALUES (45, 1795784084.8703973, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}', 'd0fab71a8c009f731db7f579fe0ec911214887676bed521c68c88699af4e6dfb', '90535ddf630af6edfacb009935f6e3bb2b79fce939caee9b99c27f705af92ca2');
INSERT INTO public.audit VALUES (46, 1795784084.8762434, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '90535ddf630af6edfacb009935f6e3bb2b79fce939caee9b99c27f705af92ca2', 'b90c57b8e04a46465c1b631e1af12e691a8197033ec632e0e3b7f6051a61defb');
INSERT INTO public.audit VALUES (70, 1795784085.243028, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', 'd48dfa6e4a0378c469cd4bdc5fbc3e63513ebb88441e5fd99add7023e7fa1425', '213c349e59c792d230a15ef40011b40f7b7d4378604f8a544596ff74c99003ba');
INSERT INTO public.audit VALUES (47, 1795784084.8857584, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}', 'b90c57b8e04a46465c1b631e1af12e691a8197033ec632e0e3b7f6051a61defb', '17cb26a45a1fdce03544c4d865776f9c9da9a60eb515d2e8d4493c17cf5d428c');
INSERT INTO public.audit VALUES (48, 1795784084.8923843, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_recipient', '/alert-recipients/1', 200, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}', '17cb26a45a1fdce03544c4d865776f9c9da9a60eb515d2e8d4493c17cf5d428c', 'a3497489b1591db0b6fafba75ddf08d61267d305ab70d873efc0ac9570e36fe4');
INSERT INTO public.audit VALUES (49, 1795784084.8998652, 'ada', 'admin', 'session', '127.0.0.1', 'test_alert_recipient', '/alert-recipients/1/test', 200, '{}', 'a3497489b1591db0b6fafba75ddf08d61267d305ab70d873efc0ac9570e36fe4', '684dd3bec1ffe8961912bee0a2b5910f47bf2b0e046bc74d5e99f8b10d93b260');
INSERT INTO public.audit VALUES (50, 1795784084.9168673, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"rule": 1, "until_at": 1795787684.9060347, "reason": "the fan is replaced"}', '684dd3bec1ffe8961912bee0a2b5910f47bf2b0e046bc74d5e99f8b10d93b260', 'f2aa158f331ecd792e2461d9dd74723112f1bc4f403cee31ae925b3b32d45e6f');
INSERT INTO public.audit VALUES (51, 1795784084.9280767, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"device": "press-00", "until_at": 1795787684.9247565, "reason": "moved"}', 'f2aa158f331ecd792e2461d9dd74723112f1bc4f403cee31ae925b3b32d45e6f', '619f5d5be8ab717c1cc8fbfebe3e7be21916879cf75e9769cfe2a3a99a2fc62a');
INSERT INTO public.audit VALUES (52, 1795784084.9324973, 'ada', 'admin', 'session', '127.0.0.1', 'end_alert_snooze', '/alert-snoozes/2', 204, '{}', '619f5d5be8ab717c1cc8fbfebe3e7be21916879cf75e9769cfe2a3a99a2fc62a', '6e1ab345ae39cb7b80d980c8958415a38beb9566715a80cdde90cc79ca4de58e');
INSERT INTO public.audit VALUES (53, 1795784084.9389398, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "second", "kind": "email", "emails": ["ops@example.org"]}', '6e1ab345ae39cb7b80d980c8958415a38beb9566715a80cdde90cc79ca4de58e', 'c5c34402ae2d6eb539470ddb523dc43bc1e9da0bf53b3aae4c21e652cb25672d');
INSERT INTO public.audit VALUES (54, 1795784084.9426165, 'ada', 'admin', 'session', '127.0.0.1', 'delete_alert_recipient', '/alert-recipients/2', 204, '{}', 'c5c34402ae2d6eb539470ddb523dc43bc1e9da0bf53b3aae4c21e652cb25672d', 'a500ff1d7838c69377aef35b32e1b93532dc77e1f200a3ae0f825f2456e1c6e7');
INSERT INTO public.audit VALUES (55, 1795784084.9614828, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', 'a500ff1d7838c69377aef35b32e1b93532dc77e1f200a3ae0f825f2456e1c6e7', '36962a5452d82974933c84c71f6f1719cb7600ea1ba31a00f13640689b736474');
INSERT INTO public.audit VALUES (56, 1795784084.9926772, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', '36962a5452d82974933c84c71f6f1719cb7600ea1ba31a00f13640689b736474', 'ddb838d01469ce4d79fc709fb8c2fb63df6f1dd759e8dfe7eb9e4a9fe9cbad3d');
INSERT INTO public.audit VALUES (57, 1795784085.015953, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABJKxgAxUECXznZXMnkzHfWdZ1nzuIVcLRkFVUDdb69wQ6Uo+68PMQ5cW\nvxcBfffUsNh70Gyw/QQflWrZ6a3PMDOgADAKBggqhkjOPQQDAgNJADBGAiEAi4WT\ngmtENwF6E8Zpk6LQJFPSwGxiwwdE6rhpFXCS/hMCIQD8tI1EGdCYXYPgTFIwsemZ\nQfJ7hFi1USiqHJ+5L53ndA==\n-----END CERTIFICATE REQUEST-----\n"}', 'ddb838d01469ce4d79fc709fb8c2fb63df6f1dd759e8dfe7eb9e4a9fe9cbad3d', '57bcd9a2f1ded0bdcd2a0af9d06a04c8aa05ae363663bdc3a2c3787c48ef3663');
INSERT INTO public.audit VALUES (58, 1795784085.0275261, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABII2RoFBkvXfNR0ONCkWWNbyTRtF4Yv9eNq3Fg6dfXGToPillj0IX10y\n0yBr1h6SmAQX3Vf6P66xDlSDc0uysUigADAKBggqhkjOPQQDAgNIADBFAiBklFDv\nco749aBY8T2nP4Li0EsZHzs+KzO8Vk/sS/wvDAIhANKcWe+Aujw+PbXeSNzlGaau\n+bEfzcY5LbRFVuuXRCvf\n-----END CERTIFICATE REQUEST-----\n"}', '57bcd9a2f1ded0bdcd2a0af9d06a04c8aa05ae363663bdc3a2c3787c48ef3663', '8bd82e93780cee400b7dca979d3048ff755f91f636492e72af4174cc21de62ff');
INSERT INTO public.audit VALUES (59, 1795784085.0431345, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', '8bd82e93780cee400b7dca979d3048ff755f91f636492e72af4174cc21de62ff', '80e36045b15bf3a9f11fd446f592ed4adf39fa8e47ab6fb91d17284258b33af4');
INSERT INTO public.audit VALUES (60, 1795784085.05047, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '80e36045b15bf3a9f11fd446f592ed4adf39fa8e47ab6fb91d17284258b33af4', '3a11c831fac746d7be31a4c35e696ea20f0ae5559b652dee0b3d6bbbc6fc4180');
INSERT INTO public.audit VALUES (61, 1795784085.0579193, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '3a11c831fac746d7be31a4c35e696ea20f0ae5559b652dee0b3d6bbbc6fc4180', '0e3ea5fc650a80c46a018e1e30d2518458b6e89139da22cca0de9f3c36297c45');
INSERT INTO public.audit VALUES (62, 1795784085.081911, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHOMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABC+SiYPp/X+jansuPmIttn9n3EAH3WDgBxOESy837yI5n+qVjeTT\nV4RlDDvAr2E635M6nQpyllG9YaMt4bBXhZOgADAKBggqhkjOPQQDAgNHADBEAiAc\nmwPYq1WCCsE6tynRsT5sWS4EaVjGIFWjN/x3axkB/AIgYOJbigwGq0VS7r+30BD6\nQw4dcAFkmzYD3YpKZcfeXYo=\n-----END CERTIFICATE REQUEST-----\n"}', '0e3ea5fc650a80c46a018e1e30d2518458b6e89139da22cca0de9f3c36297c45', 'e483b6b4c44fc7e39618e1b8fe7592019d7193d36a5c4e30027a05487885a377');
INSERT INTO public.audit VALUES (63, 1795784085.0976412, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', 'e483b6b4c44fc7e39618e1b8fe7592019d7193d36a5c4e30027a05487885a377', '614eb5791b7e949e8d9f9ee97850684ad996f6ed9fd406b41e16cec50bdadc7f');
INSERT INTO public.audit VALUES (64, 1795784085.1100147, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', '614eb5791b7e949e8d9f9ee97850684ad996f6ed9fd406b41e16cec50bdadc7f', '0b3267c01c8588cc9ec4585ee184e03c1cbf984745e6233b9d483cbf33c0891c');
INSERT INTO public.audit VALUES (65, 1795784085.1181152, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', '0b3267c01c8588cc9ec4585ee184e03c1cbf984745e6233b9d483cbf33c0891c', '5a23412900628a0c6aad2ebb1f7eb36038e30420f2f7303452b0b0357696ae74');
INSERT INTO public.audit VALUES (66, 1795784085.1310618, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', '5a23412900628a0c6aad2ebb1f7eb36038e30420f2f7303452b0b0357696ae74', '10024c0f91701a86a7f579c2c5527e61af32cb7560d71fbd51d8900b83808a63');
INSERT INTO public.audit VALUES (67, 1795784085.1944678, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', '10024c0f91701a86a7f579c2c5527e61af32cb7560d71fbd51d8900b83808a63', '87ca8345ec4444144b6f391b10b436b4fc7f1cd1e5f4294924a360bc8dccdfbb');
INSERT INTO public.audit VALUES (68, 1795784085.2107692, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', '87ca8345ec4444144b6f391b10b436b4fc7f1cd1e5f4294924a360bc8dccdfbb', '4b304c2d4fe7322004b5af728c32dd27ddf85e01109a37b1355d005207c3618c');
INSERT INTO public.audit VALUES (69, 1795784085.2215178, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', '4b304c2d4fe7322004b5af728c32dd27ddf85e01109a37b1355d005207c3618c', 'd48dfa6e4a0378c469cd4bdc5fbc3e63513ebb88441e5fd99add7023e7fa1425');
INSERT INTO public.audit VALUES (71, 1795784085.2492523, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', '213c349e59c792d230a15ef40011b40f7b7d4378604f8a544596ff74c99003ba', 'e65555001093a715f0dc7eed5fab00eb213020bbf1e33f7d0b2714bf2771db0c');
INSERT INTO public.audit VALUES (72, 1795784085.2624288, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', 'e65555001093a715f0dc7eed5fab00eb213020bbf1e33f7d0b2714bf2771db0c', '58983c487c94022985a29b8bbf83c735011ec8144b6ea4ade5dbc8ca06ebfe7d');
INSERT INTO public.audit VALUES (73, 1795784085.8598723, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', '58983c487c94022985a29b8bbf83c735011ec8144b6ea4ade5dbc8ca06ebfe7d', 'cbd2a0402b0cb962e2021aadb7e9817a94bd61cf81472cb9e397861c66249027');
INSERT INTO public.audit VALUES (74, 1795784088.9797919, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:47435/fleet_1', 0, '{"from": "/tmp/tmpfj61ai47/fleet/fleet.db"}', 'cbd2a0402b0cb962e2021aadb7e9817a94bd61cf81472cb9e397861c66249027', 'c36955daa2ad467520deb126740f1183bfc832e0bd7dff4142a818a9464a2906');
INSERT INTO public.audit_archived VALUES (1, 'e81c35a548213425ed9f7be206e5d72e4c32ab7e4b54694118e0f861480fd58f');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795784074.8377066);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795784074.8377066);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795784074.9111319);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795784074.9111319);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795784074.8377066);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795784074.872792);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795784074.872792);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795784074.872792);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795784074.9111319);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795784074.9111319);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795784074.9111319);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795784075.0262077);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795784075.0262077);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795784075.0262077);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795784085.1160038, 'lost again');
INSERT INTO public.camera_hour VALUES ('press-00', 'hall', 1795780800, 6, 0);
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795784074.9795072, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795784074.970235, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795784074.9795072, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795788000);
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.command VALUES ('ad75bfa7bf78469fbe4e12daca519abe', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795784075.2206426, 1795784105.2206426, 1795784075.3197727);
INSERT INTO public.command VALUES ('f96fb7d60d62492f9e9da95eabafb769', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795784075.3477712, 1795784135.3477712, 1795784075.4509141);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795784075.2096865, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795784078.1363297);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795784075.117128);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 4, '{"device":"press-05","generation":4,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-05:1:back"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":0.2}}', 4);
INSERT INTO public.desired VALUES ('press-03', 3, '{"device":"press-03","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-03:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.desired VALUES ('press-04', 3, '{"device":"press-04","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-04:1:back"}},"policy":{"trial_s":0.2}}', 3);
INSERT INTO public.device VALUES ('press-00', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', '{}', '{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor": "1"}', '{}', '{"floor": "1"}', 1795784078.096069, '[]');
INSERT INTO public.device VALUES ('press-02', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795784075.117128, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_certificate VALUES ('9f65ac3dbb2ece0aadbd3fa305d84b9c8847e93', 'enrolled-1', 1795784085.0729363, 1803560085, 1795784085.095369);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}', 'in the north', 1795784075.201054, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795784085.2471886, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795784085.9508214, 'boot-1', '', 1, 1795784085.9508214, 'boot-1', 13, 3, '{}', 10000000000, '[]', '[]', 0, 1795784078.113323, '{"at":1795784078.113323,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1, 1795784075.117128);
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795784086.0063546, 'boot-1', '', 1, 1795784086.0063546, 'boot-1', 12, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795784075.117128);
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795784086.105346, 'boot-1', '', 1, 1795784086.105346, 'boot-1', 5, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795784075.117128);
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795784086.1576252, 'boot-1', '', 1, 1795784086.1576252, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795784075.117128);
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795784086.2097938, 'boot-1', '', 1, 1795784086.2097938, 'boot-1', 10, 3, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795784075.117128);
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795784086.2651944, 'boot-1', '', 1, 1795784086.2651944, 'boot-1', 14, 4, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1, 1795784075.117128);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795784076.1224988}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795784076.1225078);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795784078.1790357}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795784078.179042);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.2568448}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '6:press-04:1', 'none', '', 0, 0, 1795784078.256854);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.303266}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '6:press-03:1', 'none', '', 0, 0, 1795784078.3032756);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795784078.3437357}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795784078.3437424);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.3439167}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795784078.343919);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.2590725}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '6:press-05:1', 'none', '', 0, 0, 1795784078.2590764);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795784079.820505}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795784079.8205214);
INSERT INTO public.enrolment_request VALUES ('image-1', '512990c75621', '2db87b79c1f102b9201b999300d8bbeda9c934a97953fc0c9e9b390aa34c8501', 'approved', 1795784085.0054038, 1795784085.0054038, 1795784085.040684, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '512990c75621', 'f072d2c775f1271c5a8c051055430e27269cd2b00f7ff7c6ba75880b9b82cc97', 'waiting', 1795784085.0229282, 1795784085.0229282, NULL, '');
INSERT INTO public.enrolment_token VALUES ('512990c75621', '374e19c760ed0254651a67be89bfc651372cacc2236af6df3d34393fd9de4d3e', '', '{}', 1795784084.9900923, 1795884084.9900923, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('376944ea3dde', '90d17ac920f3eda7d1ecf204b94e1915452e8254289177da16676e63ebab7b20', '', '{"site": "north"}', 1795784085.049091, 1795884085.049091, 1795784085.0729363, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('f821503e8d70', 'aaabc68b1956253b5137a0e6807522f7592571c3759ceb53f6dd921083ce8bc2', '', '{"site": "north"}', 1795784085.0565515, 1795884085.0565515, NULL, '', NULL, 1, 0, false);
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795784075.0743136, 1795784075.117128, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795784075.0743136,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795784075.074315, 1795784075.117128, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795784075.074315,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795784075.0743158, 1795784075.117128, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795784075.0743158,"label":"person","count":2}');
INSERT INTO public.event_review VALUES (3, 'confirmed', 'ada', 1795784075.42649);
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795784077.9860928, 'ada', 1795784078.0049596, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795784078.0144658, 'ada', 1795784078.0388267, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795784074.9395843, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795784086.682456, 1795784086.682456, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795784084.806691, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}', 'waiting', 1, 1795784095.7738287, 1795784084.806691, 'Connection refu(hidden)ed', NULL);
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795784086.682456);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795784074.8377066, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795784074.872792, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795784074.9111319, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795784075.0262077, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$eK+am9fD8ILtL29L/BedkQ==$ph3ohiaww41MzgnfH2ryVFYVZ3U9807iEsrPivsaS00=', 1795784073.9646509, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$ZDpxzD+VLJWguLqimWLZAA==$FtRxG9hoNaeZDjKUfa1D8BcJc3GYBlsz3rfrQFPSSKQ=', 1795784074.7684734, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795784078.06812);
INSERT INTO public.proposal VALUES (1, 'approved', '0b275db849bc', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795784085.184718, 1796388885.184718, 1795784085.241486, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', '0b275db849bc', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795784085.2084517, 1796388885.2084517, 1795784085.2618806, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', '0b275db849bc', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795784085.2183712, 1796388885.2183712, NULL, '', '', 0, '');
INSERT INTO public.request_key VALUES ('a32dc5b890aee6382120c5b93aa6080bb600f5e361c364948818a506f5734413', '773dd51fd69dd84c1651f5cd32216a55cc783eccb503fb257258bca41dba4779', 'bbc16cb23d6824048572cd890b58c7fc452abd94a86c57de48344d4a19c100d5', '3ed9cf71ac2c49a6', 1795784084.9079714, 1795784204.9079714, true, 201, 'ZXz10fF5z6wisqdWaBLjJKBVQbvF/qajfBMq41A1/BXdSNOO8loOQCG8rjBmpy+7rCe5dKDRxLc6plbq/wQYKpNwhwr4Lewel/48glXLgTXO58+9LM+dcSZClDPcsv+kWO1VgkS2TVzzgh/kejrq24fiV9d03RYf7Iml3/gzvX7FNjT9Kuxxluxr36xYXsvi9P23wb3ljEijeTVra48TZt/+dbHnzH6YA6Xt7r69IRdeYh8fEuufhJyG/Iyi1cB2WN+xpCu4YzRrrBmB1zCuMjPmxlKLiCit7tpvXHU5O5AlDdMMbmCmWxUSeMhELSkKKA0ioO3IzlFKQXEuUZGSOL5oradakJk/RrHSssVxGiNZVxq4FOW2/73oWaCJvqHx6XlUohN0n+DGmoGPbT4/gOy0b6TLodwGK+3ns2haeXlUNkUZCev0');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795784086.682456, 1795784386.682456, 0);
INSERT INTO public.retention VALUES ('samples', 1795784074.770345, 0, 0.00035540599492378533, '');
INSERT INTO public.retention VALUES ('events', 1795784074.770345, 0, 0.0018238720003864728, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795784075.4441097, 1795784075.4441097, 1795784076.7784743, 1795784076.7784743, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795784076.8375943, 1795784076.8502905, 1795784078.2057276, 1795784078.2057276, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795784077.9074488, 1795784077.9074488, 1795784080.4770217, 1795784080.4770217, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795784077.9319115, NULL, 1795784077.9415233, 1795784077.9415233, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795784077.9860928, 1795784077.9860928, 1795784078.030462, 1795784078.030462, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795784078.0144658, 1795784078.0144658, 1795784078.0887434, 1795784078.0887434, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795784078.054583, 1795784078.054583, 1795784078.9985518, 1795784078.9985518, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795783740, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795783800, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795783860, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795783920, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795783980, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795784040, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795780800, '\x85ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406b4646574656374696f6e735f7065725f6672616d659506cb0000000000000000cb0000000000000000cb000000000000000081d1800006af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', 'a2f45a4de3cbb255403dc300d8baba65', 1795784073.6825602);
INSERT INTO public.secret VALUES ('web push', 'a5197f8450d43dffbaa978dbbba9fa95', 1795784073.686992);
INSERT INTO public.secret VALUES ('corpus', 'b7f61dfe19abe378bab85932b64ebf27', 1795784086.7244682);
INSERT INTO public.session VALUES ('773dd51fd69dd84c1651f5cd32216a55cc783eccb503fb257258bca41dba4779', 'ada', 1795784074.2455447, 1795784074.2455447, 1796388874.2455447, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795784074.8228323, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795783775.0742967, 1795784075.117128, '{"at":1795783775.0742967,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795783835.0743, 1795784075.117128, '{"at":1795783835.0743,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795783895.0743024, 1795784075.117128, '{"at":1795783895.0743024,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795783955.0743046, 1795784075.117128, '{"at":1795783955.0743046,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795784015.0743062, 1795784075.117128, '{"at":1795784015.0743062,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795784078.113323, 1795784078.1363297, '{"at":1795784078.113323,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795784075.4441097, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795784075.4441097, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795784075.873954, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795784076.2257135, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795784076.7784743, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795784076.7784743, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795784076.8375943, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795784076.8502905, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795784076.862765, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795784076.872742, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795784076.8855422, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795784076.9009418, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795784076.9509661, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795784077.2918413, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795784077.8444421, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795784077.8444421, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795784077.86349, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795784077.9074488, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795784077.9074488, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 3, 1795784077.919582, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795784077.9319115, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 4, 1795784077.9415233, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795784077.9860928, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795784077.9860928, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795784078.0049596, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795784078.0144658, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795784078.0144658, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 5, 1795784078.030462, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795784078.030462, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (30, 6, 1795784078.030462, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (31, 6, 1795784078.0388267, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (32, 7, 1795784078.054583, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 7, 1795784078.054583, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (34, 6, 1795784078.0887434, 'wave_failed', 'Wave ''all'' failed: stopped', 0, NULL);
INSERT INTO public.timeline VALUES (35, 6, 1795784078.0887434, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (36, 7, 1795784078.0887434, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (37, 2, 1795784078.2057276, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (38, 2, 1795784078.2057276, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795784078.4459755, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 7, 1795784078.9985518, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 7, 1795784078.9985518, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 3, 1795784079.9233935, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (43, 3, 1795784080.4770217, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (44, 3, 1795784080.4770217, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.version_share VALUES (1795783800, '[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795784075.873954, 1795784076.2257135, 1795784076.7784743, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795784076.9509661, 1795784077.2918413, 1795784077.8444421, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795784076.8855422, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795784077.919582, 1795784079.9233935, 1795784080.4770217, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795784078.030462, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'failed', 3, 1795784078.030462, NULL, 1795784078.0887434, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795784078.0887434, 1795784078.4459755, 1795784078.9985518, 0, 0, false, NULL, false);
SELECT pg_catalog.setval('public.alert_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_recipient_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_snooze_id_seq', 3, false);
SELECT pg_catalog.setval('public.audit_archived_seq_seq', 2, false);
SELECT pg_catalog.setval('public.audit_seq_seq', 74, false);
SELECT pg_catalog.setval('public.channel_change_id_seq', 3, false);
SELECT pg_catalog.setval('public.event_id_seq', 4, false);
SELECT pg_catalog.setval('public.experiment_id_seq', 3, false);
SELECT pg_catalog.setval('public.measurement_id_seq', 2, false);
SELECT pg_catalog.setval('public.notice_id_seq', 2, false);
SELECT pg_catalog.setval('public.proposal_id_seq', 4, false);
SELECT pg_catalog.setval('public.rollout_id_seq', 8, false);
SELECT pg_catalog.setval('public.telemetry_id_seq', 7, false);
SELECT pg_catalog.setval('public.timeline_id_seq', 45, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795783801, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT alert_recipient_name_key UNIQUE (name);
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT alert_recipient_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_rule
    ADD CONSTRAINT alert_rule_name_key UNIQUE (name);
ALTER TABLE ONLY public.alert_rule
    ADD CONSTRAINT alert_rule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_snooze
    ADD CONSTRAINT alert_snooze_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.camera_hour
    ADD CONSTRAINT camera_hour_pkey PRIMARY KEY (device, pipeline, at);
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
ALTER TABLE ONLY public.event_review
    ADD CONSTRAINT event_review_pkey PRIMARY KEY (event);
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
ALTER TABLE ONLY public.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (hash);
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
CREATE INDEX alert_snooze_rule ON public.alert_snooze USING btree (rule);
CREATE INDEX alert_snooze_until ON public.alert_snooze USING btree (until_at);
CREATE INDEX attempt_device ON public.attempt USING btree (device, rollout);
CREATE INDEX attempt_ended ON public.attempt USING btree (state, finished_at);
CREATE INDEX attempt_offered ON public.attempt USING btree (rollout, offered_at);
CREATE INDEX attempt_open ON public.attempt USING btree (rollout, open);
CREATE INDEX attempt_rollout ON public.attempt USING btree (rollout, wave, state);
CREATE INDEX camera_hour_at ON public.camera_hour USING btree (at);
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
CREATE INDEX ix_request_key_made_at ON public.request_key USING btree (made_at);
CREATE INDEX ix_request_key_who ON public.request_key USING btree (who);
CREATE INDEX ix_rollout_package ON public.rollout USING btree (package);
CREATE INDEX ix_rollout_state ON public.rollout USING btree (state);
CREATE INDEX ix_session_expires_at ON public.session USING btree (expires_at);
CREATE INDEX ix_session_user ON public.session USING btree ("user");
CREATE INDEX ix_timeline_rollout ON public.timeline USING btree (rollout);
CREATE INDEX measurement_package ON public.measurement USING btree (package, profile);
CREATE INDEX notice_due ON public.notice USING btree (state, due_at);
CREATE INDEX notice_recipient ON public.notice USING btree (recipient);
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
ALTER TABLE ONLY public.alert_snooze
    ADD CONSTRAINT alert_snooze_rule_fkey FOREIGN KEY (rule) REFERENCES public.alert_rule(id);
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
