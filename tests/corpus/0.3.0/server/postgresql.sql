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
INSERT INTO public.alembic_version VALUES ('0019');
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795815174.081354, NULL, 1795815174.125658, 'ada', '[]');
INSERT INTO public.alert_recipient VALUES (1, 'on call', 'ntfy', '{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}', '[]', '["critical"]', true, 1795815174.1419213, 1795815174.1419213, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795815234.1348577, 'ada', 1795815172.5175214, 'ada');
INSERT INTO public.alert_snooze VALUES (1, 1, '', '', 1795818774.1560764, 'the fan is replaced', 1795815174.1634827, 'ada');
INSERT INTO public.alert_snooze VALUES (2, NULL, '', 'press-00', 1795815174.1771972, 'moved', 1795815174.1729004, 'ada');
INSERT INTO public.api_token VALUES ('ba01e55c3a55', '62ffe11312086df1494618b9797122ba6f703f1525de5db0cd1aa96d1e9f728e', 'ada', 'reads', 'admin', 1795815164.002367, 1803591164.002367, NULL, '[]', '[]');
INSERT INTO public.api_token VALUES ('823fcaf73da0', '3954006a2208f97af6c08a481791b9deeb188af3675cdb2cf40bac2233525b6f', 'ada', 'proposes', 'operator', 1795815174.3898258, 1803591174.3898258, 1795815174.4160078, '["propose"]', '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795815172.3110447, false, 0, 0);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795815170.2111604, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795815172.488012, true, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795815170.2111604, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795815170.2111604, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795815170.2111604, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795815172.3110447, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795815172.488012, true, 60, 30);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795815170.2111604, 1795815170.569994, 1795815170.569994, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795815171.3056886, 1795815172.6592143, 1795815172.6592143, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795815171.3056886, 1795815171.3056886, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795815172.3110447, 1795815172.6592143, 1795815172.6592143, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795815172.3307812, 1795815172.3307812, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795815172.3307812, 1795815172.3307812, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.4240038, 1795815172.4240038, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.4240038, 1795815172.4240038, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.4240038, 1795815172.4240038, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.488012, 1795815172.488012, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.488012, 1795815172.488012, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815172.488012, 1795815172.488012, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795815172.488012, 1795815172.8412974, 1795815172.8412974, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795815163.716431, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', 'c0301e18fa6465e2da418c8d598c2a2a76cf36b25f5060459ec5f8a0cb04ea7c', '84dcb028cfe45a8d761d5f85b01093f3e4765ac4d203e4e75414b437033336f3');
INSERT INTO public.audit VALUES (3, 1795815163.981696, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '84dcb028cfe45a8d761d5f85b01093f3e4765ac4d203e4e75414b437033336f3', 'f4d0e59697bf3bb557dc0e7855bfbe8d97ad12e56458e533fcde6af6bed3cccb');
INSERT INTO public.audit VALUES (4, 1795815163.9945717, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', 'f4d0e59697bf3bb557dc0e7855bfbe8d97ad12e56458e533fcde6af6bed3cccb', 'dbf65357eac36f9da6d2c1adce086a263d43d78395b2464d203b8abbb1fa6e9e');
INSERT INTO public.audit VALUES (5, 1795815164.0043523, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', 'dbf65357eac36f9da6d2c1adce086a263d43d78395b2464d203b8abbb1fa6e9e', 'ffd4156ff635f4df3b04e143756d92d9595457c978b7e41f7d9f33c7478e927e');
INSERT INTO public.audit VALUES (6, 1795815164.0268972, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', 'ffd4156ff635f4df3b04e143756d92d9595457c978b7e41f7d9f33c7478e927e', 'fa9a2a958926050d338c92c7a8a149ba7e8ff54ca7c860a308953f573bda55b1');
INSERT INTO public.audit VALUES (7, 1795815164.0711405, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', 'fa9a2a958926050d338c92c7a8a149ba7e8ff54ca7c860a308953f573bda55b1', '56f464f0e302357dffbc21060dc02b945264f4d033b5478334227bbc5e6a23f3');
INSERT INTO public.audit VALUES (8, 1795815164.0915284, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '56f464f0e302357dffbc21060dc02b945264f4d033b5478334227bbc5e6a23f3', 'a21ec6c0ff6c5ce92b2556b704e1d32fde5d8bac4529d0f7027b2f5aa81a045b');
INSERT INTO public.audit VALUES (9, 1795815164.1047256, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', 'a21ec6c0ff6c5ce92b2556b704e1d32fde5d8bac4529d0f7027b2f5aa81a045b', '4f2498f42d9b7953cfbf64116e3863ef3ce8fd10ef6abf509406df6e010a87cf');
INSERT INTO public.audit VALUES (10, 1795815164.1243184, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/38bff6f129f4a0190e93841b5acd4193/finish', 201, '{}', '4f2498f42d9b7953cfbf64116e3863ef3ce8fd10ef6abf509406df6e010a87cf', 'aff2f0de346888441b66852b54f748f6039dafeffed8aa9134edce4b4d0036e0');
INSERT INTO public.audit VALUES (11, 1795815164.1466925, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', 'aff2f0de346888441b66852b54f748f6039dafeffed8aa9134edce4b4d0036e0', '5c24d3390db85c0103bd0c5379e1dafb4c241486ce35fbefd568017e388c8a50');
INSERT INTO public.audit VALUES (12, 1795815164.1777415, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '5c24d3390db85c0103bd0c5379e1dafb4c241486ce35fbefd568017e388c8a50', 'd62041da024c1e5dbfb172477abf24a495584ae82ba71f01a8618796fe1820c7');
INSERT INTO public.audit VALUES (13, 1795815164.1849728, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', 'd62041da024c1e5dbfb172477abf24a495584ae82ba71f01a8618796fe1820c7', 'fd87d24ad9c2ecba84a9589e88393b102c9bbdc68bb387c98265846774842ceb');
INSERT INTO public.audit VALUES (14, 1795815164.2142148, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', 'fd87d24ad9c2ecba84a9589e88393b102c9bbdc68bb387c98265846774842ceb', '80b025b0393807d5d762e17a05115f8e0afc96dac155eb098fecd9fe539382e4');
INSERT INTO public.audit VALUES (15, 1795815164.2308998, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '80b025b0393807d5d762e17a05115f8e0afc96dac155eb098fecd9fe539382e4', 'b61e2e18f86450063d35af2dee514b02b124d683ebaa3a104e794a444772bd06');
INSERT INTO public.audit VALUES (16, 1795815169.2446227, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', 'b61e2e18f86450063d35af2dee514b02b124d683ebaa3a104e794a444772bd06', '3813365c4b940fbe6d68f680c725089eb9e0b7867d0bf98ba7d0da6a48cab0a2');
INSERT INTO public.audit VALUES (17, 1795815169.2659295, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}', '3813365c4b940fbe6d68f680c725089eb9e0b7867d0bf98ba7d0da6a48cab0a2', 'e86488ed914ca8521bd38f68e3cd159e0357a84dbfb4b218f5290e1d32a88b83');
INSERT INTO public.audit VALUES (18, 1795815169.2747471, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/plant', 200, '{"selector": {"labels": {"site": "north"}}}', 'e86488ed914ca8521bd38f68e3cd159e0357a84dbfb4b218f5290e1d32a88b83', 'bf898760322fee28127b25f0caa35b2755efd67038ab1c7974405fb8199302d9');
INSERT INTO public.audit VALUES (19, 1795815169.5338979, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}', 'bf898760322fee28127b25f0caa35b2755efd67038ab1c7974405fb8199302d9', '86031208c5b0413cb85491e20bb039dafdbb2962e47535e67a744e6274f10a1b');
INSERT INTO public.audit VALUES (20, 1795815169.5427759, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', '86031208c5b0413cb85491e20bb039dafdbb2962e47535e67a744e6274f10a1b', 'edfad70d3a12c71d38ff6ddc433045928df8a22d6edc1e588fc4c6359921a073');
INSERT INTO public.audit VALUES (21, 1795815169.5537875, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', 'edfad70d3a12c71d38ff6ddc433045928df8a22d6edc1e588fc4c6359921a073', '2dcfcc8cb494df7b9fe28c53938eb692dfe0e8aedc29c5d25226227d89ae6460');
INSERT INTO public.audit VALUES (22, 1795815169.6782215, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', '2dcfcc8cb494df7b9fe28c53938eb692dfe0e8aedc29c5d25226227d89ae6460', 'a36a1fe53f10d7bfd2f20d19105e022283827073be94d3cdc865bc90e825b3dd');
INSERT INTO public.audit VALUES (23, 1795815169.6884933, 'ada', 'admin', 'session', '127.0.0.1', 'view_logs', '/devices/press-00/logs', 200, '{}', 'a36a1fe53f10d7bfd2f20d19105e022283827073be94d3cdc865bc90e825b3dd', '276bdf343c230e3e0001dfd373e438aceb1b7ac6d983b6f06f1b9c3a98c054f6');
INSERT INTO public.audit VALUES (24, 1795815169.8996866, 'ada', 'admin', 'session', '127.0.0.1', 'get_last_logs', '/devices/press-00/logs/last', 200, '{}', '276bdf343c230e3e0001dfd373e438aceb1b7ac6d983b6f06f1b9c3a98c054f6', '361a42f575cfaef5b5a121eec703d7d5ad9d3bc657cf4633ad6ce4ff420bc2ce');
INSERT INTO public.audit VALUES (25, 1795815169.9070625, 'ada', 'admin', 'session', '127.0.0.1', 'request_support_bundle', '/devices/press-00/support-bundles', 202, '{}', '361a42f575cfaef5b5a121eec703d7d5ad9d3bc657cf4633ad6ce4ff420bc2ce', 'e48dba777447d4646ec495470e7598d5a3420eca7a17636b9146f65b0c3a5e72');
INSERT INTO public.audit VALUES (26, 1795815170.0334373, 'ada', 'admin', 'session', '127.0.0.1', 'delete_support_bundle', '/devices/press-00/support-bundles/4c760b3b44f244908f3306c7d63cc460', 204, '{}', 'e48dba777447d4646ec495470e7598d5a3420eca7a17636b9146f65b0c3a5e72', '3540365bc3bfa2436d16a9c7ffc1ec7b9f9c394258ad557ae39892bcaae8b6df');
INSERT INTO public.audit VALUES (27, 1795815170.039903, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', '3540365bc3bfa2436d16a9c7ffc1ec7b9f9c394258ad557ae39892bcaae8b6df', 'a8a3924970e70f5658f1e46fda18a28b580b1a18da185bdd511a276ab0a6cf90');
INSERT INTO public.audit VALUES (28, 1795815170.1286917, 'ada', 'admin', 'session', '127.0.0.1', 'review_events', '/events/reviews', 200, '{"events": [3], "verdict": "confirmed"}', 'a8a3924970e70f5658f1e46fda18a28b580b1a18da185bdd511a276ab0a6cf90', '921e14a5a3435a78045d7373dc948fb265294f23ef9d6dbf71067427e666b9de');
INSERT INTO public.audit VALUES (29, 1795815170.156354, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '921e14a5a3435a78045d7373dc948fb265294f23ef9d6dbf71067427e666b9de', 'ec2d9ab78386b771d7cea75c778e42bde40db4c00eb5bbe9964c66dde01e2ec6');
INSERT INTO public.audit VALUES (30, 1795815171.1999025, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', 'ec2d9ab78386b771d7cea75c778e42bde40db4c00eb5bbe9964c66dde01e2ec6', '6a3f4492031792f46b22cf232976d657a17b9a0b92bfdb6d285d3acec401a382');
INSERT INTO public.audit VALUES (31, 1795815171.2157316, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', '6a3f4492031792f46b22cf232976d657a17b9a0b92bfdb6d285d3acec401a382', 'd5547b83a7da5776aefcd1c26ab3440957d1149824059996716b09a0ace0fb5b');
INSERT INTO public.audit VALUES (32, 1795815171.227317, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', 'd5547b83a7da5776aefcd1c26ab3440957d1149824059996716b09a0ace0fb5b', 'a3c15214ec701d756a9df1b93fad9300491484270e3bce39bd5d0ab3609ab9d4');
INSERT INTO public.audit VALUES (33, 1795815171.239752, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', 'a3c15214ec701d756a9df1b93fad9300491484270e3bce39bd5d0ab3609ab9d4', 'd1a0708f9f0f82a9ffec44eabea1fd02636bbf92dc31ac2bccfbf3a8e99e1b13');
INSERT INTO public.audit VALUES (34, 1795815171.2535322, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'd1a0708f9f0f82a9ffec44eabea1fd02636bbf92dc31ac2bccfbf3a8e99e1b13', '5570767e1c1e33c490ccd5da5f11796b36a81a885f404425a753769ee0012d5e');
INSERT INTO public.audit VALUES (35, 1795815171.2692409, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '5570767e1c1e33c490ccd5da5f11796b36a81a885f404425a753769ee0012d5e', '020666a4f07bf4e19b99f17b5e19e95e60a9afc7f2fecf0aaf6b372e256a30b4');
INSERT INTO public.audit VALUES (36, 1795815172.2576516, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '020666a4f07bf4e19b99f17b5e19e95e60a9afc7f2fecf0aaf6b372e256a30b4', '24fde5d24b1fd7787ea2f2108e5f41174e26cd52eb6c6c31c1741f369fe2f734');
INSERT INTO public.audit VALUES (37, 1795815172.2996387, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', '24fde5d24b1fd7787ea2f2108e5f41174e26cd52eb6c6c31c1741f369fe2f734', '3f0a593d2e95772b68835b5558001f1fa837a5ffccffb94c2dbd69d6278a0a86');
INSERT INTO public.audit VALUES (38, 1795815172.3170826, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '3f0a593d2e95772b68835b5558001f1fa837a5ffccffb94c2dbd69d6278a0a86', 'de30c187b88283059483adfa2f3d783b189e5d2d8d28b6ab73c2ea8eeb55bfac');
INSERT INTO public.audit VALUES (39, 1795815172.333235, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', 'de30c187b88283059483adfa2f3d783b189e5d2d8d28b6ab73c2ea8eeb55bfac', '1005245032981f8c191b446fc118a50c2bb242e7b804137c51c0bd4272a1f404');
INSERT INTO public.audit VALUES (40, 1795815172.3898265, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '1005245032981f8c191b446fc118a50c2bb242e7b804137c51c0bd4272a1f404', '2ebf4b7ea5f8c3142436d16d2bb62bc523892fe3e446dd842cb70923562ae6b1');
INSERT INTO public.audit VALUES (41, 1795815172.4072046, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '2ebf4b7ea5f8c3142436d16d2bb62bc523892fe3e446dd842cb70923562ae6b1', '89430a9534e03efd1f45727f45a25971dd8896e2d03c27a498ff0580c4edd125');
INSERT INTO public.audit VALUES (42, 1795815172.4334645, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', '89430a9534e03efd1f45727f45a25971dd8896e2d03c27a498ff0580c4edd125', 'afac19754e097dbb5873eac2bcc56f90017faab017d9ddf89b9df76b61cd2d13');
INSERT INTO public.audit VALUES (43, 1795815172.4449484, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', 'afac19754e097dbb5873eac2bcc56f90017faab017d9ddf89b9df76b61cd2d13', 'f1c2dbfcd3231ddc70bf82c40f0b1a30ca50a243650738ff545cf984eb7f38cd');
INSERT INTO public.audit VALUES (44, 1795815172.4634492, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', 'f1c2dbfcd3231ddc70bf82c40f0b1a30ca50a243650738ff545cf984eb7f38cd', 'bc2bf4975428ed05e46e140ed6f9e37f98f63ce5a8c7b3fb6c6ba7107f7d93de');
INSERT INTO public.audit VALUES (45, 1795815172.4771338, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', 'bc2bf4975428ed05e46e140ed6f9e37f98f63ce5a8c7b3fb6c6ba7107f7d93de', 'cbe7eee176df6206091ee269565282547b566e0ce26449a11e2eba17a0d19b31');
INSERT INTO public.audit VALUES (46, 1795815172.4859324, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', 'cbe7eee176df6206091ee269565282547b566e0ce26449a11e2eba17a0d19b31', 'b5f3c8468b0fc379a55c7e631f38e6ed52f5f5c58992e1540711704ba3f347c1');
INSERT INTO public.audit VALUES (47, 1795815172.49961, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', 'b5f3c8468b0fc379a55c7e631f38e6ed52f5f5c58992e1540711704ba3f347c1', '4a1a74740299dc5494a8e13a87568e5ca6913798b8f04910a43199b625de93f4');
INSERT INTO public.audit VALUES (48, 1795815172.5074453, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', '4a1a74740299dc5494a8e13a87568e5ca6913798b8f04910a43199b625de93f4', 'f2a06213861f1195875e34eb68bef83c8ba3b93c8b3abf441a64d3777540a506');
INSERT INTO public.audit VALUES (49, 1795815172.5183206, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', 'f2a06213861f1195875e34eb68bef83c8ba3b93c8b3abf441a64d3777540a506', '52a6577a9e6bd0297c36f2b48cfe4926ca10603527391bb3a4026799d351e4ce');
INSERT INTO public.audit VALUES (50, 1795815174.1257374, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', '52a6577a9e6bd0297c36f2b48cfe4926ca10603527391bb3a4026799d351e4ce', '9b33394a6542fe6423f571903e7bb349fac1e67c0bcbb4e88d95c6e48bae0e48');
INSERT INTO public.audit VALUES (51, 1795815174.130667, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', '9b33394a6542fe6423f571903e7bb349fac1e67c0bcbb4e88d95c6e48bae0e48', '0f82d948142abae40a8eeaef78d5d9710c8a813349b476882a51cec30b8da3e6');
INSERT INTO public.audit VALUES (52, 1795815174.1350703, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', '0f82d948142abae40a8eeaef78d5d9710c8a813349b476882a51cec30b8da3e6', 'b771982ae6c3d7f628b9caa8d24b5fbf07f3dcfc6b8d99a23821e39a7e8f9ac3');
INSERT INTO public.audit VALUES (53, 1795815174.1421587, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}', 'b771982ae6c3d7f628b9caa8d24b5fbf07f3dcfc6b8d99a23821e39a7e8f9ac3', '7bfea980fbef6669223f7ca9ad58800fda84e4ee995ae3e405d389e8e5e83085');
INSERT INTO public.audit VALUES (54, 1795815174.146217, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_recipient', '/alert-recipients/1', 200, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}', '7bfea980fbef6669223f7ca9ad58800fda84e4ee995ae3e405d389e8e5e83085', 'c22f41c29a9cba545b002c3283ba6b659ef74da8fef6fffa7aaa67266139688d');
INSERT INTO public.audit VALUES (55, 1795815174.1514518, 'ada', 'admin', 'session', '127.0.0.1', 'test_alert_recipient', '/alert-recipients/1/test', 200, '{}', 'c22f41c29a9cba545b002c3283ba6b659ef74da8fef6fffa7aaa67266139688d', '3f180dce813f3090f55b5e144bf35e542529464a987039563980b61d0c3c885f');
INSERT INTO public.audit VALUES (56, 1795815174.1639009, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"rule": 1, "until_at": 1795818774.1560764, "reason": "the fan is replaced"}', '3f180dce813f3090f55b5e144bf35e542529464a987039563980b61d0c3c885f', '1ec6194a8772dfba9381ea516fdd47aa7c62a0383e0f3f29241288e20784e158');
INSERT INTO public.audit VALUES (57, 1795815174.1734633, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"device": "press-00", "until_at": 1795818774.1709182, "reason": "moved"}', '1ec6194a8772dfba9381ea516fdd47aa7c62a0383e0f3f29241288e20784e158', 'd3aa99deaf633783cfbcb74cd41838ade41d10880834ac55374e992ec067a478');
INSERT INTO public.audit VALUES (58, 1795815174.1772485, 'ada', 'admin', 'session', '127.0.0.1', 'end_alert_snooze', '/alert-snoozes/2', 204, '{}', 'd3aa99deaf633783cfbcb74cd41838ade41d10880834ac55374e992ec067a478', '95d1c8aa16c827e78266e4c63fa44b142b34d19e7a871b6c89760f68c2e37bff');
INSERT INTO public.audit VALUES (59, 1795815174.1833107, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "second", "kind": "email", "emails": ["ops@example.org"]}', '95d1c8aa16c827e78266e4c63fa44b142b34d19e7a871b6c89760f68c2e37bff', 'dcc84fd8d3d3a835f47c77d0c9c8f17c739ddcbe502db227d53460ec130b2cd0');
INSERT INTO public.audit VALUES (60, 1795815174.1870205, 'ada', 'admin', 'session', '127.0.0.1', 'delete_alert_recipient', '/alert-recipients/2', 204, '{}', 'dcc84fd8d3d3a835f47c77d0c9c8f17c739ddcbe502db227d53460ec130b2cd0', '787533edc7445743488cb2036bdb62755b252c834d796b3e502c4b7f32b0415b');
INSERT INTO public.audit VALUES (61, 1795815174.2044349, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', '787533edc7445743488cb2036bdb62755b252c834d796b3e502c4b7f32b0415b', '5d65352213641d9562e62a6ee0dcd449d9202242b4e5e0ac1ed16e84935918c2');
INSERT INTO public.audit VALUES (62, 1795815174.2212002, 'ada', 'admin', 'session', '127.0.0.1', 'withdraw_version', '/trust/withdraw', 200, '{"package": "pipeline-gate", "version": "1.0.0"}', '5d65352213641d9562e62a6ee0dcd449d9202242b4e5e0ac1ed16e84935918c2', 'ebd4dd4b635a63dc332d97887802a5a5d4a1bf7c920c7a1a247d15839fa7eeae');
INSERT INTO public.audit VALUES (63, 1795815174.2585201, 'ada', 'admin', 'session', '127.0.0.1', 'begin_authority_rotation', '/certificates/rotation', 200, '{}', 'ebd4dd4b635a63dc332d97887802a5a5d4a1bf7c920c7a1a247d15839fa7eeae', '4d6164734b2ca3c1be93b567044aa34ea4e3988d35776364906de5f93bdf2627');
INSERT INTO public.audit VALUES (64, 1795815174.2735267, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', '4d6164734b2ca3c1be93b567044aa34ea4e3988d35776364906de5f93bdf2627', 'bc42cb2d85d1b475051d840e144850df7635235b7906084f489a62e7e6ab3b41');
INSERT INTO public.audit VALUES (65, 1795815174.289134, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABEPinh1QpctBEVF5583lSvlzFN5HotFGMPrOB5WCKRH3yE6iOJOCIHss\n1mSK/xb75s+0WbybbyeGkG9ky6jLdXSgADAKBggqhkjOPQQDAgNIADBFAiAD+6ma\nY2+iZtDQAu4t8+Pg6Le2iulfmtl+xDSfvKxacgIhAMhzycawE69CZSoZyZAvHqGR\nKPw6/5DMfJUg4XmwXpeg\n-----END CERTIFICATE REQUEST-----\n"}', 'bc42cb2d85d1b475051d840e144850df7635235b7906084f489a62e7e6ab3b41', '5f8a7ded670ac0faec55e67f6c67491ac1058910f74a02c8c437f6bcc8ba9b8b');
INSERT INTO public.audit VALUES (66, 1795815174.2977598, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABDzmoDxwlC1H3C82A03GHdJnI9KxA9pwdD0UhrTms+FbVV61bgMLd2sL\nkUkbt8UWPikhwe5QwE29jqB2vd+IISWgADAKBggqhkjOPQQDAgNIADBFAiAYBlsI\n6C5ZQPezYu8Ho1GPhPucaY323B1UVe09tjjToQIhAPlA22kzN6BAZ6vK1HUVJXWT\nJYuLUcvfB0bPNj89QLxH\n-----END CERTIFICATE REQUEST-----\n"}', '5f8a7ded670ac0faec55e67f6c67491ac1058910f74a02c8c437f6bcc8ba9b8b', 'cd326d770255d4e1f3385c03e4f516982c486f0808c812c24aeb6bc285e29e18');
INSERT INTO public.audit VALUES (67, 1795815174.3101244, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', 'cd326d770255d4e1f3385c03e4f516982c486f0808c812c24aeb6bc285e29e18', '68b3d56b2a9730dd192807ddb1cd84b86c7984159644ad70ab21549a946ae95a');
INSERT INTO public.audit VALUES (68, 1795815174.3153641, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '68b3d56b2a9730dd192807ddb1cd84b86c7984159644ad70ab21549a946ae95a', '0ad8fcdf6ffbe73f0ffddcefef5c824e191d77c193abb1f5b6a7a53732963289');
INSERT INTO public.audit VALUES (69, 1795815174.3202722, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '0ad8fcdf6ffbe73f0ffddcefef5c824e191d77c193abb1f5b6a7a53732963289', 'cff1f2e204161b29893a8e00e54b2b52276a493fd24815bb7f9d43252ded638a');
INSERT INTO public.audit VALUES (70, 1795815174.3367183, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHOMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABDpSWFqOgnq6HgjJtFJGBxm3WfIBsEGkl9l3yZdqlbJTtVtw8fyL\nodLRY1iLJyAPqYazyoYltgNwJv+UR1lWya6gADAKBggqhkjOPQQDAgNHADBEAiAB\n6RU5lBycro6WhNthIo6KNtQbg2rfUkkIgtjJZVQDXwIgd6vDCJ5eAsof3qKDCHM2\n0U5iV/Rc+kkMgiLZHmaiOXQ=\n-----END CERTIFICATE REQUEST-----\n"}', 'cff1f2e204161b29893a8e00e54b2b52276a493fd24815bb7f9d43252ded638a', '2929b007d74e88be4d9d5de4dd502b111e786acd597c7df958663d588d9a4e7f');
INSERT INTO public.audit VALUES (71, 1795815174.3506155, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', '2929b007d74e88be4d9d5de4dd502b111e786acd597c7df958663d588d9a4e7f', 'b9f47245ce866c9d9fa333dd561786435467c1e1e94e02567237aba530cd307a');
INSERT INTO public.audit VALUES (72, 1795815174.3586133, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', 'b9f47245ce866c9d9fa333dd561786435467c1e1e94e02567237aba530cd307a', '7a9fc2d14be1b13ee46ff22e4305114217f119f35bffdfb0510352598a948163');
INSERT INTO public.audit VALUES (73, 1795815174.3641706, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', '7a9fc2d14be1b13ee46ff22e4305114217f119f35bffdfb0510352598a948163', '147b1addeefcdb471a743c2c9321990051d42c841c1c89347b62d368f9dba5f4');
INSERT INTO public.audit VALUES (74, 1795815174.3838768, 'ada', 'admin', 'session', '127.0.0.1', 'finish_authority_rotation', '/certificates/rotation/finish', 200, '{"online_days": 0.0}', '147b1addeefcdb471a743c2c9321990051d42c841c1c89347b62d368f9dba5f4', '1ee609bb4f0ae4e6f8f348c2ef0467d212f0352f224fe80b71d1fac86eb27f9f');
INSERT INTO public.audit VALUES (75, 1795815174.3905106, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', '1ee609bb4f0ae4e6f8f348c2ef0467d212f0352f224fe80b71d1fac86eb27f9f', '88fbc070cce5dc8ac45088ad4a532f64bc0a9199acf233f12ebfe1ee79e4fbca');
INSERT INTO public.audit VALUES (76, 1795815174.436497, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', '88fbc070cce5dc8ac45088ad4a532f64bc0a9199acf233f12ebfe1ee79e4fbca', 'ee8013e346cd19ab48a0ecf44b137733023e1d7bbda32e0862ca450ce412b1e7');
INSERT INTO public.audit VALUES (77, 1795815174.4543207, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', 'ee8013e346cd19ab48a0ecf44b137733023e1d7bbda32e0862ca450ce412b1e7', 'c1eed0846d0fa86e91de80bc902537baa7ab43eaea031db23b73b0bcc6065422');
INSERT INTO public.audit VALUES (78, 1795815174.4664931, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', 'c1eed0846d0fa86e91de80bc902537baa7ab43eaea031db23b73b0bcc6065422', 'b37a088910f0d2017d2d34af2db7f062b9a709590e1994f13068559677fb8892');
INSERT INTO public.audit VALUES (79, 1795815174.4862068, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', 'b37a088910f0d2017d2d34af2db7f062b9a709590e1994f13068559677fb8892', '31569ef574cad4de760462a4e62e237266c6edc006ea7ca5ec413b3c2169bd7d');
INSERT INTO public.audit VALUES (80, 1795815174.4902735, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', '31569ef574cad4de760462a4e62e237266c6edc006ea7ca5ec413b3c2169bd7d', '65e9ce968ae4c66b391e9ecbf900ef8357d155146c9f57ef9fca03c390e4f597');
INSERT INTO public.audit VALUES (81, 1795815174.5001576, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', '65e9ce968ae4c66b391e9ecbf900ef8357d155146c9f57ef9fca03c390e4f597', '22eba6fbbdc5fd2977f606c0cf9b282f23e38558e8f7cff2038846293cf6173a');
INSERT INTO public.audit VALUES (82, 1795815174.5492787, 'ada', 'admin', 'session', '127.0.0.1', 'create_dossier', '/dossiers', 200, '{"component": "numpy", "version": "", "stage": "72h"}', '22eba6fbbdc5fd2977f606c0cf9b282f23e38558e8f7cff2038846293cf6173a', '598e4e17174859e19898bd765bfca877cbfb294c3280fe1fac1bc220a44db28c');
INSERT INTO public.audit VALUES (83, 1795815175.1073494, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', '598e4e17174859e19898bd765bfca877cbfb294c3280fe1fac1bc220a44db28c', '7b5fc0ef8f9795e3357313034f98b087f918e36db2f94fe852095497b18c1573');
INSERT INTO public.audit VALUES (84, 1795815177.3136473, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:57527/fleet_1', 0, '{"from": "/tmp/tmpm3aobj_k/fleet/fleet.db"}', '7b5fc0ef8f9795e3357313034f98b087f918e36db2f94fe852095497b18c1573', '7f4ea926f910c9591a98c09c82b79149ff6b69e06a61e1817380b464e98b61df');
INSERT INTO public.audit_archived VALUES (1, 'c0301e18fa6465e2da418c8d598c2a2a76cf36b25f5060459ec5f8a0cb04ea7c');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'agent', 'edgefleet-agent', '0.3.0');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'runtime', 'python', '3.11.2');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'library', 'numpy', '2.3.1');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795815164.0402038);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795815164.0402038);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795815164.118547);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795815164.118547);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795815164.0402038);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795815164.085191);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795815164.085191);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795815164.085191);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795815164.118547);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795815164.118547);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795815164.118547);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795815164.2252195);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795815164.2252195);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795815164.2252195);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795815174.3628726, 'lost again');
INSERT INTO public.camera_hour VALUES ('press-00', 'hall', 1795813200, 6, 0);
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795815164.1825967, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795815164.173787, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795815164.1825967, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795816800);
INSERT INTO public.command VALUES ('bill-7a8247c209204186a85cd55c4e91f3b7', 'press-00', 'bill', '{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}', 'done', 'did it', '{}', 1795815169.078271, 1795815214.078271, 1795815169.1795537);
INSERT INTO public.command VALUES ('1268c5ba12a94697aa2f0d6838f160af', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795815169.5524611, 1795815199.5524611, 1795815169.6518855);
INSERT INTO public.command VALUES ('ee966c3440d640ed8939cf17ea8f69c5', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795815169.6774504, 1795815229.6774504, 1795815169.7427394);
INSERT INTO public.command VALUES ('logs-f48cf6cb2c134409a8bc35dc6ec07fea', 'press-00', 'logs', '{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}', 'done', 'did it', '{"source":"service","level":"debug","search":"","lines":200,"after":""}', 1795815169.6884933, 1795815194.6884933, 1795815169.7427394);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795815169.540868, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795815172.565109);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795815164.308946);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', '{}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor":"1"}', '{}', '{"floor":"1"}', 1795815172.5073845, '[]');
INSERT INTO public.device VALUES ('press-02', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795815164.308946, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_bill VALUES (1, 'press-00', '08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795815164.308946, NULL);
INSERT INTO public.device_certificate VALUES ('6d81fdf5d51c575915f17b7e2052127a56a1cec8', 'enrolled-1', 1795815174.3305602, 1803591174, 1795815174.3491013);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}', 'in the north', 1795815169.2625415, 'ada');
INSERT INTO public.device_group VALUES ('plant', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', '', 1795815169.2725327, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795815174.4888585, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795815175.201321, 'boot-1', '', 3, 1795815175.201321, 'boot-1', 14, 3, '{}', 10000000000, '[]', '[]', 0, 1795815172.5212266, '{"at":1795815172.5212266,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795815175.2779717, 'boot-1', '', 3, 1795815175.2779717, 'boot-1', 13, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795815175.3716724, 'boot-1', '', 3, 1795815175.3716724, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795815175.4280584, 'boot-1', '', 3, 1795815175.4280584, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795815175.5054786, 'boot-1', '', 3, 1795815175.5054786, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795815175.5577612, 'boot-1', '', 3, 1795815175.5577612, 'boot-1', 10, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.996044569443499, 1795815174.6009781, '[]');
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.4698892}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795815170.469896);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815172.7392309}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795815172.7392404);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795815172.7394295}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795815172.7394319);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.467281}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795815170.4672852);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.4674299}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795815170.4674327);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815172.3261983}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795815172.3262026);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815172.5686805}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795815172.5686884);
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815172.5877633}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795815172.587771);
INSERT INTO public.enrolled_labels VALUES ('enrolled-1', '{"site":"north"}', 1795815174.3350172);
INSERT INTO public.enrolment_request VALUES ('image-1', '694af076d14c', '8b2903231f84f150bebab39d5caab7c7f164de2596d49c47244d265ba7cf480f', 'approved', 1795815174.2820358, 1795815174.2820358, 1795815174.3084538, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '694af076d14c', '5706ebba34f0390b7c9ecaec7c64c4dd82b3f3ac23ec664cc397821eef971ab9', 'waiting', 1795815174.2943032, 1795815174.2943032, NULL, '');
INSERT INTO public.enrolment_token VALUES ('694af076d14c', '2beea66c2217c162792d63b153a6cba9b6aac8231a543fd930746aac65890cc9', '', '{}', 1795815174.2720344, 1795915174.2720344, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('094a9e129967', '8af4413391cc26d4ed2e1e21828e13036af16990ebd4aaa0596b2f1e0f51cfef', '', '{"site": "north"}', 1795815174.3146443, 1795915174.3146443, 1795815174.3305602, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('3e6447b139c2', '5bdddb116ced13127dba9df5390b4c4228d9326820f3627ce87c0fb4f5f93340', '', '{"site": "north"}', 1795815174.3196216, 1795915174.3196216, NULL, '', NULL, 1, 0, false);
INSERT INTO public.environment_bill VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795815169.1795537, 1795815229.078271, 1, 0, 0, '{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795815164.2665331, 1795815164.308946, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795815164.2665331,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795815164.266534, 1795815164.308946, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795815164.266534,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795815164.2665348, 1795815164.308946, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795815164.2665348,"label":"person","count":2}');
INSERT INTO public.event_review VALUES (3, 'confirmed', 'ada', 1795815170.128592);
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795815172.3799174, 'ada', 1795815172.404685, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795815172.4252255, 'ada', 1795815172.4433303, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795815164.1425087, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795815175.9781542, 1795815175.9781542, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795815174.081354, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}', 'waiting', 1, 1795815185.0385408, 1795815174.081354, 'Connection refu(hidden)ed', NULL);
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795815175.9781542);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795815164.0402038, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795815164.085191, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795815164.118547, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795815164.2252195, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$l+hiTBnoLhcldMxkQYwqGw==$Cx9cHx8BPGX5uJ7OcW60pEgRYlPUPDEj/Qjzu/n0rhk=', 1795815163.1527069, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$1LFu3ICSBq9U4oEvLDDc2g==$o0RpvOyulV8bmRfPim7sivA7wbC4ExYyePPJpdvLkS8=', 1795815163.9805872, false, NULL);
INSERT INTO public.person VALUES ('lea', 'viewer', 'scrypt$15$8$3$Ol+PcVk9VmE34wPYU1TO3w==$1AU8hZ+FkTYNmEBND+jFfLopPBtwhUtYBaoiyAU11dg=', 1795815169.5329804, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795815172.4769597);
INSERT INTO public.proposal VALUES (1, 'approved', '823fcaf73da0', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795815174.4262607, 1796419974.4262607, 1795815174.4850445, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', '823fcaf73da0', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795815174.4495134, 1796419974.4495134, 1795815174.4997017, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', '823fcaf73da0', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795815174.464293, 1796419974.464293, NULL, '', '', 0, '');
INSERT INTO public.request_key VALUES ('a08d8458249ecb6eca772cc4b37abb8e2ce5e200f0f28d8aafeb8eb379437134', '7c3b3e78203a7d65380b9ed1f1d44c9a9a5d8097ed769b77e798838a0ac52151', '92a65d39a03722799bc41a79c3c24311d70006205d619a16a23a501949f6bb45', '74dd4f2e24c6f46b', 1795815174.1576614, 1795815294.1576614, true, 201, 'l6/7h9dDybB4rJbXjnOVZnsOnb6EdhT7r4WgJOZkuaPAfVKcN0FMLuckpXLZqTw6Wkh7sE9v5AW7LKkZKORD5CHd+2LDgscJoUElFSTR5xFyQkjEuQDHB0maG1+TvRdWu4bgPMZ5/S3CO3naxXuy2LIOMjHZAQxCEqv2lq22nW8TgYw5r4G4v3Z89i/GkUmB5w5jzTBjjsYsjbsAV6ypMmXq9hA05MWD0DRih6m1lghSBWBsw849JO4id7H7MqdJKNcPSxYlbWIQxUN3wqgfk2K4nHkKV9vMUHR5yi1c/wd7HxZ4TpvBmM6QKtcXzKWYkxqdgR/cWFsXAzGfmzJaIF8PQELisicgzXIPIRrFIxhFDnARJTDyd68WWUaIDfHncLgfD+vEorZtps9RV5MyBHQ+NgI/cezu9biG+sT0n8Jkzmi06vW8');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795815175.9781542, 1795815475.9781542, 0);
INSERT INTO public.retention VALUES ('samples', 1795815164.0348427, 0, 0.0004089360008947551, '');
INSERT INTO public.retention VALUES ('events', 1795815164.0348427, 0, 0.0008915610087569803, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795815170.1501758, 1795815170.1501758, 1795815171.123953, 1795815171.123953, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795815171.195436, 1795815171.21252, 1795815172.6592143, 1795815172.6592143, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795815172.2974987, 1795815172.2974987, 1795815173.3943586, 1795815173.3943586, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795815172.315634, NULL, 1795815172.3307812, 1795815172.3307812, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795815172.3799174, 1795815172.3799174, 1795815172.4240038, 1795815172.4240038, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795815172.4252255, 1795815172.4252255, 1795815172.488012, 1795815172.488012, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795815172.4602675, 1795815172.4602675, 1795815173.3943586, 1795815173.3943586, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814820, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814880, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795814940, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815000, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815060, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815120, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795813200, '\x85ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406b4646574656374696f6e735f7065725f6672616d659506cb0000000000000000cb0000000000000000cb000000000000000081d1800006af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', 'c58741da4c62a677e53fbbe0b01c96ab', 1795815162.9483159);
INSERT INTO public.secret VALUES ('web push', '60cf4f6dbd3da17d4e5d2c43637e7d8b', 1795815162.9527574);
INSERT INTO public.secret VALUES ('corpus', 'd628c5a4de682e143084007dde2e18bb', 1795815176.170636);
INSERT INTO public.session VALUES ('7c3b3e78203a7d65380b9ed1f1d44c9a9a5d8097ed769b77e798838a0ac52151', 'ada', 1795815163.4357026, 1795815163.4357026, 1796419963.4357026, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795815164.0254722, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795814864.2665186, 1795815164.308946, '{"at":1795814864.2665186,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795814924.2665207, 1795815164.308946, '{"at":1795814924.2665207,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795814984.266523, 1795815164.308946, '{"at":1795814984.266523,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795815044.2665246, 1795815164.308946, '{"at":1795815044.2665246,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795815104.266527, 1795815164.308946, '{"at":1795815104.266527,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795815172.5212266, 1795815172.565109, '{"at":1795815172.5212266,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795815170.1501758, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795815170.1501758, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795815170.2111604, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795815170.569994, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795815171.123953, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795815171.123953, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795815171.195436, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795815171.21252, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795815171.226051, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795815171.2371361, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795815171.2505703, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795815171.2665527, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795815171.3056886, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795815171.6556008, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795815172.2077992, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795815172.2077992, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795815172.2562945, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795815172.2974987, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795815172.2974987, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 4, 1795815172.315634, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (21, 3, 1795815172.3110447, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (22, 4, 1795815172.3307812, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795815172.3799174, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795815172.3799174, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795815172.404685, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795815172.4252255, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795815172.4252255, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 5, 1795815172.4240038, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795815172.4240038, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (30, 6, 1795815172.4433303, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 7, 1795815172.4602675, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (32, 7, 1795815172.4602675, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 6, 1795815172.488012, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (34, 6, 1795815172.488012, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 7, 1795815172.488012, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (36, 2, 1795815172.6592143, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (37, 2, 1795815172.6592143, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 3, 1795815172.6592143, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795815172.8412974, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795815173.3943586, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 3, 1795815173.3943586, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795815173.3943586, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795815173.3943586, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.user_grant VALUES ('lea', 'plant', 'operator');
INSERT INTO public.version_share VALUES (1795815000, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795815170.2111604, 1795815170.569994, 1795815171.123953, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795815171.3056886, 1795815171.6556008, 1795815172.2077992, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795815171.2505703, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795815172.3110447, 1795815172.6592143, 1795815173.3943586, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795815172.4240038, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795815172.488012, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795815172.488012, 1795815172.8412974, 1795815173.3943586, 0, 0, false, NULL, false);
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
SELECT pg_catalog.setval('public.version_share_at_seq', 1795815001, false);
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
