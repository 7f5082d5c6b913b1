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
    scopes json DEFAULT '[]'::json NOT NULL,
    groups json DEFAULT '[]'::json NOT NULL
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
    atomic boolean DEFAULT false NOT NULL,
    shadow_s double precision DEFAULT 0 NOT NULL,
    shadow_agreement_percent_min double precision DEFAULT 0 NOT NULL
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
CREATE TABLE public.bill_component (
    bill character varying NOT NULL,
    kind character varying NOT NULL,
    name character varying NOT NULL,
    version character varying NOT NULL
);
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
CREATE TABLE public.device_bill (
    id bigint NOT NULL,
    device character varying NOT NULL,
    bill character varying NOT NULL,
    since_at double precision NOT NULL,
    until_at double precision
);
CREATE SEQUENCE public.device_bill_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.device_bill_id_seq OWNED BY public.device_bill.id;
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
    births_at double precision DEFAULT 0 NOT NULL,
    authorities json DEFAULT '[]'::json NOT NULL
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
CREATE TABLE public.enrolled_labels (
    device character varying NOT NULL,
    labels json NOT NULL,
    at double precision NOT NULL
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
CREATE TABLE public.environment_bill (
    digest character varying NOT NULL,
    received_at double precision,
    ask_at double precision NOT NULL,
    tries bigint NOT NULL,
    refused bigint NOT NULL,
    left_out bigint NOT NULL,
    content character varying NOT NULL
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
CREATE TABLE public.event_d20785 (
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
CREATE TABLE public.telemetry_d20785 (
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
CREATE TABLE public.user_grant (
    "user" character varying NOT NULL,
    device_group character varying NOT NULL,
    role character varying NOT NULL
);
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
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_d20785 FOR VALUES FROM ('1795824000') TO ('1795910400');
ALTER TABLE ONLY public.event ATTACH PARTITION public.event_default DEFAULT;
ALTER TABLE ONLY public.telemetry ATTACH PARTITION public.telemetry_d20785 FOR VALUES FROM ('1795824000') TO ('1795910400');
ALTER TABLE ONLY public.telemetry ATTACH PARTITION public.telemetry_default DEFAULT;
ALTER TABLE ONLY public.alert ALTER COLUMN id SET DEFAULT nextval('public.alert_id_seq'::regclass);
ALTER TABLE ONLY public.alert_recipient ALTER COLUMN id SET DEFAULT nextval('public.alert_recipient_id_seq'::regclass);
ALTER TABLE ONLY public.alert_rule ALTER COLUMN id SET DEFAULT nextval('public.alert_rule_id_seq'::regclass);
ALTER TABLE ONLY public.alert_snooze ALTER COLUMN id SET DEFAULT nextval('public.alert_snooze_id_seq'::regclass);
ALTER TABLE ONLY public.audit ALTER COLUMN seq SET DEFAULT nextval('public.audit_seq_seq'::regclass);
ALTER TABLE ONLY public.audit_archived ALTER COLUMN seq SET DEFAULT nextval('public.audit_archived_seq_seq'::regclass);
ALTER TABLE ONLY public.channel_change ALTER COLUMN id SET DEFAULT nextval('public.channel_change_id_seq'::regclass);
ALTER TABLE ONLY public.device_bill ALTER COLUMN id SET DEFAULT nextval('public.device_bill_id_seq'::regclass);
ALTER TABLE ONLY public.event ALTER COLUMN id SET DEFAULT nextval('public.event_id_seq'::regclass);
ALTER TABLE ONLY public.experiment ALTER COLUMN id SET DEFAULT nextval('public.experiment_id_seq'::regclass);
ALTER TABLE ONLY public.measurement ALTER COLUMN id SET DEFAULT nextval('public.measurement_id_seq'::regclass);
ALTER TABLE ONLY public.notice ALTER COLUMN id SET DEFAULT nextval('public.notice_id_seq'::regclass);
ALTER TABLE ONLY public.proposal ALTER COLUMN id SET DEFAULT nextval('public.proposal_id_seq'::regclass);
ALTER TABLE ONLY public.rollout ALTER COLUMN id SET DEFAULT nextval('public.rollout_id_seq'::regclass);
ALTER TABLE ONLY public.telemetry ALTER COLUMN id SET DEFAULT nextval('public.telemetry_id_seq'::regclass);
ALTER TABLE ONLY public.timeline ALTER COLUMN id SET DEFAULT nextval('public.timeline_id_seq'::regclass);
ALTER TABLE ONLY public.version_share ALTER COLUMN at SET DEFAULT nextval('public.version_share_at_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0019');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795825084.4657428, NULL, 1795825084.520678, 'ada', '["http://127.0.0.1:9/hook"]');
INSERT INTO public.alert_recipient VALUES (1, 'on call', 'ntfy', '{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}', '[]', '["critical"]', true, 1795825084.570741, 1795825084.570741, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795825144.5531955, 'ada', 1795825083.1727347, 'ada');
INSERT INTO public.alert_snooze VALUES (1, 1, '', '', 1795828684.607988, 'the fan is replaced', 1795825084.6233172, 'ada');
INSERT INTO public.alert_snooze VALUES (2, NULL, '', 'press-00', 1795825084.6897619, 'moved', 1795825084.6720376, 'ada');
INSERT INTO public.api_token VALUES ('cb6d8c18d698', '48a20607dc5c3f85eb26ae9fa56e75423677eb31998d1bf9bff72f596a79a7ba', 'ada', 'reads', 'admin', 1795825075.1245768, 1803601075.1245768, NULL, '[]', '[]');
INSERT INTO public.api_token VALUES ('d230c69b1f14', '48d74ec17c69404fa2a206e8e552e8019dfb8fba51feccc5c422d139de6a3bef', 'ada', 'proposes', 'operator', 1795825085.5244117, 1803601085.5244117, 1795825085.5591066, '["propose"]', '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795825082.910078, false, 0, 0);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795825080.8087127, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795825083.1755655, true, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795825080.8087127, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795825080.8087127, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795825080.8087127, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795825082.979246, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795825083.1755655, true, 60, 30);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795825080.8087127, 1795825081.171712, 1795825081.171712, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795825081.8847368, 1795825083.243121, 1795825083.243121, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795825081.8847368, 1795825081.8847368, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795825082.979246, 1795825083.2980406, 1795825083.2980406, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795825082.9555507, 1795825082.9555507, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795825082.9555507, 1795825082.9555507, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795825083.1117282, 1795825083.1117282, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795825083.1755655, 1795825083.5527396, 1795825083.5527396, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795825074.617581, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', '7bc8ce34794f1510d370f83d6ef09669a23ef7e429233d89c01c85c6e041b2cc', 'c274b5f99f313654a3521cac3030eca58a9ef39b285c0d5ead229a3bfd4c16e1');
INSERT INTO public.audit VALUES (3, 1795825075.102978, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', 'c274b5f99f313654a3521cac3030eca58a9ef39b285c0d5ead229a3bfd4c16e1', '9ce3d195b1147e2456f8518f5989aecee81549fcb4c37ec9641fa4433b9c04f7');
INSERT INTO public.audit VALUES (4, 1795825075.1169686, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '9ce3d195b1147e2456f8518f5989aecee81549fcb4c37ec9641fa4433b9c04f7', '60c3a4e5a9ea4bc342ad8ffa46778e4cc64aeba26fdeeb593f92ac247b252c08');
INSERT INTO public.audit VALUES (5, 1795825075.126924, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', '60c3a4e5a9ea4bc342ad8ffa46778e4cc64aeba26fdeeb593f92ac247b252c08', 'ac7ebdf2d111f5612eb7c217dc6aeeb2d956c62a1a36ad7e4a260bb5b1036991');
INSERT INTO public.audit VALUES (6, 1795825075.1839354, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', 'ac7ebdf2d111f5612eb7c217dc6aeeb2d956c62a1a36ad7e4a260bb5b1036991', '11ae8e292c9b8a0b966cb0c5f1b52cec9f7a20db4aea887a33859b7d8c6311bb');
INSERT INTO public.audit VALUES (7, 1795825075.27597, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '11ae8e292c9b8a0b966cb0c5f1b52cec9f7a20db4aea887a33859b7d8c6311bb', '2441a78618e82a420c6687fcc195f15bb1c545d50197a90c393121133dd724d4');
INSERT INTO public.audit VALUES (8, 1795825075.358395, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '2441a78618e82a420c6687fcc195f15bb1c545d50197a90c393121133dd724d4', '66f64506b9c2ac1eee0b5c22fb5fefdca16d5e8df5023ca2b2535cdec29c65cd');
INSERT INTO public.audit VALUES (9, 1795825075.4458861, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '66f64506b9c2ac1eee0b5c22fb5fefdca16d5e8df5023ca2b2535cdec29c65cd', 'b557143a555c6b0ab2fc85412656661bdaf12e47832e9c70fe3e768ff606372b');
INSERT INTO public.audit VALUES (10, 1795825075.52644, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/3861784635974d80f7dc803db972e78f/finish', 201, '{}', 'b557143a555c6b0ab2fc85412656661bdaf12e47832e9c70fe3e768ff606372b', '718e3abf7536eefe8e87adba6607cd7b2df5996ab2928c680310f4bf7a194027');
INSERT INTO public.audit VALUES (11, 1795825075.6225305, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', '718e3abf7536eefe8e87adba6607cd7b2df5996ab2928c680310f4bf7a194027', '8bf932c0488f8226685fa624c82bb904de49e4466cdaabfd796679733051f93a');
INSERT INTO public.audit VALUES (12, 1795825075.6961608, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '8bf932c0488f8226685fa624c82bb904de49e4466cdaabfd796679733051f93a', '9449209bc73fe2447bc02ed3b6191dfbb4d3a9823fc3dabb38434b5dd2e75853');
INSERT INTO public.audit VALUES (13, 1795825075.7144895, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '9449209bc73fe2447bc02ed3b6191dfbb4d3a9823fc3dabb38434b5dd2e75853', '134a8d069454b5a22310d0d3c730d343dfe237be11d3c087311b68bfd0e7e39c');
INSERT INTO public.audit VALUES (14, 1795825075.787327, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '134a8d069454b5a22310d0d3c730d343dfe237be11d3c087311b68bfd0e7e39c', 'e3c25fc711c7ce1da36d699ecd5b61eb0f71bf35d5c69d7d9d7be4551c6e2299');
INSERT INTO public.audit VALUES (15, 1795825075.858177, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', 'e3c25fc711c7ce1da36d699ecd5b61eb0f71bf35d5c69d7d9d7be4551c6e2299', '74afec98f7737e6aa65742c190581d6ff0552897eeca9e7ef85ca5ef4a0990d7');
INSERT INTO public.audit VALUES (16, 1795825079.599263, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', '74afec98f7737e6aa65742c190581d6ff0552897eeca9e7ef85ca5ef4a0990d7', '3e0a9d0b25115970fd5a12214d7b3d38f29567cee3e3a54bdfa27ae483fca5f5');
INSERT INTO public.audit VALUES (17, 1795825079.6392279, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}', '3e0a9d0b25115970fd5a12214d7b3d38f29567cee3e3a54bdfa27ae483fca5f5', 'cfc24dcbc915763c7cfdc74d08544cc47b5513702d4ef4ff4d4ac1b0c88f0c6e');
INSERT INTO public.audit VALUES (18, 1795825079.651307, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/plant', 200, '{"selector": {"labels": {"site": "north"}}}', 'cfc24dcbc915763c7cfdc74d08544cc47b5513702d4ef4ff4d4ac1b0c88f0c6e', '363d3fab95d3cbe80fac358dc86c256d659b35a75186b46585f846894887689d');
INSERT INTO public.audit VALUES (19, 1795825080.032768, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}', '363d3fab95d3cbe80fac358dc86c256d659b35a75186b46585f846894887689d', '6b6cc317860bb729d000e15038df2b204c6405cbc31badeef9e7292465bd32d3');
INSERT INTO public.audit VALUES (20, 1795825080.0449789, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', '6b6cc317860bb729d000e15038df2b204c6405cbc31badeef9e7292465bd32d3', '25b2eaf803c7cba3aed8ed2a00ad34c32ba05187b07ce311e4c220b7b3b2c5cd');
INSERT INTO public.audit VALUES (21, 1795825080.0585303, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '25b2eaf803c7cba3aed8ed2a00ad34c32ba05187b07ce311e4c220b7b3b2c5cd', 'ba08f4b9214cc8af4dcbfcea5dd7f3d0a286a7806b40a6946b1dda5349a4f659');
INSERT INTO public.audit VALUES (22, 1795825080.1988382, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'ba08f4b9214cc8af4dcbfcea5dd7f3d0a286a7806b40a6946b1dda5349a4f659', 'e941131011c8cbe728332ccf483e8177206a6bbe919ff3609d1de348abc32df0');
INSERT INTO public.audit VALUES (23, 1795825080.2141325, 'ada', 'admin', 'session', '127.0.0.1', 'view_logs', '/devices/press-00/logs', 200, '{}', 'e941131011c8cbe728332ccf483e8177206a6bbe919ff3609d1de348abc32df0', '6d0cd9d6d55f849271652827591731d53cb79d85b4aac9f100ee721e04f7b86a');
INSERT INTO public.audit VALUES (24, 1795825080.4313164, 'ada', 'admin', 'session', '127.0.0.1', 'get_last_logs', '/devices/press-00/logs/last', 200, '{}', '6d0cd9d6d55f849271652827591731d53cb79d85b4aac9f100ee721e04f7b86a', '37a52abdde81a0c01d8fb13b6cf9bc0565bcae39e8521a1ebbd9fb9bccc38a0e');
INSERT INTO public.audit VALUES (25, 1795825080.4403126, 'ada', 'admin', 'session', '127.0.0.1', 'request_support_bundle', '/devices/press-00/support-bundles', 202, '{}', '37a52abdde81a0c01d8fb13b6cf9bc0565bcae39e8521a1ebbd9fb9bccc38a0e', '9abd7e0ab20d8f48076fd11cbee2b0a3966ff9bf65acc2ac4a1a166623223bb5');
INSERT INTO public.audit VALUES (26, 1795825080.5767689, 'ada', 'admin', 'session', '127.0.0.1', 'delete_support_bundle', '/devices/press-00/support-bundles/50508bce36204b488c3b28008c46c61d', 204, '{}', '9abd7e0ab20d8f48076fd11cbee2b0a3966ff9bf65acc2ac4a1a166623223bb5', '07735726ae7c864e9043160c05b242e232febc2da9a82adf01756b5cd749dbc7');
INSERT INTO public.audit VALUES (27, 1795825080.588165, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '07735726ae7c864e9043160c05b242e232febc2da9a82adf01756b5cd749dbc7', '3953665b0c2e5f1d0bb38e4d249937498790941f7f95a1d60adec2d375c23c30');
INSERT INTO public.audit VALUES (28, 1795825080.7258604, 'ada', 'admin', 'session', '127.0.0.1', 'review_events', '/events/reviews', 200, '{"events": [3], "verdict": "confirmed"}', '3953665b0c2e5f1d0bb38e4d249937498790941f7f95a1d60adec2d375c23c30', '00e12b4f55b601e00187da3e5e02f8181431f0772b31c22bdd37da391c2870ee');
INSERT INTO public.audit VALUES (29, 1795825080.7568057, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '00e12b4f55b601e00187da3e5e02f8181431f0772b31c22bdd37da391c2870ee', 'e42179c28a765e44a0ca832334b7c19c8b1d1232506f8d7f5be88441828ac94b');
INSERT INTO public.audit VALUES (30, 1795825081.769371, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', 'e42179c28a765e44a0ca832334b7c19c8b1d1232506f8d7f5be88441828ac94b', 'efc74ff022500eb46df7c717f689968d46d6cd87fe9843bf91ce7cdc91d33e8d');
INSERT INTO public.audit VALUES (31, 1795825081.7854311, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', 'efc74ff022500eb46df7c717f689968d46d6cd87fe9843bf91ce7cdc91d33e8d', 'a327b93283715bd0ff16fea3cab31168ea7063ab3f08ec15996216399a466137');
INSERT INTO public.audit VALUES (32, 1795825081.7993515, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', 'a327b93283715bd0ff16fea3cab31168ea7063ab3f08ec15996216399a466137', '2e0f4756e23e177b6644f574259dd82a5723405b4dc1e8cf61f049605f763ff0');
INSERT INTO public.audit VALUES (33, 1795825081.8141243, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '2e0f4756e23e177b6644f574259dd82a5723405b4dc1e8cf61f049605f763ff0', '909762bea44460916b0cc9594428c3141416c2e63952a0387feea74ea904ec41');
INSERT INTO public.audit VALUES (34, 1795825081.8332438, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', '909762bea44460916b0cc9594428c3141416c2e63952a0387feea74ea904ec41', '6a661f5241cb5f347fc678e96583d4e679d0e04121fb5eb8aa474ba370b06bfb');
INSERT INTO public.audit VALUES (35, 1795825081.849659, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '6a661f5241cb5f347fc678e96583d4e679d0e04121fb5eb8aa474ba370b06bfb', '34bccace22cd20268fbb47d88b599c594ab0a4894ac86dda7d428d39e2c993c8');
INSERT INTO public.audit VALUES (36, 1795825082.8548377, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '34bccace22cd20268fbb47d88b599c594ab0a4894ac86dda7d428d39e2c993c8', '88643fb99e6ca3bff2eeb615370869f0da40f507f0a675c6e83b1ad30de5f6b4');
INSERT INTO public.audit VALUES (37, 1795825082.9072912, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '88643fb99e6ca3bff2eeb615370869f0da40f507f0a675c6e83b1ad30de5f6b4', '8c67f20dee3abc1bb7223fe98e873e906afebf60d4be1171fc197f5cdd1ee37a');
INSERT INTO public.audit VALUES (38, 1795825082.9438543, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '8c67f20dee3abc1bb7223fe98e873e906afebf60d4be1171fc197f5cdd1ee37a', '5373fdc5b9551f9ae929569692ea80708c16b56d0cc645da457267b271ac836d');
INSERT INTO public.audit VALUES (39, 1795825082.9578362, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', '5373fdc5b9551f9ae929569692ea80708c16b56d0cc645da457267b271ac836d', '51c5070bfe0fc2fb20477ed5e73a0777dd4c99bccc70be6713339e39abf2867c');
INSERT INTO public.audit VALUES (40, 1795825083.0299802, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '51c5070bfe0fc2fb20477ed5e73a0777dd4c99bccc70be6713339e39abf2867c', 'e10dee63031e6c7383506444f3195040940eb2faff8d448b0f1e09fbe568893f');
INSERT INTO public.audit VALUES (41, 1795825083.0522165, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'e10dee63031e6c7383506444f3195040940eb2faff8d448b0f1e09fbe568893f', 'c8beceb3f9d0a2329205e0046c3a76a2192710b2c280367869a0529591050565');
INSERT INTO public.audit VALUES (42, 1795825083.0813704, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'c8beceb3f9d0a2329205e0046c3a76a2192710b2c280367869a0529591050565', '5cf205269f1c3037d2ac4ece0bb2f5452d62d8d8a6177bae77ef33082b53e322');
INSERT INTO public.audit VALUES (43, 1795825083.090459, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', '5cf205269f1c3037d2ac4ece0bb2f5452d62d8d8a6177bae77ef33082b53e322', '5822a3c1ed0957f2ca0703653ca169eec20341e0abcc132c62f8c6a04c0e68ae');
INSERT INTO public.audit VALUES (44, 1795825083.1134233, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', '5822a3c1ed0957f2ca0703653ca169eec20341e0abcc132c62f8c6a04c0e68ae', '5ba883b980455e6282f7e1080337b052fe2fee2bb13549fec99f815b2cc0bb07');
INSERT INTO public.audit VALUES (45, 1795825083.1388202, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', '5ba883b980455e6282f7e1080337b052fe2fee2bb13549fec99f815b2cc0bb07', 'f1cd1c063dd93cee76ce5672c29af11ced6a5e71b5c3260de6dc6031757bbaa7');
INSERT INTO public.audit VALUES (46, 1795825083.1462977, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', 'f1cd1c063dd93cee76ce5672c29af11ced6a5e71b5c3260de6dc6031757bbaa7', '8c807ac2aa84ae40efd67e0cfcbce178d998cf286c52c2cecbdb49dc49a9712a');
INSERT INTO public.audit VALUES (47, 1795825083.1529968, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '8c807ac2aa84ae40efd67e0cfcbce178d998cf286c52c2cecbdb49dc49a9712a', '2bea4dab6e46e50ac13893e7068687787e7c23835b4d5248ec7b21aace4ba2e2');
INSERT INTO public.audit VALUES (48, 1795825083.1628227, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', '2bea4dab6e46e50ac13893e7068687787e7c23835b4d5248ec7b21aace4ba2e2', 'a0a4f0eeb38365533debabff0edf088d707387afe91a5bce2d5159488b7ed77b');
INSERT INTO public.audit VALUES (49, 1795825083.1735015, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', 'a0a4f0eeb38365533debabff0edf088d707387afe91a5bce2d5159488b7ed77b', 'a4e99a81256f713e6cc482b534859badb21a446b030ad8b70b712d290b4bf9a0');
INSERT INTO public.audit VALUES (50, 1795825084.520756, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'a4e99a81256f713e6cc482b534859badb21a446b030ad8b70b712d290b4bf9a0', '2aad68ee2761de8aff50618bf674774d9233a27a7d2159096d3442e7dcee5a78');
INSERT INTO public.audit VALUES (51, 1795825084.5419548, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', '2aad68ee2761de8aff50618bf674774d9233a27a7d2159096d3442e7dcee5a78', '4fab176e5fe768d2f88d07700c85fbfe16f04036fad9ceaff266c8da3e0baf44');
INSERT INTO public.audit VALUES (52, 1795825084.5537245, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '4fab176e5fe768d2f88d07700c85fbfe16f04036fad9ceaff266c8da3e0baf44', '304f0985f05255096b0306445fae384ef66719e641248ae0bb1d37730227a244');
INSERT INTO public.audit VALUES (53, 1795825084.5710082, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}', '304f0985f05255096b0306445fae384ef66719e641248ae0bb1d37730227a244', '09b74965a31f1b61048c98308d7d102391f18898dbfb545bc6c9da6073b5fcf3');
INSERT INTO public.audit VALUES (54, 1795825084.5823946, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_recipient', '/alert-recipients/1', 200, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}', '09b74965a31f1b61048c98308d7d102391f18898dbfb545bc6c9da6073b5fcf3', 'f5d8319830b83d1cb673d1454b146d1ee76e07ac8ce8ff62d8233967c7e4ab33');
INSERT INTO public.audit VALUES (55, 1795825084.5946817, 'ada', 'admin', 'session', '127.0.0.1', 'test_alert_recipient', '/alert-recipients/1/test', 200, '{}', 'f5d8319830b83d1cb673d1454b146d1ee76e07ac8ce8ff62d8233967c7e4ab33', '53c1e4b38a58bc3876ecbdd4f75cdd43523b1ad944c1ada957ed21f4ba3925cd');
INSERT INTO public.audit VALUES (56, 1795825084.6239345, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"rule": 1, "until_at": 1795828684.607988, "reason": "the fan is replaced"}', '53c1e4b38a58bc3876ecbdd4f75cdd43523b1ad944c1ada957ed21f4ba3925cd', '1988cf8b5ec73930dbf5fb17bf3c0e77bb55a19eec1640c4bf6a60dc8dc2d92b');
INSERT INTO public.audit VALUES (57, 1795825084.6729393, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"device": "press-00", "until_at": 1795828684.6616712, "reason": "moved"}', '1988cf8b5ec73930dbf5fb17bf3c0e77bb55a19eec1640c4bf6a60dc8dc2d92b', '90fd889c039e16e1c03f05c1056dfe0ca39f8b3ad834041c493541099bc6f898');
INSERT INTO public.audit VALUES (58, 1795825084.6898417, 'ada', 'admin', 'session', '127.0.0.1', 'end_alert_snooze', '/alert-snoozes/2', 204, '{}', '90fd889c039e16e1c03f05c1056dfe0ca39f8b3ad834041c493541099bc6f898', 'a8dc43b3dcf4c30bd274c19343b6eb6633af0d4714d79f05bd443782911dcead');
INSERT INTO public.audit VALUES (59, 1795825084.7122252, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "second", "kind": "email", "emails": ["ops@example.org"]}', 'a8dc43b3dcf4c30bd274c19343b6eb6633af0d4714d79f05bd443782911dcead', 'fdf6f2b38b79f71a71a57017f4cb9fa14f17bf2a2396d837d4e07fc04adb40ae');
INSERT INTO public.audit VALUES (60, 1795825084.729005, 'ada', 'admin', 'session', '127.0.0.1', 'delete_alert_recipient', '/alert-recipients/2', 204, '{}', 'fdf6f2b38b79f71a71a57017f4cb9fa14f17bf2a2396d837d4e07fc04adb40ae', '0158c56dc4816d8ccd9bdbccf4a60d3bab90f917c6d850464f266f4bc6a295f8');
INSERT INTO public.audit VALUES (61, 1795825084.8121574, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', '0158c56dc4816d8ccd9bdbccf4a60d3bab90f917c6d850464f266f4bc6a295f8', '069abe61eb241c1eb2dd18a1bd32d0a3ef8efd9b11b807ecabedc59b7351b33a');
INSERT INTO public.audit VALUES (62, 1795825084.8672998, 'ada', 'admin', 'session', '127.0.0.1', 'withdraw_version', '/trust/withdraw', 200, '{"package": "pipeline-gate", "version": "1.0.0"}', '069abe61eb241c1eb2dd18a1bd32d0a3ef8efd9b11b807ecabedc59b7351b33a', '0b9c217b6c40ed27da3e851935e47aa892e5891348ff650bc35b66dd1088d0e9');
INSERT INTO public.audit VALUES (63, 1795825085.0571303, 'ada', 'admin', 'session', '127.0.0.1', 'begin_authority_rotation', '/certificates/rotation', 200, '{}', '0b9c217b6c40ed27da3e851935e47aa892e5891348ff650bc35b66dd1088d0e9', '1de01e6d19acbe334a7673abd966a09718639f8ed0e328c9e8549911679dedb9');
INSERT INTO public.audit VALUES (64, 1795825085.0859847, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', '1de01e6d19acbe334a7673abd966a09718639f8ed0e328c9e8549911679dedb9', '992c75053fe769f2deea9511eb522833b16315dd0f38eb8ea17f68fb5645123a');
INSERT INTO public.audit VALUES (65, 1795825085.115817, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABGw1nPXy9YAwub3gau5FaqGKIxUpiJtn3sVzqElc/5eiZNVIII/dvl3j\n5NWCPe+hiYgf0uJpWwgZcFMiYu33HxugADAKBggqhkjOPQQDAgNIADBFAiApF1hz\nF30DRQwd7/uzpEM6IcEzlle1YS2rPoNSKJaq2gIhAOc7zGcG84rpobYdeh6nfiKU\nWY6PdCzfViEwQMgyuE7g\n-----END CERTIFICATE REQUEST-----\n"}', '992c75053fe769f2deea9511eb522833b16315dd0f38eb8ea17f68fb5645123a', '822fb84bd88eb8c8b62694eb468dcc069464497c0bb21019b05e1e0269b9d160');
INSERT INTO public.audit VALUES (66, 1795825085.1414285, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABDwlT9tcDS8nYiwB2NeBuCk0ZdsTV9hE2pEtpiWBXCYIbVzqfUPpkYNc\n6/Cc5bv1JFgRNcHJj7GST2oVKvRxLgygADAKBggqhkjOPQQDAgNIADBFAiBIKhcA\nyqnmMtv+wqOpEg8mKzcnWavheRFkXrs1ROobHwIhAJvvAWoGce4O6pTUqJQvokSk\nhAKLhZgxOO7twMRo74GN\n-----END CERTIFICATE REQUEST-----\n"}', '822fb84bd88eb8c8b62694eb468dcc069464497c0bb21019b05e1e0269b9d160', '30c751441aa4d9dff9191128fa7d459223d701a2ad56046127f07fd636f63bfc');
INSERT INTO public.audit VALUES (67, 1795825085.1861818, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', '30c751441aa4d9dff9191128fa7d459223d701a2ad56046127f07fd636f63bfc', 'f13746dc63ec02d1931b811243fbcb78fbdac76289d49b0795ff3110be421e55');
INSERT INTO public.audit VALUES (68, 1795825085.2071548, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', 'f13746dc63ec02d1931b811243fbcb78fbdac76289d49b0795ff3110be421e55', 'bf1c1a026b348a4f2d7270494d7d74778e5f42737a29f6cdc3e8dde0d4761abf');
INSERT INTO public.audit VALUES (69, 1795825085.2163599, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', 'bf1c1a026b348a4f2d7270494d7d74778e5f42737a29f6cdc3e8dde0d4761abf', 'e55870c906fcfde09f3494bd435575e526a2bd83b3f9dcd5b5f4d298c171a872');
INSERT INTO public.audit VALUES (70, 1795825085.2593935, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABFvGJiXl+rZpd4y+hE6DyNqBvNoib5AMKe5DUrh6VfrGM6AvnhB5\nHaflRgBqkUkI3SOqKhHDlisx0jtPYLNbACegADAKBggqhkjOPQQDAgNJADBGAiEA\nmrVFcA3gQgOIL8dlDudP8sFrwDgClDWM8P/zWcPxGhMCIQC6yPogDmDn87Yievi2\nYoDwGeuqsZD6esiZC/SUj7CcGQ==\n-----END CERTIFICATE REQUEST-----\n"}', 'e55870c906fcfde09f3494bd435575e526a2bd83b3f9dcd5b5f4d298c171a872', '0b17a45f9efe9b82fa23ade5563d0f97c2d6ce7c5a3baf2b8c8db4a884ec4501');
INSERT INTO public.audit VALUES (71, 1795825085.313375, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', '0b17a45f9efe9b82fa23ade5563d0f97c2d6ce7c5a3baf2b8c8db4a884ec4501', 'ce3337d4de731e01314f6510795d139a177752760a330f9f6c925392ba67a71d');
INSERT INTO public.audit VALUES (72, 1795825085.339166, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', 'ce3337d4de731e01314f6510795d139a177752760a330f9f6c925392ba67a71d', '467d1c73540bcc42ce76bd5f2bff58c950805f09c0b6c9479da1072b8ce80eae');
INSERT INTO public.audit VALUES (73, 1795825085.3547575, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', '467d1c73540bcc42ce76bd5f2bff58c950805f09c0b6c9479da1072b8ce80eae', '8264f39e96b50fbdfd5c3cdbc9e6e1b11e5590829b241d8ce20623ffa085b400');
INSERT INTO public.audit VALUES (74, 1795825085.508392, 'ada', 'admin', 'session', '127.0.0.1', 'finish_authority_rotation', '/certificates/rotation/finish', 200, '{"online_days": 0.0}', '8264f39e96b50fbdfd5c3cdbc9e6e1b11e5590829b241d8ce20623ffa085b400', 'f9ab4de9bed6cde267a64fbd4b0356963558c09df56e1dc8fc315a2924815c04');
INSERT INTO public.audit VALUES (75, 1795825085.5251982, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', 'f9ab4de9bed6cde267a64fbd4b0356963558c09df56e1dc8fc315a2924815c04', 'a5e087e0fb50a247370d531c4c5279e50ac04ac1f4eae317c25b612fedfe9e0e');
INSERT INTO public.audit VALUES (76, 1795825085.5839648, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', 'a5e087e0fb50a247370d531c4c5279e50ac04ac1f4eae317c25b612fedfe9e0e', '3612b1b7af6ec2c876ad1a19e817321ee3eb4b258d29e0579f38e2b857caec8b');
INSERT INTO public.audit VALUES (77, 1795825085.5933197, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', '3612b1b7af6ec2c876ad1a19e817321ee3eb4b258d29e0579f38e2b857caec8b', '5ce8397e2e6853596125cde4a7f6f982036b03655232e8eae78244de93dd8d10');
INSERT INTO public.audit VALUES (78, 1795825085.6059988, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', '5ce8397e2e6853596125cde4a7f6f982036b03655232e8eae78244de93dd8d10', 'c1c1f9d36b5a4c41795d45042109185538655a62c52cc2c1018fa49e8fe76fc0');
INSERT INTO public.audit VALUES (79, 1795825085.6269825, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', 'c1c1f9d36b5a4c41795d45042109185538655a62c52cc2c1018fa49e8fe76fc0', '9882ce3b40e2178722002649da2b332bb6dc85eea10013f66129b1e9d0df3ebd');
INSERT INTO public.audit VALUES (80, 1795825085.6374063, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', '9882ce3b40e2178722002649da2b332bb6dc85eea10013f66129b1e9d0df3ebd', '64fd10c97c09e957d869aa8146c0d89f58fbc2905ad30f445ec298d812fec782');
INSERT INTO public.audit VALUES (81, 1795825085.6552927, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', '64fd10c97c09e957d869aa8146c0d89f58fbc2905ad30f445ec298d812fec782', 'bd4c95ffba7c6bf5ca65bfcc3cad1771847b5671573a0d88977a613ec933119c');
INSERT INTO public.audit VALUES (82, 1795825085.6977637, 'ada', 'admin', 'session', '127.0.0.1', 'create_dossier', '/dossiers', 200, '{"component": "numpy", "version": "", "stage": "72h"}', 'bd4c95ffba7c6bf5ca65bfcc3cad1771847b5671573a0d88977a613ec933119c', 'd31eb5d3d40b7ea122f7de73e7b53b85e166f73e278c5056c6487cb26b3e3975');
INSERT INTO public.audit VALUES (83, 1795825086.3865275, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', 'd31eb5d3d40b7ea122f7de73e7b53b85e166f73e278c5056c6487cb26b3e3975', 'e9b3a8deae2e0d69d77cf50c1f5d62eff4b1f8d73eecee4961237da505a75150');
INSERT INTO public.audit VALUES (84, 1795825089.6577063, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:34361/fleet_1', 0, '{"from": "/tmp/tmp3nc38vcf/fleet/fleet.db"}', 'e9b3a8deae2e0d69d77cf50c1f5d62eff4b1f8d73eecee4961237da505a75150', '532737506bf309c953624a324a1f250c3328e4f62dbcc268e509eb5c807fc737');
INSERT INTO public.audit_archived VALUES (1, '7bc8ce34794f1510d370f83d6ef09669a23ef7e429233d89c01c85c6e041b2cc');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'agent', 'edgefleet-agent', '0.3.0');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'runtime', 'python', '3.11.2');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'library', 'numpy', '2.3.1');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795825075.2103953);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795825075.2103953);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795825075.4754002);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795825075.4754002);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795825075.2103953);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795825075.321722);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795825075.321722);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795825075.321722);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795825075.4754002);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795825075.4754002);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795825075.4754002);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795825075.8265626);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795825075.8265626);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795825075.8265626);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795825085.3476892, 'lost again');
INSERT INTO public.camera_hour VALUES ('press-00', 'hall', 1795824000, 6, 0);
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795825075.7115724, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795825075.6899848, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795825075.7115724, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795827600);
INSERT INTO public.command VALUES ('bill-1b8f4f53da9b4b398116f35b4d2313d0', 'press-00', 'bill', '{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}', 'done', 'did it', '{}', 1795825079.460151, 1795825124.460151, 1795825079.5681367);
INSERT INTO public.command VALUES ('37d35de15bab4db5aa3338964fafe41f', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795825080.057233, 1795825110.057233, 1795825080.1601868);
INSERT INTO public.command VALUES ('c4ee7ecb648d441a8f96bbcb16b3b10a', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795825080.1979446, 1795825140.1979446, 1795825080.2693086);
INSERT INTO public.command VALUES ('logs-a7d8b09db6ea427e9836b82279ed9cbb', 'press-00', 'logs', '{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}', 'done', 'did it', '{"source":"service","level":"debug","search":"","lines":200,"after":""}', 1795825080.2141325, 1795825105.2141325, 1795825080.2693086);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795825080.042485, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795825083.2312121);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795825075.9961004);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', '{}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor":"1"}', '{}', '{"floor":"1"}', 1795825083.162791, '[]');
INSERT INTO public.device VALUES ('press-02', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795825075.9961004, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_bill VALUES (1, 'press-00', '08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795825075.9961004, NULL);
INSERT INTO public.device_certificate VALUES ('38756c66232aa6c57b608549e41d138d6c5556', 'enrolled-1', 1795825085.2485688, 1803601085, 1795825085.3109946);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}', 'in the north', 1795825079.635453, 'ada');
INSERT INTO public.device_group VALUES ('plant', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', '', 1795825079.648932, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795825085.636047, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795825086.4527266, 'boot-1', '', 7, 1795825086.4527266, 'boot-1', 15, 3, '{}', 10000000000, '[]', '[]', 0, 1795825083.1789658, '{"at":1795825083.1789658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795825086.5449834, 'boot-1', '', 7, 1795825086.5449834, 'boot-1', 14, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795825086.598796, 'boot-1', '', 7, 1795825086.598796, 'boot-1', 7, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795825086.6968713, 'boot-1', '', 7, 1795825086.6968713, 'boot-1', 7, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795825086.7526248, 'boot-1', '', 7, 1795825086.7526248, 'boot-1', 7, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795825086.8062243, 'boot-1', '', 7, 1795825086.8062243, 'boot-1', 11, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 2.995967098215977, 1795825085.961756, '[]');
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825083.1798902}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795825083.1798959);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795825083.44045}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795825083.4404612);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795825083.4408681}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795825083.440871);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.0862164}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795825081.0862274);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.0865781}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795825081.086583);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.08725}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795825081.087259);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825083.0120008}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795825083.0120077);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795825083.2697117}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795825083.2697203);
INSERT INTO public.enrolled_labels VALUES ('enrolled-1', '{"site":"north"}', 1795825085.2572088);
INSERT INTO public.enrolment_request VALUES ('image-1', '0a1d3a769aae', 'f840ce44b2901169d7687997513850ef546fb28984744274fa809596ce95ce17', 'approved', 1795825085.101119, 1795825085.101119, 1795825085.1705272, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '0a1d3a769aae', '03a24ad5a4b2f4c1378dc3e5e2b06572edf696a203587504f6fcbfedc9658212', 'waiting', 1795825085.1372843, 1795825085.1372843, NULL, '');
INSERT INTO public.enrolment_token VALUES ('0a1d3a769aae', 'eadb3d08ba39021902fe2798a228788d0c927a9ec1cca4a835ede3db3a0159d1', '', '{}', 1795825085.0845919, 1795925085.0845919, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('6d5761d7e442', '309d55bccb0bcc857fd7ab0779563fcecba4f0831b2df8fe6906266bb75b2875', '', '{"site": "north"}', 1795825085.2060194, 1795925085.2060194, 1795825085.2485688, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('dcb40662e56c', 'f52e2a18cbe780adc93eb379eaae79e3c30bfd0f46243f63999a35e4f7b2c67c', '', '{"site": "north"}', 1795825085.2151182, 1795925085.2151182, NULL, '', NULL, 1, 0, false);
INSERT INTO public.environment_bill VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795825079.5681367, 1795825139.460151, 1, 0, 0, '{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
INSERT INTO public.event_d20785 VALUES (1, 'press-00', 1795825075.985687, 1795825075.9961004, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795825075.985687,"label":"person","count":0}');
INSERT INTO public.event_d20785 VALUES (2, 'press-00', 1795825075.9856882, 1795825075.9961004, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795825075.9856882,"label":"person","count":1}');
INSERT INTO public.event_d20785 VALUES (3, 'press-00', 1795825075.9856892, 1795825075.9961004, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795825075.9856892,"label":"person","count":2}');
INSERT INTO public.event_review VALUES (3, 'confirmed', 'ada', 1795825080.7257378);
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795825083.0232038, 'ada', 1795825083.0496159, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795825083.0712023, 'ada', 1795825083.089284, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795825075.6126564, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795825087.407854, 1795825087.407854, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795825084.4657428, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}', 'waiting', 1, 1795825095.4064195, 1795825084.4657428, 'Connection refu(hidden)ed', NULL);
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795825087.407854);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795825075.2103953, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795825075.321722, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795825075.4754002, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795825075.8265626, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$GUYDGnmnu9Jf9Ga9nDmBbg==$PpZ2tF6uTD7VTP5gtMdJb7dZVK0gVjR9CDXX0OltZOI=', 1795825073.6861408, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$pSmqigQStj2sENRAaZFl7g==$291dK+7TgVz9ywq9sHdq7TaSUbpZl2iYZGKZEzbw3z0=', 1795825075.1020432, false, NULL);
INSERT INTO public.person VALUES ('lea', 'viewer', 'scrypt$15$8$3$4wXlLwjidmusB4ZXHOauYg==$uU5P4mme27WvrxYMFGFoEZ52vGK5ApvB924GEy+N3GY=', 1795825080.032032, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795825083.1386762);
INSERT INTO public.proposal VALUES (1, 'approved', 'd230c69b1f14', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795825085.5757225, 1796429885.5757225, 1795825085.625929, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', 'd230c69b1f14', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795825085.5912898, 1796429885.5912898, 1795825085.654847, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', 'd230c69b1f14', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795825085.6039412, 1796429885.6039412, NULL, '', '', 0, '');
INSERT INTO public.request_key VALUES ('8a5ce3690b13f76f869cd04d2f900171c733069cd74bbf8e0058b9fdf344b198', '2b6b6e95e3f3a8bc1efc8ef6b0798ab7de801cb9b74d78bb7f1e3af92415c076', 'daafcfa9a7db2d9ced01cdefc3d5cc96c6996de1de245a9af897fec59b48c466', 'cd756655bc588d6d', 1795825084.6103344, 1795825204.6103344, true, 201, 'dPIYnwrgkJipI3DG6D7wzvi8tt1bRj+ntlYm8dmaKohcugOOOQmH2e5WmRJ68c4xMsN8lRJuZh8Xz3fDvFxpWLrLiLf2OsxUFuBYzfGJ/UJK74RGkGs5asYZzklaEwrXYqlKaDQzVDLVVLfAYYnn6ADaGILTrMlNxjp1JwqcVjzXIUORcFtEqi+GHBg1cBNs5B3a019o270p44/IyzMl8BOQGaQKns4fhVtgbXJJPEOldYd423j3nNUDEAqUHdlU3vmO8H8i6WN9ZZZkmUYO5iXLibJ+0Mq1AIVXDWiZIL8t7GTGPQ/Gi3GsaVU3oNok4lhWS0tzmK7y/pPaknm8EoLDH00aGm+TqxhpUdbwh0DHL9xtP5V61WTwzZ4mrRN618za7DOFX/hGwXOE84WZEtLiE/iXyLeqTBNnRhTV7cU1Tug=');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795825087.407854, 1795825387.407854, 0);
INSERT INTO public.retention VALUES ('samples', 1795825074.3908446, 0, 0.0003313009947305545, '');
INSERT INTO public.retention VALUES ('events', 1795825074.3908446, 0, 0.0003604039957281202, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795825080.7497904, 1795825080.7497904, 1795825081.7284195, 1795825081.7284195, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795825081.7666192, 1795825081.782987, 1795825083.243121, 1795825083.243121, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795825082.9051447, 1795825082.9051447, 1795825084.1193063, 1795825084.1193063, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795825082.9423602, NULL, 1795825082.9555507, 1795825082.9555507, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795825083.0232038, 1795825083.0232038, 1795825083.1117282, 1795825083.1117282, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795825083.0712023, 1795825083.0712023, 1795825083.1117282, 1795825083.1117282, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795825083.1052322, 1795825083.1052322, 1795825084.1193063, 1795825084.1193063, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795824720, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795824780, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795824840, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795824900, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795824960, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795825080, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795824000, '\x85ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406b4646574656374696f6e735f7065725f6672616d659506cb0000000000000000cb0000000000000000cb000000000000000081d1800006af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', '93fc5b9a4e270382819d375bb6dc2e7f', 1795825073.1574526);
INSERT INTO public.secret VALUES ('broadcast-blocks', '722cb39bd4551bd3a1de3ed2d1a75fd2', 1795825073.1697729);
INSERT INTO public.secret VALUES ('web push', '22ba272a5c397705114ca1d60ab74379', 1795825073.1797514);
INSERT INTO public.secret VALUES ('corpus', '8c589f8511792e0161dfe758c4c0b413', 1795825087.5011055);
INSERT INTO public.session VALUES ('2b6b6e95e3f3a8bc1efc8ef6b0798ab7de801cb9b74d78bb7f1e3af92415c076', 'ada', 1795825074.1634088, 1795825074.1634088, 1796429874.1634088, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795825075.1817188, 'ada');
INSERT INTO public.telemetry_d20785 VALUES (1, 'press-00', 1795824775.9856658, 1795825075.9961004, '{"at":1795824775.9856658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20785 VALUES (2, 'press-00', 1795824835.9856696, 1795825075.9961004, '{"at":1795824835.9856696,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20785 VALUES (3, 'press-00', 1795824895.9856722, 1795825075.9961004, '{"at":1795824895.9856722,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20785 VALUES (4, 'press-00', 1795824955.9856749, 1795825075.9961004, '{"at":1795824955.9856749,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20785 VALUES (5, 'press-00', 1795825015.9856772, 1795825075.9961004, '{"at":1795825015.9856772,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20785 VALUES (6, 'press-00', 1795825083.1789658, 1795825083.2312121, '{"at":1795825083.1789658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795825080.7497904, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795825080.7497904, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795825080.8087127, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795825081.171712, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795825081.7284195, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795825081.7284195, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795825081.7666192, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795825081.782987, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795825081.798129, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795825081.8116803, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795825081.8299177, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795825081.8479881, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795825081.8847368, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795825082.2459733, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795825082.8020294, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795825082.8020294, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795825082.8534114, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795825082.9051447, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795825082.9051447, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795825082.9423602, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795825082.9555507, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 3, 1795825082.979246, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795825083.0232038, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795825083.0232038, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795825083.0496159, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795825083.0712023, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795825083.0712023, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795825083.089284, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 7, 1795825083.1052322, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (30, 7, 1795825083.1052322, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 5, 1795825083.1117282, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (32, 5, 1795825083.1117282, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 6, 1795825083.1117282, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (34, 6, 1795825083.1117282, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 7, 1795825083.1755655, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (36, 2, 1795825083.243121, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (37, 2, 1795825083.243121, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 3, 1795825083.2980406, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795825083.5527396, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795825084.1193063, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 3, 1795825084.1193063, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795825084.1193063, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795825084.1193063, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.user_grant VALUES ('lea', 'plant', 'operator');
INSERT INTO public.version_share VALUES (1795824900, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795825080.8087127, 1795825081.171712, 1795825081.7284195, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795825081.8847368, 1795825082.2459733, 1795825082.8020294, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795825081.8299177, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795825082.979246, 1795825083.2980406, 1795825084.1193063, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795825083.1117282, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795825083.1117282, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795825083.1755655, 1795825083.5527396, 1795825084.1193063, 0, 0, false, NULL, false);
SELECT pg_catalog.setval('public.alert_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_recipient_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 2, false);
SELECT pg_catalog.setval('public.alert_snooze_id_seq', 3, false);
SELECT pg_catalog.setval('public.audit_archived_seq_seq', 2, false);
SELECT pg_catalog.setval('public.audit_seq_seq', 84, false);
SELECT pg_catalog.setval('public.channel_change_id_seq', 3, false);
SELECT pg_catalog.setval('public.device_bill_id_seq', 2, false);
SELECT pg_catalog.setval('public.event_id_seq', 4, false);
SELECT pg_catalog.setval('public.experiment_id_seq', 3, false);
SELECT pg_catalog.setval('public.measurement_id_seq', 2, false);
SELECT pg_catalog.setval('public.notice_id_seq', 2, false);
SELECT pg_catalog.setval('public.proposal_id_seq', 4, false);
SELECT pg_catalog.setval('public.rollout_id_seq', 8, false);
SELECT pg_catalog.setval('public.telemetry_id_seq', 7, false);
SELECT pg_catalog.setval('public.timeline_id_seq', 44, false);
SELECT pg_catalog.setval('public.version_share_at_seq', 1795824901, false);
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
ALTER TABLE ONLY public.bill_component
    ADD CONSTRAINT bill_component_pkey PRIMARY KEY (bill, kind, name);
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
ALTER TABLE ONLY public.device_bill
    ADD CONSTRAINT device_bill_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.enrolled_labels
    ADD CONSTRAINT enrolled_labels_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.enrolment_request
    ADD CONSTRAINT enrolment_request_pkey PRIMARY KEY (device);
ALTER TABLE ONLY public.enrolment_token
    ADD CONSTRAINT enrolment_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.enrolment_token
    ADD CONSTRAINT enrolment_token_secret_sha256_key UNIQUE (secret_sha256);
ALTER TABLE ONLY public.environment_bill
    ADD CONSTRAINT environment_bill_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.event_d20785
    ADD CONSTRAINT event_d20785_pkey PRIMARY KEY (id, received_at);
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
ALTER TABLE ONLY public.telemetry_d20785
    ADD CONSTRAINT telemetry_d20785_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.telemetry_default
    ADD CONSTRAINT telemetry_default_pkey PRIMARY KEY (id, received_at);
ALTER TABLE ONLY public.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.user_grant
    ADD CONSTRAINT user_grant_pkey PRIMARY KEY ("user", device_group);
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
CREATE INDEX bill_component_name ON public.bill_component USING btree (name);
CREATE INDEX camera_hour_at ON public.camera_hour USING btree (at);
CREATE INDEX channel_change_name ON public.channel_change USING btree (model, name, id);
CREATE INDEX command_deadline ON public.command USING btree (state, deadline_at);
CREATE INDEX command_device ON public.command USING btree (device, state);
CREATE INDEX device_bill_bill ON public.device_bill USING btree (bill);
CREATE INDEX device_bill_device ON public.device_bill USING btree (device);
CREATE INDEX device_slot_running ON public.device_slot USING btree (running_package, running_version);
CREATE INDEX event_device ON ONLY public.event USING btree (device, id);
CREATE INDEX event_d20785_device_id_idx ON public.event_d20785 USING btree (device, id);
CREATE INDEX event_kind ON ONLY public.event USING btree (kind, id);
CREATE INDEX event_d20785_kind_id_idx ON public.event_d20785 USING btree (kind, id);
CREATE INDEX event_label ON ONLY public.event USING btree (label, id);
CREATE INDEX event_d20785_label_id_idx ON public.event_d20785 USING btree (label, id);
CREATE INDEX ix_event_received_at ON ONLY public.event USING btree (received_at);
CREATE INDEX event_d20785_received_at_idx ON public.event_d20785 USING btree (received_at);
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
CREATE INDEX telemetry_d20785_device_at_idx ON public.telemetry_d20785 USING btree (device, at);
CREATE INDEX telemetry_default_device_at_idx ON public.telemetry_default USING btree (device, at);
ALTER INDEX public.event_device ATTACH PARTITION public.event_d20785_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_d20785_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_d20785_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_d20785_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_d20785_received_at_idx;
ALTER INDEX public.event_device ATTACH PARTITION public.event_default_device_id_idx;
ALTER INDEX public.event_kind ATTACH PARTITION public.event_default_kind_id_idx;
ALTER INDEX public.event_label ATTACH PARTITION public.event_default_label_id_idx;
ALTER INDEX public.event_pkey ATTACH PARTITION public.event_default_pkey;
ALTER INDEX public.ix_event_received_at ATTACH PARTITION public.event_default_received_at_idx;
ALTER INDEX public.telemetry_device_at ATTACH PARTITION public.telemetry_d20785_device_at_idx;
ALTER INDEX public.telemetry_pkey ATTACH PARTITION public.telemetry_d20785_pkey;
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
ALTER TABLE ONLY public.bill_component
    ADD CONSTRAINT bill_component_bill_fkey FOREIGN KEY (bill) REFERENCES public.environment_bill(digest);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_package_fkey FOREIGN KEY (package) REFERENCES public.package(digest);
ALTER TABLE ONLY public.command
    ADD CONSTRAINT command_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.desired
    ADD CONSTRAINT desired_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
ALTER TABLE ONLY public.device_bill
    ADD CONSTRAINT device_bill_device_fkey FOREIGN KEY (device) REFERENCES public.device(id);
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
ALTER TABLE ONLY public.user_grant
    ADD CONSTRAINT user_grant_user_fkey FOREIGN KEY ("user") REFERENCES public.person(name);
ALTER TABLE ONLY public.wave
    ADD CONSTRAINT wave_rollout_fkey FOREIGN KEY (rollout) REFERENCES public.rollout(id);
