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
INSERT INTO public.alembic_version VALUES ('0018');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795814915.4515288, NULL, 1795814915.482781, 'ada', '[]');
INSERT INTO public.alert_recipient VALUES (1, 'on call', 'ntfy', '{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}', '[]', '["critical"]', true, 1795814915.4992263, 1795814915.4992263, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795814975.4912333, 'ada', 1795814913.9126518, 'ada');
INSERT INTO public.alert_snooze VALUES (1, 1, '', '', 1795818515.516136, 'the fan is replaced', 1795814915.52413, 'ada');
INSERT INTO public.alert_snooze VALUES (2, NULL, '', 'press-00', 1795814915.5397208, 'moved', 1795814915.5349033, 'ada');
INSERT INTO public.api_token VALUES ('863086be5cb3', '76af7c24592f5cc521a5241830c4a9bbefd1f9b53fe023b621707faa3ca96414', 'ada', 'reads', 'admin', 1795814905.4009075, 1803590905.4009075, NULL, '[]', '[]');
INSERT INTO public.api_token VALUES ('905c44c41cd7', 'bba9cd68f12821b8a75633455b1bbac2da20edb1ceabe24d9b2cd78e32cdef74', 'ada', 'proposes', 'operator', 1795814915.7904353, 1803590915.7904353, 1795814915.827692, '["propose"]', '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795814913.6406775, false, 0, 0);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795814911.6013706, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795814913.8873131, true, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795814911.6013706, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795814911.6013706, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795814911.6013706, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795814913.6977236, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795814913.8873131, true, 60, 30);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795814911.6013706, 1795814911.959284, 1795814911.959284, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795814912.6724048, 1795814913.9564068, 1795814913.9564068, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795814912.6724048, 1795814912.6724048, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795814913.6977236, 1795814914.0105476, 1795814914.0105476, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795814913.6805367, 1795814913.6805367, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795814913.6805367, 1795814913.6805367, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795814913.826788, 1795814913.826788, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795814913.8873131, 1795814914.2494936, 1795814914.2494936, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795814905.098639, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', '67872292a07d6d75e56369cf051ce1f1a36e5895798c624983106eac932a190e', '09da8cf917a0b92e7b212b23a16f7588f42f8bff689f352d0aa26ca5fa355234');
INSERT INTO public.audit VALUES (3, 1795814905.3749776, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '09da8cf917a0b92e7b212b23a16f7588f42f8bff689f352d0aa26ca5fa355234', '11a16c633ded0ac20d9f57de0d7c267df51999493ec488bdd313de764052e215');
INSERT INTO public.audit VALUES (4, 1795814905.3914475, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', '11a16c633ded0ac20d9f57de0d7c267df51999493ec488bdd313de764052e215', 'bacf265da5b52392f4392fccc8e690b933523fbff1dfda468989ac458d2e41e3');
INSERT INTO public.audit VALUES (5, 1795814905.4035113, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', 'bacf265da5b52392f4392fccc8e690b933523fbff1dfda468989ac458d2e41e3', '2269426e2f92f40fdc864e308bb730a0b1111655d1d91bfe6fc19f217852bd64');
INSERT INTO public.audit VALUES (6, 1795814905.4497018, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '2269426e2f92f40fdc864e308bb730a0b1111655d1d91bfe6fc19f217852bd64', 'ed8240a13b37fcfcd6c3343c75a01b102fd622743c9ea31d2fef1449af33f54c');
INSERT INTO public.audit VALUES (7, 1795814905.4767635, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', 'ed8240a13b37fcfcd6c3343c75a01b102fd622743c9ea31d2fef1449af33f54c', 'ff80aa17ba145927d0a2783f9ab78bf007af5d5c3185f70ae85a45e1e80fbe53');
INSERT INTO public.audit VALUES (8, 1795814905.5007396, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', 'ff80aa17ba145927d0a2783f9ab78bf007af5d5c3185f70ae85a45e1e80fbe53', 'ee03fa26542cb6337303e390f80879c4062067f356b62fe009b143b77c5ac496');
INSERT INTO public.audit VALUES (9, 1795814905.514055, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', 'ee03fa26542cb6337303e390f80879c4062067f356b62fe009b143b77c5ac496', 'a2a8d0a43f35676f97f750ba377a6ea08f1593e6deb6d6bbda3c18ffc44dbd78');
INSERT INTO public.audit VALUES (10, 1795814905.5354617, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/958b4798f78f82cba094fd0dc1dfecf0/finish', 201, '{}', 'a2a8d0a43f35676f97f750ba377a6ea08f1593e6deb6d6bbda3c18ffc44dbd78', 'f3b2d9a801e99caf5b1d692c44036b485dd443f7ece6aa12473ce9d89fccbac3');
INSERT INTO public.audit VALUES (11, 1795814905.5660546, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'f3b2d9a801e99caf5b1d692c44036b485dd443f7ece6aa12473ce9d89fccbac3', '5db21807905efe0eaacfd60ef2ced084f3a934ac0b2621f75c00e124d4f58cf9');
INSERT INTO public.audit VALUES (12, 1795814905.6030428, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '5db21807905efe0eaacfd60ef2ced084f3a934ac0b2621f75c00e124d4f58cf9', 'c8ab34b4355a87513f4ed06123b1ab98350561f6e639d8679ed0ae78bbc8f05d');
INSERT INTO public.audit VALUES (13, 1795814905.6116147, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', 'c8ab34b4355a87513f4ed06123b1ab98350561f6e639d8679ed0ae78bbc8f05d', '390082b92e482bb4208e15deff51a03fd099eff4fef257c5513f64e67b4973cf');
INSERT INTO public.audit VALUES (14, 1795814905.6476145, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '390082b92e482bb4208e15deff51a03fd099eff4fef257c5513f64e67b4973cf', '08fb3615e146cd0e2bc0a063a2a1beb8dbb134a98789ed5847fadca8c53af2a0');
INSERT INTO public.audit VALUES (15, 1795814905.667912, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '08fb3615e146cd0e2bc0a063a2a1beb8dbb134a98789ed5847fadca8c53af2a0', '871ec2c96cb79a175b95a166def0f16eaf80dc082f10f763e17b4dab391a0269');
INSERT INTO public.audit VALUES (16, 1795814910.581165, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', '871ec2c96cb79a175b95a166def0f16eaf80dc082f10f763e17b4dab391a0269', '8b01e3fefb8d1e58f47791b52553fd81baeac40ce6260583f940f265759f3355');
INSERT INTO public.audit VALUES (17, 1795814910.6026008, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}', '8b01e3fefb8d1e58f47791b52553fd81baeac40ce6260583f940f265759f3355', '0ca6c7b3debc04102603ec81d4f4b194de8b2d2dc78d02f7ae14b14ccb8831d2');
INSERT INTO public.audit VALUES (18, 1795814910.6085389, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/plant', 200, '{"selector": {"labels": {"site": "north"}}}', '0ca6c7b3debc04102603ec81d4f4b194de8b2d2dc78d02f7ae14b14ccb8831d2', '6fecfbb97e03a6a933be67dae8209d52f19296846e8fe0a2f3fd84d6e5338e9c');
INSERT INTO public.audit VALUES (19, 1795814910.8712707, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}', '6fecfbb97e03a6a933be67dae8209d52f19296846e8fe0a2f3fd84d6e5338e9c', 'e65306157d68632961cc85c2145006f692bedbc33c51a8d023ddee3d0289993e');
INSERT INTO public.audit VALUES (20, 1795814910.8804412, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', 'e65306157d68632961cc85c2145006f692bedbc33c51a8d023ddee3d0289993e', '3ad374148c3c7bf11c65d97f808d3e100e434313943537b87ba0cbb36c11856e');
INSERT INTO public.audit VALUES (21, 1795814910.8916476, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '3ad374148c3c7bf11c65d97f808d3e100e434313943537b87ba0cbb36c11856e', 'f05e0635f21abb2b4f34fc15de97b94fa5a757471867e8677293f733b54142d3');
INSERT INTO public.audit VALUES (22, 1795814911.0230446, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', 'f05e0635f21abb2b4f34fc15de97b94fa5a757471867e8677293f733b54142d3', 'd7c259229312c1ede61f2c3491a2bf8193db587266840ebaf8a6f50ca4f75627');
INSERT INTO public.audit VALUES (23, 1795814911.038129, 'ada', 'admin', 'session', '127.0.0.1', 'view_logs', '/devices/press-00/logs', 200, '{}', 'd7c259229312c1ede61f2c3491a2bf8193db587266840ebaf8a6f50ca4f75627', '476443de069fff95f08b35672a15df35b9f1c902d96cb6c1057c90e4c5ee37a2');
INSERT INTO public.audit VALUES (24, 1795814911.256165, 'ada', 'admin', 'session', '127.0.0.1', 'get_last_logs', '/devices/press-00/logs/last', 200, '{}', '476443de069fff95f08b35672a15df35b9f1c902d96cb6c1057c90e4c5ee37a2', 'b76e198290a7901266ffd169f0e37a287a80f94372b5b87c2d4c909911ace998');
INSERT INTO public.audit VALUES (25, 1795814911.2642128, 'ada', 'admin', 'session', '127.0.0.1', 'request_support_bundle', '/devices/press-00/support-bundles', 202, '{}', 'b76e198290a7901266ffd169f0e37a287a80f94372b5b87c2d4c909911ace998', '358eab3208c46376f47f72974b6ad3438dba1fcabfee9a2a158bf7b9a7bbfecc');
INSERT INTO public.audit VALUES (26, 1795814911.4006748, 'ada', 'admin', 'session', '127.0.0.1', 'delete_support_bundle', '/devices/press-00/support-bundles/4ff0092e96b64b2cb2f82c57f789ebc5', 204, '{}', '358eab3208c46376f47f72974b6ad3438dba1fcabfee9a2a158bf7b9a7bbfecc', '736bc83be525878b92773dfec303200a55a8c3ec914d1f7abf74afc12806aae3');
INSERT INTO public.audit VALUES (27, 1795814911.4079845, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '736bc83be525878b92773dfec303200a55a8c3ec914d1f7abf74afc12806aae3', 'bd17f2c26aa6239c9766e79d7e11798bd14fac95db98be71cd698764abb4cbd3');
INSERT INTO public.audit VALUES (28, 1795814911.518621, 'ada', 'admin', 'session', '127.0.0.1', 'review_events', '/events/reviews', 200, '{"events": [3], "verdict": "confirmed"}', 'bd17f2c26aa6239c9766e79d7e11798bd14fac95db98be71cd698764abb4cbd3', 'e5e0cc71516cc7e8c74ed96295bdba239ea516597e1b0992d78664a1d1b3fd3c');
INSERT INTO public.audit VALUES (29, 1795814911.5487885, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'e5e0cc71516cc7e8c74ed96295bdba239ea516597e1b0992d78664a1d1b3fd3c', '6a135e204ec967e892039ff092a8e5b9c08b2eeeb381179612c230264db06ea5');
INSERT INTO public.audit VALUES (30, 1795814912.5665698, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', '6a135e204ec967e892039ff092a8e5b9c08b2eeeb381179612c230264db06ea5', 'd34244e6f075dcc661b47c6bb4d1273a7e017075fb7553bee2baed12405c3e20');
INSERT INTO public.audit VALUES (31, 1795814912.5839627, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', 'd34244e6f075dcc661b47c6bb4d1273a7e017075fb7553bee2baed12405c3e20', '85b85b46b825f9dd02c77077524cb0ebc45ed4299e5e5bfc970cc661e5ead073');
INSERT INTO public.audit VALUES (32, 1795814912.5984297, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '85b85b46b825f9dd02c77077524cb0ebc45ed4299e5e5bfc970cc661e5ead073', 'a1bc11bba941992d35f99538b4ea835b0f48ad5a725e78d7ed1eb9e979f68144');
INSERT INTO public.audit VALUES (33, 1795814912.6140363, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', 'a1bc11bba941992d35f99538b4ea835b0f48ad5a725e78d7ed1eb9e979f68144', 'faa8da116a269390bc0731c10a2f471d693439b87d88f4fc1f6fd16d4b4cedb8');
INSERT INTO public.audit VALUES (34, 1795814912.629099, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'faa8da116a269390bc0731c10a2f471d693439b87d88f4fc1f6fd16d4b4cedb8', '278e2e0d94b2a237e83cc288d47bee504ab52c37304e78c58ab22638761c88d7');
INSERT INTO public.audit VALUES (35, 1795814912.6439967, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '278e2e0d94b2a237e83cc288d47bee504ab52c37304e78c58ab22638761c88d7', '331e0ea5b3b39fb7e3e95768c0535156f4eba839881a5ef2d4cd280c218e4c92');
INSERT INTO public.audit VALUES (36, 1795814913.5860207, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '331e0ea5b3b39fb7e3e95768c0535156f4eba839881a5ef2d4cd280c218e4c92', 'af5eb954369694a57ad4c14434e9075b7c06edd5af6b29526eabb3c74141fe77');
INSERT INTO public.audit VALUES (37, 1795814913.6395059, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'af5eb954369694a57ad4c14434e9075b7c06edd5af6b29526eabb3c74141fe77', '379bbebb161f7dc247e67628fa16e07ced09159905a9a2a917d41be466dbe22b');
INSERT INTO public.audit VALUES (38, 1795814913.6678934, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '379bbebb161f7dc247e67628fa16e07ced09159905a9a2a917d41be466dbe22b', 'e61b8edb102ad2e4371fde03813e8151b76db097a93ea9356a67fa9e8eff6cc9');
INSERT INTO public.audit VALUES (39, 1795814913.6844897, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', 'e61b8edb102ad2e4371fde03813e8151b76db097a93ea9356a67fa9e8eff6cc9', 'cbc8e2f8311e8412caba1207fc0e30639cd1b33e3949410aa007afee04a66af6');
INSERT INTO public.audit VALUES (40, 1795814913.7771523, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'cbc8e2f8311e8412caba1207fc0e30639cd1b33e3949410aa007afee04a66af6', '66fcf04a13b300aca7a6c4d2828adc40b858c05d4a4a6e8a03ae88eaa3616a7d');
INSERT INTO public.audit VALUES (41, 1795814913.7943504, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '66fcf04a13b300aca7a6c4d2828adc40b858c05d4a4a6e8a03ae88eaa3616a7d', '0f63ce59b0ba17469e17155156e91284297bb6d919e256d6966f630e8c414850');
INSERT INTO public.audit VALUES (42, 1795814913.811978, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '0f63ce59b0ba17469e17155156e91284297bb6d919e256d6966f630e8c414850', '83139db9327ce03d872f7c25bf9b4584b01ffce2315387cc8df1c9e4f35fd4f8');
INSERT INTO public.audit VALUES (43, 1795814913.8241475, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', '83139db9327ce03d872f7c25bf9b4584b01ffce2315387cc8df1c9e4f35fd4f8', 'bcb2ea46e34b4ad5b6318f580073de1e382862ede7a681483c3a7c5e121750f6');
INSERT INTO public.audit VALUES (44, 1795814913.8486218, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', 'bcb2ea46e34b4ad5b6318f580073de1e382862ede7a681483c3a7c5e121750f6', 'b0f6315ccd4c7ea467ea023988c4ad2ab9ebbe45dc954b8b694e21e8962ee515');
INSERT INTO public.audit VALUES (45, 1795814913.8623335, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', 'b0f6315ccd4c7ea467ea023988c4ad2ab9ebbe45dc954b8b694e21e8962ee515', 'c0b08ebd9073b442824729e8cd5b90794fb0d4b288a7ac9535fb569fbf33e665');
INSERT INTO public.audit VALUES (46, 1795814913.871813, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', 'c0b08ebd9073b442824729e8cd5b90794fb0d4b288a7ac9535fb569fbf33e665', '1ea2403a71d030de69e50b04be65f9d7997b2d882ad3d8ee6ff74f0bf559f5c6');
INSERT INTO public.audit VALUES (47, 1795814913.8802705, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '1ea2403a71d030de69e50b04be65f9d7997b2d882ad3d8ee6ff74f0bf559f5c6', '6dae981fe93c5eaf97afcd5fd2343d347706ebf738f3b05fae4bbdb16e2ec94c');
INSERT INTO public.audit VALUES (48, 1795814913.894655, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', '6dae981fe93c5eaf97afcd5fd2343d347706ebf738f3b05fae4bbdb16e2ec94c', '94ff1fe84941feaac8272dbe4ec792762087ba2dbbeb60ccee1401c14111f6cd');
INSERT INTO public.audit VALUES (49, 1795814913.9135463, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', '94ff1fe84941feaac8272dbe4ec792762087ba2dbbeb60ccee1401c14111f6cd', 'd3486a99e104c0eb89f9486239238125d70fa9ce0c08a18aebb5b0c458266372');
INSERT INTO public.audit VALUES (50, 1795814915.482857, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'd3486a99e104c0eb89f9486239238125d70fa9ce0c08a18aebb5b0c458266372', '149df72155ae4e6f0ceb28f98fe92fe13f5494b5495891b28d6c4d731f41b180');
INSERT INTO public.audit VALUES (51, 1795814915.486968, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', '149df72155ae4e6f0ceb28f98fe92fe13f5494b5495891b28d6c4d731f41b180', '1cffdf589d9c03d3a736f2046136f95d2268eda6a909cfc1d3d6148d7ec31de4');
INSERT INTO public.audit VALUES (52, 1795814915.4915817, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '1cffdf589d9c03d3a736f2046136f95d2268eda6a909cfc1d3d6148d7ec31de4', '73fb641f1a37adfa937fa31c90672b9ff203e5a7182b35007295bd41a54fc400');
INSERT INTO public.audit VALUES (53, 1795814915.4994807, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}', '73fb641f1a37adfa937fa31c90672b9ff203e5a7182b35007295bd41a54fc400', '14d0de204afa1ff498d7435db6748a1827636d57079c3420e41f6b117419f25c');
INSERT INTO public.audit VALUES (54, 1795814915.5043468, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_recipient', '/alert-recipients/1', 200, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}', '14d0de204afa1ff498d7435db6748a1827636d57079c3420e41f6b117419f25c', 'c57afaa1841db7448a01ee04888ae7eca2fa714f05b6830f3b30975f0d79d752');
INSERT INTO public.audit VALUES (55, 1795814915.510837, 'ada', 'admin', 'session', '127.0.0.1', 'test_alert_recipient', '/alert-recipients/1/test', 200, '{}', 'c57afaa1841db7448a01ee04888ae7eca2fa714f05b6830f3b30975f0d79d752', '1c6925921ccbb6260d9b835b05fccaf80f9c78bc8c3a71309d7e7709ef06f587');
INSERT INTO public.audit VALUES (56, 1795814915.5246556, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"rule": 1, "until_at": 1795818515.516136, "reason": "the fan is replaced"}', '1c6925921ccbb6260d9b835b05fccaf80f9c78bc8c3a71309d7e7709ef06f587', 'fdbab62658798c1f2bd44a5672675ae2e5964644d3736633c70d5731519e3770');
INSERT INTO public.audit VALUES (57, 1795814915.535557, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"device": "press-00", "until_at": 1795818515.5327303, "reason": "moved"}', 'fdbab62658798c1f2bd44a5672675ae2e5964644d3736633c70d5731519e3770', 'c367fba6a61456a1304cd15b64f7603945f3d033abf714ca6cb1016ffd6305e0');
INSERT INTO public.audit VALUES (58, 1795814915.5398226, 'ada', 'admin', 'session', '127.0.0.1', 'end_alert_snooze', '/alert-snoozes/2', 204, '{}', 'c367fba6a61456a1304cd15b64f7603945f3d033abf714ca6cb1016ffd6305e0', '767a5a883aa9ae07355f05133749d00b87f043a2e335d53d8c1674747784f5a1');
INSERT INTO public.audit VALUES (59, 1795814915.547829, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "second", "kind": "email", "emails": ["ops@example.org"]}', '767a5a883aa9ae07355f05133749d00b87f043a2e335d53d8c1674747784f5a1', '6f06b1c462f4110ca1c269c5a96fe51fe5e606f48f3ed862f93f97c97729d02c');
INSERT INTO public.audit VALUES (60, 1795814915.5529664, 'ada', 'admin', 'session', '127.0.0.1', 'delete_alert_recipient', '/alert-recipients/2', 204, '{}', '6f06b1c462f4110ca1c269c5a96fe51fe5e606f48f3ed862f93f97c97729d02c', '2ad035ee6a7a007877874940de6421f8588971a580cfb687fcce6cf833c18e91');
INSERT INTO public.audit VALUES (61, 1795814915.5762842, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', '2ad035ee6a7a007877874940de6421f8588971a580cfb687fcce6cf833c18e91', 'c4bae526b062a0bfd9b80362a8519dfe434a341986a0a6dde81e598472d521ad');
INSERT INTO public.audit VALUES (62, 1795814915.59691, 'ada', 'admin', 'session', '127.0.0.1', 'withdraw_version', '/trust/withdraw', 200, '{"package": "pipeline-gate", "version": "1.0.0"}', 'c4bae526b062a0bfd9b80362a8519dfe434a341986a0a6dde81e598472d521ad', '1845195ac054633624e6e7497d1aa92e65e1c9d18f97a51568cc463024a05d37');
INSERT INTO public.audit VALUES (63, 1795814915.6432106, 'ada', 'admin', 'session', '127.0.0.1', 'begin_authority_rotation', '/certificates/rotation', 200, '{}', '1845195ac054633624e6e7497d1aa92e65e1c9d18f97a51568cc463024a05d37', '2e50baf4143b418774f833031db7b2441e99c6bda33e8a79ad35bdd2c4d33e7a');
INSERT INTO public.audit VALUES (64, 1795814915.660398, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', '2e50baf4143b418774f833031db7b2441e99c6bda33e8a79ad35bdd2c4d33e7a', '7580dba9cedf8f850356bb545f57b11aee2dcce09420498e4bbe7c432c433e80');
INSERT INTO public.audit VALUES (65, 1795814915.6796284, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHLMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABK6hSJepOpREfWB90SUFtNzwtNw4vLKE9/BPovOFpqV/JyQGcMuB7UUw\nGeC61mLVaUSaN23rwqTcpQdHI1UKDrSgADAKBggqhkjOPQQDAgNHADBEAiAzt44C\nA2wp8DutWg3+MEE2EVMBaK5z+TpAapLzBqkEggIgEk0mVbUr9e9utGnwXCwrlOFo\nym36NZKdtqTpT9zK9yU=\n-----END CERTIFICATE REQUEST-----\n"}', '7580dba9cedf8f850356bb545f57b11aee2dcce09420498e4bbe7c432c433e80', '3c28616ef68187b6508e3a17ac1c021601b19fcb3530c6c8cfffb52a0169969f');
INSERT INTO public.audit VALUES (66, 1795814915.6894128, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABLozskFqjvUbMtDP3hpx5CQY4RIvTXG/4YhgdPIeibdoPcrmP821JQkt\nlBOTAUXskzF2usOieB5vEcUDhubkWOegADAKBggqhkjOPQQDAgNIADBFAiBpb5Ng\ncdlnHIod+G5l1mGdDPhH7DcbYaLfekJ2nhe6zwIhAOzqTUMe1sOqLogr6aVAsjpd\n8HnoSBtwoAcRIyKQejy3\n-----END CERTIFICATE REQUEST-----\n"}', '3c28616ef68187b6508e3a17ac1c021601b19fcb3530c6c8cfffb52a0169969f', '81eca99eaf178b00bdea0848153a59e04d5719b8478908ec93592b910164b3b9');
INSERT INTO public.audit VALUES (67, 1795814915.7027512, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', '81eca99eaf178b00bdea0848153a59e04d5719b8478908ec93592b910164b3b9', '6b1bc89aa8d2a19d96dc1b8f60e3760bde1c7625095c27d619ee025861d06e86');
INSERT INTO public.audit VALUES (68, 1795814915.7083344, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '6b1bc89aa8d2a19d96dc1b8f60e3760bde1c7625095c27d619ee025861d06e86', '9df18318c9388e7ad31548e9943f33b0614d3026d39b6f0017c1435854a549ff');
INSERT INTO public.audit VALUES (69, 1795814915.714173, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '9df18318c9388e7ad31548e9943f33b0614d3026d39b6f0017c1435854a549ff', '72f3995dd318b40b5d33a38782099131821e260bb0b3741955f71bc56c2da549');
INSERT INTO public.audit VALUES (70, 1795814915.732703, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABOELoAqGd4VWqPh1t7sl4hyB9Z5dqP76jVVtRxwUPtkin6pNhmwk\nKOD6tMcuLb5ka6AvqFLniSq/6MI6UerZlougADAKBggqhkjOPQQDAgNJADBGAiEA\n4BtQXeb9C8OPALyQAXtNKzC8EaqbJ9YEJDtOUdJX2vACIQCkeNvXOe+rjUvi+QH+\nOG02QQ7rNHap8ndV5FSvD4s8/g==\n-----END CERTIFICATE REQUEST-----\n"}', '72f3995dd318b40b5d33a38782099131821e260bb0b3741955f71bc56c2da549', '63f4bac670aa394493967459bdee13da30879377aa36f612d6572c4ecf847a9b');
INSERT INTO public.audit VALUES (71, 1795814915.7463849, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', '63f4bac670aa394493967459bdee13da30879377aa36f612d6572c4ecf847a9b', '5dde0ced3635738619e4cfb99b44d2a719a23dc7716f21cd1b2a328d6853e5fa');
INSERT INTO public.audit VALUES (72, 1795814915.7545364, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', '5dde0ced3635738619e4cfb99b44d2a719a23dc7716f21cd1b2a328d6853e5fa', 'f85a21b9412e08583493ad1a2083a0b35afaeaa661e3b3ff8f29df6c3bde8382');
INSERT INTO public.audit VALUES (73, 1795814915.7614083, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', 'f85a21b9412e08583493ad1a2083a0b35afaeaa661e3b3ff8f29df6c3bde8382', '370a87002da0c4e7b3fe3136debaee1c80ee637552ce508e4ca853cd3af2d93c');
INSERT INTO public.audit VALUES (74, 1795814915.7832448, 'ada', 'admin', 'session', '127.0.0.1', 'finish_authority_rotation', '/certificates/rotation/finish', 200, '{"online_days": 0.0}', '370a87002da0c4e7b3fe3136debaee1c80ee637552ce508e4ca853cd3af2d93c', '57740dd574e533e1c4a5db3889dc8eec51bfff89cb21f4e4e410abf67c8aa759');
INSERT INTO public.audit VALUES (75, 1795814915.7911081, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', '57740dd574e533e1c4a5db3889dc8eec51bfff89cb21f4e4e410abf67c8aa759', '285f4362fe4a21057a5c4793028c3b3af3bb53e49c1f3ff5a8983b15e3b62373');
INSERT INTO public.audit VALUES (76, 1795814915.8422146, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', '285f4362fe4a21057a5c4793028c3b3af3bb53e49c1f3ff5a8983b15e3b62373', 'c4865998bae183e8daf85c50f534338891865235fb6e869d085af7912400f77a');
INSERT INTO public.audit VALUES (77, 1795814915.858882, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', 'c4865998bae183e8daf85c50f534338891865235fb6e869d085af7912400f77a', 'a03799a0c12f0dd838738fadfa07e16956f1cd9d5a6b6c8055245a7f7854b952');
INSERT INTO public.audit VALUES (78, 1795814915.873172, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', 'a03799a0c12f0dd838738fadfa07e16956f1cd9d5a6b6c8055245a7f7854b952', '6ff1e5b0824e55ca3c2f7c44da3d6a5c3b784176dc937016ae32a3f8859124fd');
INSERT INTO public.audit VALUES (79, 1795814915.8930037, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', '6ff1e5b0824e55ca3c2f7c44da3d6a5c3b784176dc937016ae32a3f8859124fd', 'e0c5b3bc579ba3e7aeb28327e1ec665ac8bc879d78a9dc3c84d97d61f4fc0bcb');
INSERT INTO public.audit VALUES (80, 1795814915.8971326, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', 'e0c5b3bc579ba3e7aeb28327e1ec665ac8bc879d78a9dc3c84d97d61f4fc0bcb', '1702e884f92f653fc6aecafec5d56532612e1703caf68f8fa78fb255fba2b5aa');
INSERT INTO public.audit VALUES (81, 1795814915.9083385, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', '1702e884f92f653fc6aecafec5d56532612e1703caf68f8fa78fb255fba2b5aa', 'ffe9b1200e84fdb8ba6c646b4998775468f2daea8a7c4f5a0a1746bb5acf08be');
INSERT INTO public.audit VALUES (82, 1795814915.9606917, 'ada', 'admin', 'session', '127.0.0.1', 'create_dossier', '/dossiers', 200, '{"component": "numpy", "version": "", "stage": "72h"}', 'ffe9b1200e84fdb8ba6c646b4998775468f2daea8a7c4f5a0a1746bb5acf08be', 'fda42c2d266ef18fb5912146e95239d516eec17010ca625a7ca080c2e3154496');
INSERT INTO public.audit VALUES (83, 1795814916.5010302, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', 'fda42c2d266ef18fb5912146e95239d516eec17010ca625a7ca080c2e3154496', 'b5de0cabd1db0955d69304efa957c173ce5f32298474a698a907fbd12bd16945');
INSERT INTO public.audit VALUES (84, 1795814919.220409, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:43325/fleet_1', 0, '{"from": "/tmp/tmpu9u3hb7k/fleet/fleet.db"}', 'b5de0cabd1db0955d69304efa957c173ce5f32298474a698a907fbd12bd16945', '15f15f50a7f6f3d3b7b4690343c9faa02e6f85d9387800bf1fddb660d96750c9');
INSERT INTO public.audit_archived VALUES (1, '67872292a07d6d75e56369cf051ce1f1a36e5895798c624983106eac932a190e');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'agent', 'edgefleet-agent', '0.3.0');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'runtime', 'python', '3.11.2');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'library', 'numpy', '2.3.1');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795814905.457518);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795814905.457518);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795814905.529265);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795814905.529265);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795814905.457518);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795814905.4941275);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795814905.4941275);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795814905.4941275);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795814905.529265);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795814905.529265);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795814905.529265);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795814905.6606476);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795814905.6606476);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795814905.6606476);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795814915.7599885, 'lost again');
INSERT INTO public.camera_hour VALUES ('press-00', 'hall', 1795813200, 6, 0);
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795814905.608763, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795814905.5987072, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795814905.608763, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795816800);
INSERT INTO public.command VALUES ('bill-62218b8a25eb45a3a4bca31171a3c8bb', 'press-00', 'bill', '{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}', 'done', 'did it', '{}', 1795814910.4470258, 1795814955.4470258, 1795814910.5438526);
INSERT INTO public.command VALUES ('4e8ee69d21ea47b2a425068adbac69b6', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795814910.8902578, 1795814940.8902578, 1795814910.9878783);
INSERT INTO public.command VALUES ('1e345418c03549208e1a9ab5e34a0963', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795814911.0217278, 1795814971.0217278, 1795814911.099548);
INSERT INTO public.command VALUES ('logs-6340f824b97c4ed6b98142260ec0e258', 'press-00', 'logs', '{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}', 'done', 'did it', '{"source":"service","level":"debug","search":"","lines":200,"after":""}', 1795814911.038129, 1795814936.038129, 1795814911.099548);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795814910.8783348, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795814913.9501634);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795814905.7472234);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', '{}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor":"1"}', '{}', '{"floor":"1"}', 1795814913.894601, '[]');
INSERT INTO public.device VALUES ('press-02', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795814905.7472234, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_bill VALUES (1, 'press-00', '08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795814905.7472234, NULL);
INSERT INTO public.device_certificate VALUES ('5d4ae953db21c9993988da2abe5f59c970c5622d', 'enrolled-1', 1795814915.7262912, 1803590915, 1795814915.7450747);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}', 'in the north', 1795814910.5985377, 'ada');
INSERT INTO public.device_group VALUES ('plant', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', '', 1795814910.606877, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795814915.8957493, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795814916.595451, 'boot-1', '', 4, 1795814916.595451, 'boot-1', 14, 3, '{}', 10000000000, '[]', '[]', 0, 1795814913.916268, '{"at":1795814913.916268,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795814916.6580918, 'boot-1', '', 4, 1795814916.6580918, 'boot-1', 13, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795814916.7459075, 'boot-1', '', 4, 1795814916.7459075, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795814916.800131, 'boot-1', '', 4, 1795814916.800131, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795814916.902043, 'boot-1', '', 4, 1795814916.902043, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795814917.0012736, 'boot-1', '', 4, 1795814917.0012736, 'boot-1', 10, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996038748004294, 1795814916.054433, '[]');
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814913.8977685}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795814913.897783);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795814914.1455457}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795814914.1455514);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795814914.1457946}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795814914.145798);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.858447}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795814911.8584545);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.8636577}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795814911.8636615);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.8567338}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795814911.8567376);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814913.7219157}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795814913.7219276);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795814913.968109}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795814913.968121);
INSERT INTO public.enrolled_labels VALUES ('enrolled-1', '{"site":"north"}', 1795814915.7310565);
INSERT INTO public.enrolment_request VALUES ('image-1', '41d15521f29e', '7921cfa0525945788dc93e26a41421d7b5827675b786fc0e354a09521c5eb1d9', 'approved', 1795814915.6707387, 1795814915.6707387, 1795814915.7009342, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '41d15521f29e', '272f7597176f12e85d0c0efffce88f14fcbb5c0df708ce1b9459ce7b6598c86d', 'waiting', 1795814915.6866193, 1795814915.6866193, NULL, '');
INSERT INTO public.enrolment_token VALUES ('41d15521f29e', 'e0b059fe255e82fcaa088104485112550018535f3f331896bf7db6037439ca8f', '', '{}', 1795814915.6590946, 1795914915.6590946, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('73fd00248c9e', '292cf7422e78acb6ab8d483c5982c1eb14f76c05aebf3539519f7c3ddbeebe52', '', '{"site": "north"}', 1795814915.7074971, 1795914915.7074971, 1795814915.7262912, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('f87a64a65b18', '529720be08084d29a91e2e70d42132327212c3afb941020404998a6d233bdc18', '', '{"site": "north"}', 1795814915.713352, 1795914915.713352, NULL, '', NULL, 1, 0, false);
INSERT INTO public.environment_bill VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795814910.5438526, 1795814970.4470258, 1, 0, 0, '{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795814905.7056475, 1795814905.7472234, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795814905.7056475,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795814905.7056487, 1795814905.7472234, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795814905.7056487,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795814905.7056494, 1795814905.7472234, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795814905.7056494,"label":"person","count":2}');
INSERT INTO public.event_review VALUES (3, 'confirmed', 'ada', 1795814911.5184803);
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795814913.7598968, 'ada', 1795814913.7911131, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795814913.8056512, 'ada', 1795814913.82227, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795814905.5590518, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795814917.3731813, 1795814917.3731813, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795814915.4515288, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}', 'waiting', 1, 1795814926.4204245, 1795814915.4515288, 'Connection refu(hidden)ed', NULL);
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795814917.3731813);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795814905.457518, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795814905.4941275, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795814905.529265, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795814905.6606476, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$V+jSE30FJEMbyoea4vY1Rw==$T+UBBs8BuyyMeaSYuWo5DJaMt6Dq3UJ63Ken6Xf1UC0=', 1795814904.5513582, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$T5jcjwHexNWmDXa3yevKBA==$fNDDy3V7U5zItYnEug1ePDOE9e5xxilhNITpuVgRyzU=', 1795814905.3734522, false, NULL);
INSERT INTO public.person VALUES ('lea', 'viewer', 'scrypt$15$8$3$+6cWKW4o1pjPeLJpRTKCGA==$x3CVEkZUdTZHeaz5dBvuROs27ULscY0B+OSM9GH+s9c=', 1795814910.8703692, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795814913.8621354);
INSERT INTO public.proposal VALUES (1, 'approved', '905c44c41cd7', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795814915.835789, 1796419715.835789, 1795814915.8918717, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', '905c44c41cd7', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795814915.856764, 1796419715.856764, 1795814915.907869, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', '905c44c41cd7', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795814915.8710911, 1796419715.8710911, NULL, '', '', 0, '');
INSERT INTO public.request_key VALUES ('c90cbf3895931a6f02a1b3441ea0aa2dfc7c15baf1f8f308294219299abbaa6a', '6773901fd1056c979a0ad4eb8e7f81acba31ad7ccf8390f7163f86d445887e18', '56f5956fef56ca83fd57231a7a810ba7978c239be10ad7ad65b1a92f80cac087', '53b3fb16583c01e8', 1795814915.5179133, 1795815035.5179133, true, 201, '21Ao3c/o5t/eWOikBz6gHVdGPj6yCn12r2XCcN73HXFFO8IUqXWBoOkoFsmHMgSoUv3ZjMa7O6o5Msu9OY6zfDOiZ4SDhdNyD/2p7XOOkZBzWsCnipM30Et3k6YEzTkRHYt2iVJgI8nJ4EOIfpEuqUG5MEp/NlA257inUUFAaZzUS2yajrbmBFI1/v2EIGc7pP7dK5yfsLtgYU4KXhJnDI7dLZ8O6ZURtOvMQmUrqmIzn54pSU4+vyfeYwBKhGO4TK87TrOPTxwMyRS84RCe3+1v+ERSthx9ia7Xe09ihN9O6vScaIHlaoaUFE5dI+kaAVhwfZwJujRFO+eRVhrUrnRGfmsWZw3VFLbl2tF8i1+PiQGlcUAUnyrScJcBtEwiFicW7cXycFiO1tQWSY/JznHJEL03ziii9KJ2m/vLSpSTGMA=');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795814917.3731813, 1795815217.3731813, 0);
INSERT INTO public.retention VALUES ('samples', 1795814905.4195683, 0, 0.000752574997022748, '');
INSERT INTO public.retention VALUES ('events', 1795814905.4195683, 0, 0.0003013160021509975, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795814911.5433035, 1795814911.5433035, 1795814912.5132377, 1795814912.5132377, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795814912.5622153, 1795814912.5796213, 1795814913.9564068, 1795814913.9564068, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795814913.6367378, 1795814913.6367378, 1795814914.8072803, 1795814914.8072803, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795814913.6657236, NULL, 1795814913.6805367, 1795814913.6805367, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795814913.7598968, 1795814913.7598968, 1795814913.826788, 1795814913.826788, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795814913.8056512, 1795814913.8056512, 1795814913.826788, 1795814913.826788, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795814913.8455317, 1795814913.8455317, 1795814914.8072803, 1795814914.8072803, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814580, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814640, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814700, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814760, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814820, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814880, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795813200, '\x85ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406b4646574656374696f6e735f7065725f6672616d659506cb0000000000000000cb0000000000000000cb000000000000000081d1800006af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', 'f8f26cdd711e3baede1fb50d953330d3', 1795814904.3196955);
INSERT INTO public.secret VALUES ('web push', 'd272f963beea26629d166c296d97b9fd', 1795814904.3259676);
INSERT INTO public.secret VALUES ('corpus', 'bc34a06b0ebbfc620c5f5aff66eef9f6', 1795814917.5786152);
INSERT INTO public.session VALUES ('6773901fd1056c979a0ad4eb8e7f81acba31ad7ccf8390f7163f86d445887e18', 'ada', 1795814904.8345985, 1795814904.8345985, 1796419704.8345985, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795814905.4482384, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795814605.7056289, 1795814905.7472234, '{"at":1795814605.7056289,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795814665.7056322, 1795814905.7472234, '{"at":1795814665.7056322,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795814725.7056344, 1795814905.7472234, '{"at":1795814725.7056344,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795814785.7056365, 1795814905.7472234, '{"at":1795814785.7056365,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795814845.705639, 1795814905.7472234, '{"at":1795814845.705639,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795814913.916268, 1795814913.9501634, '{"at":1795814913.916268,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795814911.5433035, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795814911.5433035, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795814911.6013706, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795814911.959284, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795814912.5132377, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795814912.5132377, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795814912.5622153, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795814912.5796213, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795814912.5967312, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795814912.6111765, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795814912.6261063, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795814912.642226, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795814912.6724048, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795814913.0181756, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795814913.572903, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795814913.572903, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795814913.58458, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795814913.6367378, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795814913.6367378, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795814913.6657236, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795814913.6805367, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 3, 1795814913.6977236, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795814913.7598968, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795814913.7598968, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795814913.7911131, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795814913.8056512, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795814913.8056512, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795814913.82227, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795814913.826788, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (30, 5, 1795814913.826788, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 6, 1795814913.826788, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (32, 6, 1795814913.826788, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 7, 1795814913.8455317, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (34, 7, 1795814913.8455317, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 7, 1795814913.8873131, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (36, 2, 1795814913.9564068, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (37, 2, 1795814913.9564068, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 3, 1795814914.0105476, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795814914.2494936, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795814914.8072803, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 3, 1795814914.8072803, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795814914.8072803, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795814914.8072803, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.user_grant VALUES ('lea', 'plant', 'operator');
INSERT INTO public.version_share VALUES (1795814700, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795814911.6013706, 1795814911.959284, 1795814912.5132377, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795814912.6724048, 1795814913.0181756, 1795814913.572903, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795814912.6261063, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795814913.6977236, 1795814914.0105476, 1795814914.8072803, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795814913.826788, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795814913.826788, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795814913.8873131, 1795814914.2494936, 1795814914.8072803, 0, 0, false, NULL, false);
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
SELECT pg_catalog.setval('public.version_share_at_seq', 1795814701, false);
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
