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
INSERT INTO public.alert VALUES (1, 1, 'press-00', 'fps 15, above the limit of -1', 15, 1795815569.9293416, NULL, 1795815569.9473348, 'ada', '[]');
INSERT INTO public.alert_recipient VALUES (1, 'on call', 'ntfy', '{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}', '[]', '["critical"]', true, 1795815569.9665835, 1795815569.9665835, 'ada');
INSERT INTO public.alert_rule VALUES (1, 'fast', '{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}', true, 1795815629.9577627, 'ada', 1795815568.2601075, 'ada');
INSERT INTO public.alert_snooze VALUES (1, 1, '', '', 1795819169.9853103, 'the fan is replaced', 1795815569.9950347, 'ada');
INSERT INTO public.alert_snooze VALUES (2, NULL, '', 'press-00', 1795815570.0134935, 'moved', 1795815570.0075648, 'ada');
INSERT INTO public.api_token VALUES ('15748cf37a1f', 'a7c046581a6162deb90c311ba315ecbfe0b900990be28f24673aa3e683da000f', 'ada', 'reads', 'admin', 1795815559.7884972, 1803591559.7884972, NULL, '[]', '[]');
INSERT INTO public.api_token VALUES ('d74c5f4168fe', '31f8e740e90c152829ea7578e7effb5ef3b00a7f990099cbeac2a9d0d56b35e1', 'ada', 'proposes', 'operator', 1795815570.261074, 1803591570.261074, 1795815570.2852402, '["propose"]', '[]');
INSERT INTO public.assignment VALUES ('press-00', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 2, 1, 0, false, 1795815568.0902867, false, 0, 0);
INSERT INTO public.assignment VALUES ('press-02', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 1, 1, 0, false, 1795815566.0014048, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 7, 1, 0, false, 1795815568.262393, true, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 1, 1, 0, false, 1795815566.0014048, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 1, 1, 0, false, 1795815566.0014048, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-04', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 1, 1, 0, false, 1795815566.0014048, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-05', 'shadow-detector', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 3, 1, 0, false, 1795815568.0902867, false, 60, 30);
INSERT INTO public.assignment VALUES ('press-01', 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 7, 1, 0, false, 1795815568.262393, true, 60, 30);
INSERT INTO public.attempt VALUES ('1:press-00:1', 1, 'press-00', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-02:1', 1, 'press-02', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-01:1', 1, 'press-01', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-05:1', 1, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-03:1', 1, 'press-03', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('1:press-04:1', 1, 'press-04', 0, 1, 'committed', false, '', '', NULL, 1795815566.0014048, 1795815566.3603978, 1795815566.3603978, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-00:1', 2, 'press-00', 0, 1, 'rolled_back', false, 'operator_rollback', 'restored to the previous version', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795815567.0657883, 1795815568.4480617, 1795815568.4480617, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('2:press-01:1', 2, 'press-01', 1, 1, 'cancelled', false, 'wave_skipped', 'the wave was skipped', NULL, NULL, 1795815567.0657883, 1795815567.0657883, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('3:press-05:1', 3, 'press-05', 0, 1, 'committed', false, '', '', NULL, 1795815568.0902867, 1795815568.4480617, 1795815568.4480617, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt VALUES ('4:press-00:1', 4, 'press-00', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795815568.1119108, 1795815568.1119108, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('4:press-01:1', 4, 'press-01', 0, 1, 'cancelled', false, '', '', NULL, NULL, 1795815568.1119108, 1795815568.1119108, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-04:1', 5, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-03:1', 5, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('5:press-05:1', 5, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-04:1', 6, 'press-04', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-03:1', 6, 'press-03', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('6:press-05:1', 6, 'press-05', 0, 1, 'cancelled', false, 'cancelled', 'the rollout was stopped', NULL, NULL, 1795815568.2007432, 1795815568.2007432, 0, 0, true, false, 0, NULL, '', NULL);
INSERT INTO public.attempt VALUES ('7:press-01:1', 7, 'press-01', 0, 1, 'committed', false, '', '', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 1795815568.262393, 1795815568.611538, 1795815568.611538, 0, 0, true, false, 0, 'null', '', NULL);
INSERT INTO public.attempt_part VALUES ('7:press-01:1', 'second', NULL);
INSERT INTO public.audit VALUES (2, 1795815559.5097108, 'ada', 'admin', 'session', '127.0.0.1', 'sign_in', '/session', 200, '{"name": "ada", "password": "(hidden)"}', '51e2d15bd531721b0548afe09eef1ae76b3be790295ec5829a9af7f8ea8350a4', '8da5a4ca6aa2cf06bb5c9f66a79e90bedef91cd1e279049220d1635c571b3ff9');
INSERT INTO public.audit VALUES (3, 1795815559.7720811, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "bob", "password": "(hidden)", "role": "operator"}', '8da5a4ca6aa2cf06bb5c9f66a79e90bedef91cd1e279049220d1635c571b3ff9', 'a776b0049967dd35ffe52887f8598029e896fc42f6a18f7954d04e2a839539a0');
INSERT INTO public.audit VALUES (4, 1795815559.782314, 'ada', 'admin', 'session', '127.0.0.1', 'change_user', '/users/bob', 200, '{"role": "admin"}', 'a776b0049967dd35ffe52887f8598029e896fc42f6a18f7954d04e2a839539a0', '28197da5a2a588c8b952c1a1f87be0f83da801815aed53876ee158d9fe2e7a1e');
INSERT INTO public.audit VALUES (5, 1795815559.7899604, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "reads", "role": "admin"}', '28197da5a2a588c8b952c1a1f87be0f83da801815aed53876ee158d9fe2e7a1e', '9594f851a376cd961fd5d9434bdeb58e1563dc5f9f6929fdef671a5d6d7fa551');
INSERT INTO public.audit VALUES (6, 1795815559.80988, 'ada', 'admin', 'session', '127.0.0.1', 'change_settings', '/settings', 200, '{"values": {"soak_s": 1.0}}', '9594f851a376cd961fd5d9434bdeb58e1563dc5f9f6929fdef671a5d6d7fa551', '37e0b8607a3ae6c925dc6bfe2bd77a99e5a5ff4375144922eb3d77b73f98c725');
INSERT INTO public.audit VALUES (7, 1795815559.835328, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '37e0b8607a3ae6c925dc6bfe2bd77a99e5a5ff4375144922eb3d77b73f98c725', '620cdab8f5b38cbf7084e64d577c4a833d25ae8df44b745f5449b6cd8b852b4e');
INSERT INTO public.audit VALUES (8, 1795815559.8532925, 'ada', 'admin', 'session', '127.0.0.1', 'push_model', '/models', 201, '{"bytes": 10423}', '620cdab8f5b38cbf7084e64d577c4a833d25ae8df44b745f5449b6cd8b852b4e', '5ddce7f070478d5b21448b99b9cb6377341cfa0f00c388e93142099455d5c206');
INSERT INTO public.audit VALUES (9, 1795815559.8652697, 'ada', 'admin', 'session', '127.0.0.1', 'begin_upload', '/uploads', 201, '{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}', '5ddce7f070478d5b21448b99b9cb6377341cfa0f00c388e93142099455d5c206', '8937263111d2b96cc212911a68b3843880db74a7469834fc347e8c4d859eddca');
INSERT INTO public.audit VALUES (10, 1795815559.8816636, 'ada', 'admin', 'session', '127.0.0.1', 'finish_upload', '/uploads/61543f6be3c4582ba009f6be07d4cf04/finish', 201, '{}', '8937263111d2b96cc212911a68b3843880db74a7469834fc347e8c4d859eddca', '576b3c88043035db8995be9e6843df1be91a6ec8ec79a927a0d813a510cf50b5');
INSERT INTO public.audit VALUES (11, 1795815559.9090111, 'ada', 'admin', 'session', '127.0.0.1', 'upload_measurements', '/models/spotter/1.1.0/measurements', 200, '{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}', '576b3c88043035db8995be9e6843df1be91a6ec8ec79a927a0d813a510cf50b5', '233d68f3bc202688ec3b1c4c2bba4f09dd93de49304de405d104d37bdcf30de6');
INSERT INTO public.audit VALUES (12, 1795815559.9462712, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.0.0", "note": "first"}', '233d68f3bc202688ec3b1c4c2bba4f09dd93de49304de405d104d37bdcf30de6', '5e02e3599aa2857584b6d8e9692feb598b2ddb951d33c1c788df4cee1f67c35b');
INSERT INTO public.audit VALUES (13, 1795815559.952522, 'ada', 'admin', 'session', '127.0.0.1', 'set_channel', '/channels/spotter/stable', 200, '{"version": "1.1.0", "note": "first"}', '5e02e3599aa2857584b6d8e9692feb598b2ddb951d33c1c788df4cee1f67c35b', '27b84295ac7048561f472ebfcbd45e826928ba15541a685a372ffd9f9978c31d');
INSERT INTO public.audit VALUES (14, 1795815559.9809973, 'ada', 'admin', 'session', '127.0.0.1', 'prune_models', '/models/prune', 200, '{"dry_run": true}', '27b84295ac7048561f472ebfcbd45e826928ba15541a685a372ffd9f9978c31d', '188cba675555d2b11826b2f3b45f1ac2ee1e0679e1ee1a6f13381a07c1f262c8');
INSERT INTO public.audit VALUES (15, 1795815559.9970956, 'ada', 'admin', 'session', '127.0.0.1', 'create_pipeline', '/pipelines', 201, '{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}', '188cba675555d2b11826b2f3b45f1ac2ee1e0679e1ee1a6f13381a07c1f262c8', '4bd7af8160b9e7adbfe18b695f42033588dec061a9f368050f668aabbee08374');
INSERT INTO public.audit VALUES (16, 1795815565.0543413, 'ada', 'admin', 'session', '127.0.0.1', 'label_device', '/devices/press-00', 200, '{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}', '4bd7af8160b9e7adbfe18b695f42033588dec061a9f368050f668aabbee08374', '75ff204f965d258426f242ccd8b9d8f9d9d3134ab5207af73244798ee8e64ff2');
INSERT INTO public.audit VALUES (17, 1795815565.0755017, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/north', 200, '{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}', '75ff204f965d258426f242ccd8b9d8f9d9d3134ab5207af73244798ee8e64ff2', 'cc9185ad61caae1c08f24a4cb557cd49475ecd6c6d3275e9ab88772c43a842b6');
INSERT INTO public.audit VALUES (18, 1795815565.0834796, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/plant', 200, '{"selector": {"labels": {"site": "north"}}}', 'cc9185ad61caae1c08f24a4cb557cd49475ecd6c6d3275e9ab88772c43a842b6', '2cfee78da6763e1d771987f9d1bae105a1d753dfb83dcc20a8ab474cdff12c0d');
INSERT INTO public.audit VALUES (19, 1795815565.3468246, 'ada', 'admin', 'session', '127.0.0.1', 'create_user', '/users', 201, '{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}', '2cfee78da6763e1d771987f9d1bae105a1d753dfb83dcc20a8ab474cdff12c0d', '287b4c86d4cf5c31854004689eb50cb6e40aba537c09abe35ce3df6b68a3056a');
INSERT INTO public.audit VALUES (20, 1795815565.3555634, 'ada', 'admin', 'session', '127.0.0.1', 'put_configuration', '/configurations/plant', 200, '{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}', '287b4c86d4cf5c31854004689eb50cb6e40aba537c09abe35ce3df6b68a3056a', '77c939616e274b64caa7b24e6009c1c8426b9469fe3685d6611f3263a2ec1839');
INSERT INTO public.audit VALUES (21, 1795815565.3657787, 'ada', 'admin', 'session', '127.0.0.1', 'send_command', '/devices/press-00/commands', 202, '{"op": "identify", "args": {"n": 1}}', '77c939616e274b64caa7b24e6009c1c8426b9469fe3685d6611f3263a2ec1839', '4571740f4bb4385b57830b2fff75ab6e563ef7b3e467d26e9e78714c4a70cb53');
INSERT INTO public.audit VALUES (22, 1795815565.489143, 'ada', 'admin', 'session', '127.0.0.1', 'take_picture', '/devices/press-00/snapshots', 202, '{"pipeline": "gate"}', '4571740f4bb4385b57830b2fff75ab6e563ef7b3e467d26e9e78714c4a70cb53', 'f1e1e2fa5e7b6ac68e37de1b93ca7ad517cf65f8b985666b51d57d758be4e491');
INSERT INTO public.audit VALUES (23, 1795815565.4991271, 'ada', 'admin', 'session', '127.0.0.1', 'view_logs', '/devices/press-00/logs', 200, '{}', 'f1e1e2fa5e7b6ac68e37de1b93ca7ad517cf65f8b985666b51d57d758be4e491', 'ee5e88d436f433d028f55338b4ee68d16beaa19737193ca5210939e6db3708a5');
INSERT INTO public.audit VALUES (24, 1795815565.709663, 'ada', 'admin', 'session', '127.0.0.1', 'get_last_logs', '/devices/press-00/logs/last', 200, '{}', 'ee5e88d436f433d028f55338b4ee68d16beaa19737193ca5210939e6db3708a5', '28ff987b9bae14b4e1e72c137ae9978ee324b2a371561a1200fc172cf23e87bb');
INSERT INTO public.audit VALUES (25, 1795815565.7164853, 'ada', 'admin', 'session', '127.0.0.1', 'request_support_bundle', '/devices/press-00/support-bundles', 202, '{}', '28ff987b9bae14b4e1e72c137ae9978ee324b2a371561a1200fc172cf23e87bb', '11138b5ead27c11e70f456c79af9fd1eaa3a5129fba20d40820e93f824c12020');
INSERT INTO public.audit VALUES (26, 1795815565.8413866, 'ada', 'admin', 'session', '127.0.0.1', 'delete_support_bundle', '/devices/press-00/support-bundles/4ebd317fb18444d489a50ce6dc5e7635', 204, '{}', '11138b5ead27c11e70f456c79af9fd1eaa3a5129fba20d40820e93f824c12020', 'e10b06b1ad5cf4a04dd423066daa52ddd78c05529f13b69d610ddb24f0dee049');
INSERT INTO public.audit VALUES (27, 1795815565.8470657, 'ada', 'admin', 'session', '127.0.0.1', 'bulk_devices', '/devices/bulk', 200, '{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}', 'e10b06b1ad5cf4a04dd423066daa52ddd78c05529f13b69d610ddb24f0dee049', '1964904491bb21333424f6a2ce56c5579bc8f1b922c2936821ae3e7b3d5e63fd');
INSERT INTO public.audit VALUES (28, 1795815565.9256887, 'ada', 'admin', 'session', '127.0.0.1', 'review_events', '/events/reviews', 200, '{"events": [3], "verdict": "confirmed"}', '1964904491bb21333424f6a2ce56c5579bc8f1b922c2936821ae3e7b3d5e63fd', 'e878e5da215db4e81ad7bb45e994cbf6be26c36e35e2d3293589a38ae2719295');
INSERT INTO public.audit VALUES (29, 1795815565.9489577, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'e878e5da215db4e81ad7bb45e994cbf6be26c36e35e2d3293589a38ae2719295', 'd8592557381740240e18303172e049de2be2dc255beb13b3659aa182dfe4179e');
INSERT INTO public.audit VALUES (30, 1795815566.9553769, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}', 'd8592557381740240e18303172e049de2be2dc255beb13b3659aa182dfe4179e', '771e93152b157ac3d04c9947e3d5662ab5d25863305b3515cfc3c93583681ee0');
INSERT INTO public.audit VALUES (31, 1795815566.9752998, 'ada', 'admin', 'session', '127.0.0.1', 'start_rollout', '/rollouts/2/start', 200, '{"reason": "now"}', '771e93152b157ac3d04c9947e3d5662ab5d25863305b3515cfc3c93583681ee0', '2c1fe3160c4ba3bfb5348c549d0bc2c06db5167c4b3763f78a1c75d4f632266e');
INSERT INTO public.audit VALUES (32, 1795815566.9913802, 'ada', 'admin', 'session', '127.0.0.1', 'pause_rollout', '/rollouts/2/pause', 200, '{"reason": "a question"}', '2c1fe3160c4ba3bfb5348c549d0bc2c06db5167c4b3763f78a1c75d4f632266e', '63fe0586d64bd672f6e26ac661319952fc743d36b1edafcd8899403ecf4b343f');
INSERT INTO public.audit VALUES (33, 1795815567.0076, 'ada', 'admin', 'session', '127.0.0.1', 'resume_rollout', '/rollouts/2/resume', 200, '{"reason": "answered"}', '63fe0586d64bd672f6e26ac661319952fc743d36b1edafcd8899403ecf4b343f', 'a489a01375be439c6dacbd5db9665de6b103ef76cfca74275579233f6db224bf');
INSERT INTO public.audit VALUES (34, 1795815567.0231373, 'ada', 'admin', 'session', '127.0.0.1', 'skip_wave', '/rollouts/2/skip', 200, '{"wave": 1, "reason": "one is enough"}', 'a489a01375be439c6dacbd5db9665de6b103ef76cfca74275579233f6db224bf', '3c3588a4952eee9e6df5fde19b4e1b8310150f731371298ab0c88f44b65389e8');
INSERT INTO public.audit VALUES (35, 1795815567.0385733, 'ada', 'admin', 'session', '127.0.0.1', 'approve_rollout', '/rollouts/2/approve', 200, '{"wave": 0, "reason": "agreed"}', '3c3588a4952eee9e6df5fde19b4e1b8310150f731371298ab0c88f44b65389e8', '4cf539074431e56c2c83e8d490dcfa195c8578cfbdb78930186c326bcea53409');
INSERT INTO public.audit VALUES (36, 1795815568.0358849, 'ada', 'admin', 'session', '127.0.0.1', 'rollback_rollout', '/rollouts/2/rollback', 200, '{"reason": "too slow"}', '4cf539074431e56c2c83e8d490dcfa195c8578cfbdb78930186c326bcea53409', 'a8008c1a7fd4eae007d3da6a98354698a970780c6c971a0b35400f5ed9c73691');
INSERT INTO public.audit VALUES (37, 1795815568.0837405, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}', 'a8008c1a7fd4eae007d3da6a98354698a970780c6c971a0b35400f5ed9c73691', '3359e9943b6d8464ac6fc07b5093dc2779416127a0bf007bdb2532d13fc669a4');
INSERT INTO public.audit VALUES (38, 1795815568.104681, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}', '3359e9943b6d8464ac6fc07b5093dc2779416127a0bf007bdb2532d13fc669a4', '62d7c7591dedb35d26499e838f2edc4253cf306d412a890a524aeefd68c194f8');
INSERT INTO public.audit VALUES (39, 1795815568.113972, 'ada', 'admin', 'session', '127.0.0.1', 'abort_rollout', '/rollouts/4/abort', 200, '{"reason": "the wrong day"}', '62d7c7591dedb35d26499e838f2edc4253cf306d412a890a524aeefd68c194f8', 'a826bb13cb1115113becaaec8f70b7cc8878d27def73fb01d8ac7a2fef416766');
INSERT INTO public.audit VALUES (40, 1795815568.163434, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'a826bb13cb1115113becaaec8f70b7cc8878d27def73fb01d8ac7a2fef416766', 'd5092c3b88ea4cbbee9c2578cbfd70b5de7a86cb4c3253edac95a3f4da5a6c6d');
INSERT INTO public.audit VALUES (41, 1795815568.1770437, 'ada', 'admin', 'session', '127.0.0.1', 'choose_experiment_arm', '/experiments/1/choose', 200, '{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'd5092c3b88ea4cbbee9c2578cbfd70b5de7a86cb4c3253edac95a3f4da5a6c6d', 'e18cf8b83379d139500c85d26118c688be8ccad29a3be7c987cdf152be6a0840');
INSERT INTO public.audit VALUES (42, 1795815568.189996, 'ada', 'admin', 'session', '127.0.0.1', 'create_experiment', '/experiments', 201, '{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}', 'e18cf8b83379d139500c85d26118c688be8ccad29a3be7c987cdf152be6a0840', '627defa643497e0535fac204c79fe0d85b2a638cb9c4d8dea0451f7aab9bddc6');
INSERT INTO public.audit VALUES (43, 1795815568.1992276, 'ada', 'admin', 'session', '127.0.0.1', 'stop_experiment', '/experiments/2/stop', 200, '{}', '627defa643497e0535fac204c79fe0d85b2a638cb9c4d8dea0451f7aab9bddc6', 'bfb5c7f92c370bc40d416f022b179faa267f4ed942b12354d6d6ebb5a28f298e');
INSERT INTO public.audit VALUES (44, 1795815568.2180195, 'ada', 'admin', 'session', '127.0.0.1', 'create_rollout', '/rollouts', 201, '{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}', 'bfb5c7f92c370bc40d416f022b179faa267f4ed942b12354d6d6ebb5a28f298e', '009a558e6f84ed0c7390cc1310d479c3cbf0e1b5ddc55e3832129124d0295f4c');
INSERT INTO public.audit VALUES (45, 1795815568.2286618, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-03/pins/detector', 200, '{"reason": "a demonstration"}', '009a558e6f84ed0c7390cc1310d479c3cbf0e1b5ddc55e3832129124d0295f4c', '7610bfb25c40796fba080e5328f83effa69b6d11ffb3b8a0ee4f9344373dc69d');
INSERT INTO public.audit VALUES (46, 1795815568.2374094, 'ada', 'admin', 'session', '127.0.0.1', 'pin_device', '/devices/press-04/pins/detector', 200, '{"reason": "for a day"}', '7610bfb25c40796fba080e5328f83effa69b6d11ffb3b8a0ee4f9344373dc69d', '9e2183c9249a08a554cc6e4919cab2ebe87752b233973ab09f05dd575c9804b1');
INSERT INTO public.audit VALUES (47, 1795815568.2459323, 'ada', 'admin', 'session', '127.0.0.1', 'unpin_device', '/devices/press-04/pins/detector', 200, '{}', '9e2183c9249a08a554cc6e4919cab2ebe87752b233973ab09f05dd575c9804b1', 'f8068c5bc8e491a24dc70b1c90d189fc4564604f5a8c8f2c801a886ce3f21a2e');
INSERT INTO public.audit VALUES (48, 1795815568.2534907, 'ada', 'admin', 'session', '127.0.0.1', 'release_device', '/devices/press-01/release', 200, '{}', 'f8068c5bc8e491a24dc70b1c90d189fc4564604f5a8c8f2c801a886ce3f21a2e', '2e31395b6cc1676aa6fbdd89ffe6324c7278ceeb0bd1be04d2c93a8568616642');
INSERT INTO public.audit VALUES (49, 1795815568.260864, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_rule', '/alert-rules', 201, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', '2e31395b6cc1676aa6fbdd89ffe6324c7278ceeb0bd1be04d2c93a8568616642', 'e0981b656b61a3e8288bbe5daf3445585431f39b6857e46e7651408a6bd3ae56');
INSERT INTO public.audit VALUES (50, 1795815569.947426, 'ada', 'admin', 'session', '127.0.0.1', 'acknowledge_alert', '/alerts/1/acknowledge', 204, '{}', 'e0981b656b61a3e8288bbe5daf3445585431f39b6857e46e7651408a6bd3ae56', 'ee1754a9dd93cf04a5d03a3adb11869ce75f694bba18d6fa6461287f08065619');
INSERT INTO public.audit VALUES (51, 1795815569.952644, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_rule', '/alert-rules/1', 200, '{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}', 'ee1754a9dd93cf04a5d03a3adb11869ce75f694bba18d6fa6461287f08065619', 'e606d4aecd1c08f5f799a47cce5cd684cd7163c5f8b8293f2873dbd055292af7');
INSERT INTO public.audit VALUES (52, 1795815569.95809, 'ada', 'admin', 'session', '127.0.0.1', 'silence_alert_rule', '/alert-rules/1/silence', 200, '{"for_s": 60.0}', 'e606d4aecd1c08f5f799a47cce5cd684cd7163c5f8b8293f2873dbd055292af7', 'd5f5031dae84caf787163709edb9015880d3f1e9569720a9de800d910966b81e');
INSERT INTO public.audit VALUES (53, 1795815569.9668272, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}', 'd5f5031dae84caf787163709edb9015880d3f1e9569720a9de800d910966b81e', '52e7aa7fe8852e113329ab8aba4b09c63504d636abc3fce1f618279026f3d470');
INSERT INTO public.audit VALUES (54, 1795815569.9720953, 'ada', 'admin', 'session', '127.0.0.1', 'change_alert_recipient', '/alert-recipients/1', 200, '{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}', '52e7aa7fe8852e113329ab8aba4b09c63504d636abc3fce1f618279026f3d470', 'e7a91cdfd9b25d18c8d095d7718d0e959ad072a5fbd76e2ee305eb225a5cb163');
INSERT INTO public.audit VALUES (55, 1795815569.979124, 'ada', 'admin', 'session', '127.0.0.1', 'test_alert_recipient', '/alert-recipients/1/test', 200, '{}', 'e7a91cdfd9b25d18c8d095d7718d0e959ad072a5fbd76e2ee305eb225a5cb163', '0130ab9f086136f9b63302e04cdf839cd453c53aa2ac0c245411f225386cef34');
INSERT INTO public.audit VALUES (56, 1795815569.9955952, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"rule": 1, "until_at": 1795819169.9853103, "reason": "the fan is replaced"}', '0130ab9f086136f9b63302e04cdf839cd453c53aa2ac0c245411f225386cef34', 'db38e7aa4785c9ad710af2720eea991719ef0d9512d226033aa8134a161d0e14');
INSERT INTO public.audit VALUES (57, 1795815570.0083818, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_snooze', '/alert-snoozes', 201, '{"device": "press-00", "until_at": 1795819170.004688, "reason": "moved"}', 'db38e7aa4785c9ad710af2720eea991719ef0d9512d226033aa8134a161d0e14', '5c1b6ab4174e0c3a4b68ed84cd6c495cf709604ae34b61d3517ed8ef850247d0');
INSERT INTO public.audit VALUES (58, 1795815570.013575, 'ada', 'admin', 'session', '127.0.0.1', 'end_alert_snooze', '/alert-snoozes/2', 204, '{}', '5c1b6ab4174e0c3a4b68ed84cd6c495cf709604ae34b61d3517ed8ef850247d0', '252164d09670b28ca2930267529c0702e9ff97e179958115a11c0c74af4a003f');
INSERT INTO public.audit VALUES (59, 1795815570.021297, 'ada', 'admin', 'session', '127.0.0.1', 'create_alert_recipient', '/alert-recipients', 201, '{"name": "second", "kind": "email", "emails": ["ops@example.org"]}', '252164d09670b28ca2930267529c0702e9ff97e179958115a11c0c74af4a003f', '6e6b0286b5cdbca7c78e09ec9473d927fffa051df400b0d3760d09eb3a617dfb');
INSERT INTO public.audit VALUES (60, 1795815570.0265207, 'ada', 'admin', 'session', '127.0.0.1', 'delete_alert_recipient', '/alert-recipients/2', 204, '{}', '6e6b0286b5cdbca7c78e09ec9473d927fffa051df400b0d3760d09eb3a617dfb', 'f5adb63a505e2dbd683aca0844a91568860099caed0f66f7cd88955058b21aae');
INSERT INTO public.audit VALUES (61, 1795815570.0481849, 'ada', 'admin', 'session', '127.0.0.1', 'rotate_trust_key', '/trust/rotate', 200, '{"role": "snapshot"}', 'f5adb63a505e2dbd683aca0844a91568860099caed0f66f7cd88955058b21aae', 'f08cc9b405c1728a10f118af7d6f9de12fecdb59e6b8a705f5e1c62b900cd150');
INSERT INTO public.audit VALUES (62, 1795815570.0666056, 'ada', 'admin', 'session', '127.0.0.1', 'withdraw_version', '/trust/withdraw', 200, '{"package": "pipeline-gate", "version": "1.0.0"}', 'f08cc9b405c1728a10f118af7d6f9de12fecdb59e6b8a705f5e1c62b900cd150', 'e2c0809b37039117c4a30ea0db8549df44e921219e5d705ca3f0820a22b24d8a');
INSERT INTO public.audit VALUES (63, 1795815570.1103046, 'ada', 'admin', 'session', '127.0.0.1', 'begin_authority_rotation', '/certificates/rotation', 200, '{}', 'e2c0809b37039117c4a30ea0db8549df44e921219e5d705ca3f0820a22b24d8a', 'a878dfae4d6f9ae91eccc7e971901bbcb693e95d7ff5fce1659ec2b1a88dbbc0');
INSERT INTO public.audit VALUES (64, 1795815570.1283855, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"life_s": 100000.0, "devices_max": 3, "approval": true}', 'a878dfae4d6f9ae91eccc7e971901bbcb693e95d7ff5fce1659ec2b1a88dbbc0', '3a8b091d19b1376ba6f27e6b8774d23ad59817d83628ffc55a1662a72dba30c4');
INSERT INTO public.audit VALUES (65, 1795815570.1487176, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABL1QPO2aHZwZ72agidHFdyDNXNkN4122x7m09jiEjaMplsyFKKaIV43J\nT9lPhW7lh2DJbUwBMfOygavF2vmsePSgADAKBggqhkjOPQQDAgNJADBGAiEAzcuV\naJqbJLs2cr8nVxkFoVyt7uDPUMGm5lZnforfJMACIQCqoShFkU3iaBbK+OCzx54i\ndlNbmfz7Mw5ata1t9jbDDA==\n-----END CERTIFICATE REQUEST-----\n"}', '3a8b091d19b1376ba6f27e6b8774d23ad59817d83628ffc55a1662a72dba30c4', 'e7f03c2187f93685cc8177ee1ab30f70ce16694bc15e94e4a06568ab2e2ed32b');
INSERT INTO public.audit VALUES (66, 1795815570.1579673, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 202, '{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABNwn4OUvY4EehIo6WDmGmBS6ErSgB7196PYkMc1xYkhmU9SYSVC9Mmdw\nZhlPupUzBF+2wZ1zS5HB9tXzGLY59RigADAKBggqhkjOPQQDAgNIADBFAiAlBDpc\nyHbgpnuO+DVQHJZcBLIR4SAI3oLQtZ1HtRTvqwIhAIPNz2w5v92INItB9X91lLsM\nss7VLGEsHZ88GvMSfSUR\n-----END CERTIFICATE REQUEST-----\n"}', 'e7f03c2187f93685cc8177ee1ab30f70ce16694bc15e94e4a06568ab2e2ed32b', '98601827db01724ae08e31a92dddafe8ab2d01209636bc45e7df9131c1276243');
INSERT INTO public.audit VALUES (67, 1795815570.1725044, 'ada', 'admin', 'session', '127.0.0.1', 'decide_enrolment_requests', '/enrolment-requests/decisions', 200, '{"approve": true, "devices": [{"device": "image-1"}]}', '98601827db01724ae08e31a92dddafe8ab2d01209636bc45e7df9131c1276243', 'acf0b85f6ce0881c9abbfc60156a7ab286ca00fa12ba2a4a33667986bde0b490');
INSERT INTO public.audit VALUES (68, 1795815570.1792521, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', 'acf0b85f6ce0881c9abbfc60156a7ab286ca00fa12ba2a4a33667986bde0b490', '4aac573f4d030c4f8d0b287ceaca97d579b3fb489d5bfad3726b7d6b13557804');
INSERT INTO public.audit VALUES (69, 1795815570.185761, 'ada', 'admin', 'session', '127.0.0.1', 'create_enrolment_token', '/enrolment-tokens', 201, '{"labels": {"site": "north"}, "life_s": 100000.0}', '4aac573f4d030c4f8d0b287ceaca97d579b3fb489d5bfad3726b7d6b13557804', '413d9b80e64bd9fdbfabb052658024742a52f3baa0caff14d33b9d4f2b6ea956');
INSERT INTO public.audit VALUES (70, 1795815570.2049634, 'ada', 'admin', 'session', '127.0.0.1', 'enrol_device', '/enrol', 200, '{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABHljgVhJ6SqJR0YEcG+fYo5dMC0vKOvg7fLkSEZuJqW7J0hnxCUn\n6uMogcRU/KbY/g8OuEz5P+3qBiaWIWwVp/+gADAKBggqhkjOPQQDAgNIADBFAiBi\nEsAlA7SFaka4gmRqp/G/wfhYhtczoW6XLsgZqjXbRwIhAP74iRc80ASj1VUptsn/\nwAoulWQziTxY4EXVzeab4DFk\n-----END CERTIFICATE REQUEST-----\n"}', '413d9b80e64bd9fdbfabb052658024742a52f3baa0caff14d33b9d4f2b6ea956', '87ccf6cd744f7422789853970db53152b0edf36452c708f884831fa9c9be7a04');
INSERT INTO public.audit VALUES (71, 1795815570.2183456, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost"}', '87ccf6cd744f7422789853970db53152b0edf36452c708f884831fa9c9be7a04', '4da3b398d742532e0604182848bfbd66b34ba9d5ded9bd139720fdfe01f4035c');
INSERT INTO public.audit VALUES (72, 1795815570.227937, 'ada', 'admin', 'session', '127.0.0.1', 'unblock_device', '/devices/enrolled-1/block', 200, '{}', '4da3b398d742532e0604182848bfbd66b34ba9d5ded9bd139720fdfe01f4035c', '158f890d4e704b19180ea6f9b8e0fe4f001d25baedc09e7b3f1756a6323795ce');
INSERT INTO public.audit VALUES (73, 1795815570.2339451, 'ada', 'admin', 'session', '127.0.0.1', 'block_device', '/devices/enrolled-1/block', 200, '{"reason": "lost again"}', '158f890d4e704b19180ea6f9b8e0fe4f001d25baedc09e7b3f1756a6323795ce', '2f92172f8ee72015abeb5babf9798b232ca81ed6eaac1f493014e24d1258a86a');
INSERT INTO public.audit VALUES (74, 1795815570.255319, 'ada', 'admin', 'session', '127.0.0.1', 'finish_authority_rotation', '/certificates/rotation/finish', 200, '{"online_days": 0.0}', '2f92172f8ee72015abeb5babf9798b232ca81ed6eaac1f493014e24d1258a86a', 'bfa12814c958f6d6e08d133879388231160448c13bf63bb0841ef55cafb49405');
INSERT INTO public.audit VALUES (75, 1795815570.2617826, 'ada', 'admin', 'session', '127.0.0.1', 'create_api_token', '/api-tokens', 201, '{"name": "proposes", "role": "operator", "scopes": ["propose"]}', 'bfa12814c958f6d6e08d133879388231160448c13bf63bb0841ef55cafb49405', '9b1042e909d41ab189ed9242df71f134f549e346d2b01e8f4308a1e66952f86b');
INSERT INTO public.audit VALUES (76, 1795815570.3003366, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/south', 202, '{"selector": {"labels": {"site": "south"}}, "note": "proposed"}', '9b1042e909d41ab189ed9242df71f134f549e346d2b01e8f4308a1e66952f86b', '12443550abab2c91f9e18a44cee47d4513697e3d6db9607a31ef4a07336aa261');
INSERT INTO public.audit VALUES (77, 1795815570.3133383, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/west', 202, '{"selector": {"labels": {"site": "west"}}, "note": "proposed"}', '12443550abab2c91f9e18a44cee47d4513697e3d6db9607a31ef4a07336aa261', '5280e72b86ac036ff6bcff1f90ecf7a3bc52b61cfb4adb7cb90670cf00b80e30');
INSERT INTO public.audit VALUES (78, 1795815570.3254414, 'ada', 'operator', 'token', '127.0.0.1', 'create_proposal', '/groups/east', 202, '{"selector": {"labels": {"site": "east"}}, "note": "proposed"}', '5280e72b86ac036ff6bcff1f90ecf7a3bc52b61cfb4adb7cb90670cf00b80e30', 'a86ba98d5b7d2bd59b1225048930448cda4f15dddf62449b439593ec0fbcf36f');
INSERT INTO public.audit VALUES (79, 1795815570.3493195, 'ada', 'admin', 'session', '127.0.0.1', 'approve_proposal', '/proposals/1/approve', 200, '{"reason": "looked at it"}', 'a86ba98d5b7d2bd59b1225048930448cda4f15dddf62449b439593ec0fbcf36f', 'af9095a2f9bb311c6666977b8a134b31ad361db5a3ee849491b303bb4369e171');
INSERT INTO public.audit VALUES (80, 1795815570.3546596, 'ada', 'admin', 'session', '127.0.0.1', 'put_group', '/groups/south', 200, '{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}', 'af9095a2f9bb311c6666977b8a134b31ad361db5a3ee849491b303bb4369e171', '7d26592c00c22fae51187b4701e1e2431b1dd754fed08fd7e011c95cef10dfbb');
INSERT INTO public.audit VALUES (81, 1795815570.365308, 'ada', 'admin', 'session', '127.0.0.1', 'reject_proposal', '/proposals/2/reject', 200, '{"reason": "not now"}', '7d26592c00c22fae51187b4701e1e2431b1dd754fed08fd7e011c95cef10dfbb', '7af08d457cac7611ab4f780bfd9c85133fcd79e66522cbc2e79af495107132fe');
INSERT INTO public.audit VALUES (82, 1795815570.4132137, 'ada', 'admin', 'session', '127.0.0.1', 'create_dossier', '/dossiers', 200, '{"component": "numpy", "version": "", "stage": "72h"}', '7af08d457cac7611ab4f780bfd9c85133fcd79e66522cbc2e79af495107132fe', 'e2342d21a865ce5ded0c46d174ee8479003b7928762587ffa08bdafd3ad47cc1');
INSERT INTO public.audit VALUES (83, 1795815570.9479036, 'ada', 'admin', 'session', '127.0.0.1', 'change_password', '/session/password', 204, '{"current": "(hidden)", "password": "(hidden)"}', 'e2342d21a865ce5ded0c46d174ee8479003b7928762587ffa08bdafd3ad47cc1', '5101ec376ce9ac6768791d99b067bd5590e6edd895c0f7f48f87031130a0dd00');
INSERT INTO public.audit VALUES (84, 1795815573.4360378, 'root (on the server)', 'admin', 'data', '', 'migrate_db', 'postgresql://(hidden)@127.0.0.1:55105/fleet_1', 0, '{"from": "/tmp/tmp92r0pv6t/fleet/fleet.db"}', '5101ec376ce9ac6768791d99b067bd5590e6edd895c0f7f48f87031130a0dd00', 'da8d41380bcd5ad5d77bcd64e1550ec95d854e98e58c4deb383283e696ffa134');
INSERT INTO public.audit_archived VALUES (1, '51e2d15bd531721b0548afe09eef1ae76b3be790295ec5829a9af7f8ea8350a4');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'agent', 'edgefleet-agent', '0.3.0');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'runtime', 'python', '3.11.2');
INSERT INTO public.bill_component VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 'library', 'numpy', '2.3.1');
INSERT INTO public.blob VALUES ('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723', 388, 1795815559.8167884);
INSERT INTO public.blob VALUES ('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b', 500, 1795815559.8167884);
INSERT INTO public.blob VALUES ('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf', 30, 1795815559.8770154);
INSERT INTO public.blob VALUES ('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90', 56, 1795815559.8770154);
INSERT INTO public.blob VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 811, 1795815559.8167884);
INSERT INTO public.blob VALUES ('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410', 388, 1795815559.847987);
INSERT INTO public.blob VALUES ('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de', 500, 1795815559.847987);
INSERT INTO public.blob VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 811, 1795815559.847987);
INSERT INTO public.blob VALUES ('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb', 388, 1795815559.8770154);
INSERT INTO public.blob VALUES ('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d', 500, 1795815559.8770154);
INSERT INTO public.blob VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 811, 1795815559.8770154);
INSERT INTO public.blob VALUES ('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a', 217, 1795815559.9916148);
INSERT INTO public.blob VALUES ('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66', 104, 1795815559.9916148);
INSERT INTO public.blob VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 433, 1795815559.9916148);
INSERT INTO public.blocked_device VALUES ('enrolled-1', 1795815570.2325563, 'lost again');
INSERT INTO public.camera_hour VALUES ('press-00', 'hall', 1795813200, 6, 0);
INSERT INTO public.channel VALUES ('spotter', 'stable', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1795815559.9504223, 'ada', 'first');
INSERT INTO public.channel_change VALUES (1, 'spotter', 'stable', '1.0.0', '', 1795815559.9425118, 'ada', 'first');
INSERT INTO public.channel_change VALUES (2, 'spotter', 'stable', '1.1.0', '1.0.0', 1795815559.9504223, 'ada', 'first');
INSERT INTO public.checkpoint VALUES ('rollup', 6);
INSERT INTO public.checkpoint VALUES ('rollup hours', 1795816800);
INSERT INTO public.command VALUES ('bill-47760bf56a2d4e96be0769ac6de14c02', 'press-00', 'bill', '{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}', 'done', 'did it', '{}', 1795815564.9255338, 1795815609.9255338, 1795815565.0238433);
INSERT INTO public.command VALUES ('6e0389d9545342c1b98cae50c8d8b69c', 'press-00', 'identify', '{"n": 1}', 'done', 'did it', '{"n":1}', 1795815565.3644004, 1795815595.3644004, 1795815565.4637034);
INSERT INTO public.command VALUES ('f044e32e9e28442ea56a012c54d20999', 'press-00', 'snapshot', '{"overlays": false, "pipeline": "gate"}', 'done', 'did it', '{"overlays":false,"pipeline":"gate"}', 1795815565.4883146, 1795815625.4883146, 1795815565.5535762);
INSERT INTO public.command VALUES ('logs-b3273016a9e84bfbb76561b4737f87b0', 'press-00', 'logs', '{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}', 'done', 'did it', '{"source":"service","level":"debug","search":"","lines":200,"after":""}', 1795815565.4991271, 1795815590.4991271, 1795815565.5535762);
INSERT INTO public.configuration VALUES ('plant', 1, '[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]', 1795815565.3536243, 'ada');
INSERT INTO public.cursor VALUES ('press-00', 'telemetry', 'press-00-epoch', 6, '[]', 0, 0, 0, 1795815568.3274932);
INSERT INTO public.cursor VALUES ('press-00', 'events', 'press-00-epoch', 3, '[]', 0, 0, 0, 1795815560.0728652);
INSERT INTO public.desired VALUES ('press-00', 3, '{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}', 3);
INSERT INTO public.desired VALUES ('press-02', 1, '{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-01', 2, '{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-05', 2, '{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 2);
INSERT INTO public.desired VALUES ('press-03', 1, '{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.desired VALUES ('press-04', 1, '{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}', 1);
INSERT INTO public.device VALUES ('press-00', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', '{}', '{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}', 0, '[]');
INSERT INTO public.device VALUES ('press-01', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{"floor":"1"}', '{}', '{"floor":"1"}', 1795815568.2534318, '[]');
INSERT INTO public.device VALUES ('press-02', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-03', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-04', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device VALUES ('press-05', 1795815560.0728652, 'virtual', 'cpu', '["lite_rt","onnx_runtime"]', '{"arch":"none"}', '{}', '{}', '{}', 0, '[]');
INSERT INTO public.device_bill VALUES (1, 'press-00', '08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795815560.0728652, NULL);
INSERT INTO public.device_certificate VALUES ('5dd50bf4306f778b97e4b97c6746d25de78dd717', 'enrolled-1', 1795815570.1975162, 1803591570, 1795815570.216881);
INSERT INTO public.device_group VALUES ('north', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}', 'in the north', 1795815565.072673, 'ada');
INSERT INTO public.device_group VALUES ('plant', '{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}', '', 1795815565.0812914, 'ada');
INSERT INTO public.device_group VALUES ('south', '{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}', 'proposed', 1795815570.3532567, 'ada');
INSERT INTO public.device_last VALUES ('press-00', 'offline', 1795815571.0142088, 'boot-1', '', 4, 1795815571.0142088, 'boot-1', 14, 3, '{}', 10000000000, '[]', '[]', 0, 1795815568.2627327, '{"at":1795815568.2627327,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}', 15, 12, 0, NULL, 20, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_last VALUES ('press-01', 'offline', 1795815571.0142088, 'boot-1', '', 4, 1795815571.0142088, 'boot-1', 13, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_last VALUES ('press-02', 'offline', 1795815571.1635637, 'boot-1', '', 4, 1795815571.1635637, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_last VALUES ('press-03', 'offline', 1795815571.2645068, 'boot-1', '', 4, 1795815571.2645068, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_last VALUES ('press-04', 'offline', 1795815571.365266, 'boot-1', '', 4, 1795815571.365266, 'boot-1', 6, 1, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_last VALUES ('press-05', 'offline', 1795815571.4221938, 'boot-1', '', 4, 1795815571.4221938, 'boot-1', 10, 2, '{}', 10000000000, '[]', '[]', 0, 0, '{}', 0, 0, 0, NULL, 0, 1.9959959726856762, 1795815570.4916003, '[]');
INSERT INTO public.device_slot VALUES ('press-00', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815568.3539436}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '2:press-00:1:back', 'none', '', 0, 0, 1795815568.3539531);
INSERT INTO public.device_slot VALUES ('press-01', 'detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815568.5035238}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '7:press-01:1', 'none', '', 0, 0, 1795815568.503537);
INSERT INTO public.device_slot VALUES ('press-01', 'second', 'committed', 'spotter', '1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795815568.5049016}', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', '7:press-01:1', 'none', '', 0, 0, 1795815568.504908);
INSERT INTO public.device_slot VALUES ('press-02', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.2595606}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-02:1', 'none', '', 0, 0, 1795815566.2595654);
INSERT INTO public.device_slot VALUES ('press-03', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.2575517}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-03:1', 'none', '', 0, 0, 1795815566.2575555);
INSERT INTO public.device_slot VALUES ('press-04', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.257177}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-04:1', 'none', '', 0, 0, 1795815566.2571914);
INSERT INTO public.device_slot VALUES ('press-05', 'detector', 'committed', 'spotter', '1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815568.099966}', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', '1:press-05:1', 'none', '', 0, 0, 1795815568.0999744);
INSERT INTO public.device_slot VALUES ('press-05', 'shadow-detector', 'committed', 'spotter', '1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815568.3456962}', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', '3:press-05:1', 'none', '', 0, 0, 1795815568.3457048);
INSERT INTO public.enrolled_labels VALUES ('enrolled-1', '{"site":"north"}', 1795815570.2028694);
INSERT INTO public.enrolment_request VALUES ('image-1', '52133fa227c8', '8ac29e76bf694c04de8edfd3d9088b04747a650604f896f27d73f1d5ec91f1cc', 'approved', 1795815570.1392205, 1795815570.1392205, 1795815570.1703212, 'ada');
INSERT INTO public.enrolment_request VALUES ('image-2', '52133fa227c8', '54abaf46e20f3e0a1f36ea201fbfb72166d8a5b3e3d4008e3d8571704e53c106', 'waiting', 1795815570.1549559, 1795815570.1549559, NULL, '');
INSERT INTO public.enrolment_token VALUES ('52133fa227c8', 'b618810a134ff5d6746330fc690411f8646e934e77c3a1dabd45f46ad4485b97', '', '{}', 1795815570.1266327, 1795915570.1266327, NULL, '', NULL, 3, 0, true);
INSERT INTO public.enrolment_token VALUES ('4513ba5e8aac', 'f9294eff6bd37e3d4c3bd93548ca14352a43d0bf3c57160370d5009e4a8dedec', '', '{"site": "north"}', 1795815570.177672, 1795915570.177672, 1795815570.1975162, 'enrolled-1', NULL, 1, 1, false);
INSERT INTO public.enrolment_token VALUES ('7a72b3d153c6', '471b3f1e6dbc19cc2fa18cdf3a5eb6e9c966b50ee61fffadbdae0cd93e2cae90', '', '{"site": "north"}', 1795815570.1849415, 1795915570.1849415, NULL, '', NULL, 1, 0, false);
INSERT INTO public.environment_bill VALUES ('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7', 1795815565.0238433, 1795815624.9255338, 1, 0, 0, '{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
INSERT INTO public.event_d20784 VALUES (1, 'press-00', 1795815560.0302527, 1795815560.0728652, 'visit', 'person', '{"kind":"visit","id":"e0","at":1795815560.0302527,"label":"person","count":0}');
INSERT INTO public.event_d20784 VALUES (2, 'press-00', 1795815560.030254, 1795815560.0728652, 'visit', 'person', '{"kind":"visit","id":"e1","at":1795815560.030254,"label":"person","count":1}');
INSERT INTO public.event_d20784 VALUES (3, 'press-00', 1795815560.0302546, 1795815560.0728652, 'visit', 'person', '{"kind":"visit","id":"e2","at":1795815560.0302546,"label":"person","count":2}');
INSERT INTO public.event_review VALUES (3, 'confirmed', 'ada', 1795815565.925564);
INSERT INTO public.experiment VALUES (1, 'faster', 'detector', 'ended', 'hash', '', 1795815568.1570902, 'ada', 1795815568.174974, 'ada', 'a', NULL, '', NULL);
INSERT INTO public.experiment VALUES (2, 'again', 'detector', 'ended', 'hash', '', 1795815568.1845253, 'ada', 1795815568.1981678, 'ada', '', NULL, '', NULL);
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
INSERT INTO public.measurement VALUES (1, 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'cpu', 'm', 1795815559.9012814, 'cpu-int8', 'lite_rt', 'cpu', 2, 1, 1, 1, 5, 6, 10, 1, 1, true);
INSERT INTO public.member VALUES ('m-1', 'all', 'host', '0.2.0', 1, 0, 0, 0, 0, 0, 0, 1795815571.8612475, 1795815571.8612475, 0, 0, 0, 0, false, false);
INSERT INTO public.notice VALUES (1, 'http://127.0.0.1:9/hook', 1, '{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795815569.9293416, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}', 'waiting', 1, 1795815580.8989763, 1795815569.9293416, 'Connection refu(hidden)ed', NULL);
INSERT INTO public.openid_login VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'nonce', 'verifier', '/', 1795815571.8612475);
INSERT INTO public.package VALUES ('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'spotter', '1.0.0', 1795815559.8167884, 811, 974, '{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'spotter', '1.1.0', 1795815559.847987, 811, 974, '{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'spotter', '1.2.0', 1795815559.8770154, 811, 974, '{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}', '[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]', NULL);
INSERT INTO public.package VALUES ('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9', 'pipeline-gate', '1.0.0', 1795815559.9916148, 433, 321, '{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}', '[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]', NULL);
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
INSERT INTO public.person VALUES ('ada', 'admin', 'scrypt$15$8$3$AwEllZTmeE+3OudX5Rr9jA==$cFO/fnMTzvo/aD9gfLpjkfNWKwH5Jim4KX9U2DgRlfU=', 1795815558.9881177, false, NULL);
INSERT INTO public.person VALUES ('bob', 'admin', 'scrypt$15$8$3$clVZ2DhKj1Cpfq35hbE02A==$0TDwxaukrvTRJxRhh5T6fnWgStIcJLZQQJ6XwMi8jl4=', 1795815559.7711167, false, NULL);
INSERT INTO public.person VALUES ('lea', 'viewer', 'scrypt$15$8$3$Uh0dNHx4EEuFwvx4SCuFdA==$F7T+F2AeDVsCcvwojiyhP72lN/ea5jSt8NwOaA+Qc3w=', 1795815565.346008, false, NULL);
INSERT INTO public.pin VALUES ('press-03', 'detector', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'a demonstration', 'ada', 1795815568.2284784);
INSERT INTO public.proposal VALUES (1, 'approved', 'd74c5f4168fe', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/south', '{"selector":{"labels":{"site":"south"}},"note":"proposed"}', '', 'complete', 1795815570.2939775, 1796420370.2939775, 1795815570.3482883, 'ada', 'looked at it', 200, 'put_group: name south');
INSERT INTO public.proposal VALUES (2, 'rejected', 'd74c5f4168fe', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/west', '{"selector":{"labels":{"site":"west"}},"note":"proposed"}', '', 'complete', 1795815570.3113177, 1796420370.3113177, 1795815570.3646789, 'ada', 'not now', 0, '');
INSERT INTO public.proposal VALUES (3, 'pending', 'd74c5f4168fe', 'proposes', 'ada', 'put_group', 'Create or change a group.', 'operator', 'PUT', '/groups/east', '{"selector":{"labels":{"site":"east"}},"note":"proposed"}', '', 'complete', 1795815570.3234441, 1796420370.3234441, NULL, '', '', 0, '');
INSERT INTO public.request_key VALUES ('1b284562f54e4560c7344142f05c0cbf8f632b966fa635d43dafccfe32930fc1', '1a43792f7e98d6a75db9e18a71af0327abcc9a4a5efcc933e16e818e8cc8d452', '9b7d5e9778d6539abed60d4ba5763afed0b40536c6702ec58747c523da7dd34b', 'e31f31be74313864', 1795815569.987347, 1795815689.987347, true, 201, 'Y6WySu/o5I/g9EQrCgwdutsVG2KquZPB3tjWOZ63UaBV0KXV+a53dRTx/vT1ufm52X+ufRbUEyXTM2uBoksFppKYg6dfNdRihl3CGWQeSlTbeKNhobDSQ2RZIaK0PbyEep+lHctAaisWmnm2n8rgPQNoNt6He3YT1Vqvn2CSeD4UsFLxZ+nI8RRNNMz1KuTM7Ztk5S6n1sspNKUaB+o3OW6iFoP9YCUXrQk/C7lLn86KJAj/qmh3lqeHOJ7Elsh1SeHGwT3TxISeWokUooF8Ujq+EBErej7cnMcGBrDv3BO+6MfhekFBteraN4fxWgv0Rg4tE0tqMupW9OgYs8sETdBwWONI97q+eFSgx68LHnZNSuU0L3g/6MLuTbY3oQPp7now54yLF/H6QZqO61ElzqTh0YagHUBGkCHAPPeF4dtNaXbg1UEJ');
INSERT INTO public.restricted_device VALUES ('door', 'throttled', 'over_quota', 1795815571.8612475, 1795815871.8612475, 0);
INSERT INTO public.retention VALUES ('samples', 1795815559.8952925, 0, 0.001365483010886237, '');
INSERT INTO public.retention VALUES ('events', 1795815559.8952925, 0, 0.0027545009943423793, '');
INSERT INTO public.rollout VALUES (1, 'spotter 1.0.0', '2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509', 'detector', 'completed', '', 1795815565.9439118, 1795815565.9439118, 1795815566.913937, 1795815566.913937, '{"all": true, "ids": [], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (2, 'spotter 1.1.0', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'rolled_back', '', 1795815566.9514117, 1795815566.9705153, 1795815568.4480617, 1795815568.4480617, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (3, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'shadow-detector', 'completed', '', 1795815568.081309, 1795815568.081309, 1795815569.1663973, 1795815569.1663973, '{"all": false, "ids": ["press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (4, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'aborted', 'the wrong day', 1795815568.1033301, NULL, 1795815568.1119108, 1795815568.1119108, '{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (5, 'faster: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795815568.1570902, 1795815568.1570902, 1795815568.2007432, 1795815568.2007432, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (6, 'again: b', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 'detector', 'aborted', '', 1795815568.1845253, 1795815568.1845253, 1795815568.2007432, 1795815568.2007432, '{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 3600, '{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}', 500, 'ada', NULL);
INSERT INTO public.rollout VALUES (7, 'spotter 1.2.0', 'a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01', 'detector', 'completed', '', 1795815568.215343, 1795815568.215343, 1795815569.1663973, 1795815569.1663973, '{"all": false, "ids": ["press-01"], "labels": {}, "group": null}', '[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]', '{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}', '{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}', 120, '{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}', 500, 'ada', NULL);
INSERT INTO public.rollout_key VALUES ('apply/plant/second', 2);
INSERT INTO public.rollout_part VALUES (7, 'second', 'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129', 1);
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815240, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815300, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815360, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815420, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815480, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (60, 'press-00', 1795815540, '\x85ab6370755f70657263656e749501cb4034000000000000cb4034000000000000cb4034000000000000814b01a36670739501cb402e000000000000cb402e000000000000cb402e000000000000814401b4646574656374696f6e735f7065725f6672616d659501cb0000000000000000cb0000000000000000cb000000000000000081d1800001af64726f707065645f70657263656e749501cb0000000000000000cb0000000000000000cb000000000000000081d1800001ae6c6174656e63795f7039355f6d739501cb4028000000000000cb4028000000000000cb4028000000000000813f01');
INSERT INTO public.rollup VALUES (3600, 'press-00', 1795813200, '\x85ab6370755f70657263656e749506cb405e000000000000cb4034000000000000cb4034000000000000814b06a36670739506cb4056800000000000cb402e000000000000cb402e000000000000814406b4646574656374696f6e735f7065725f6672616d659506cb0000000000000000cb0000000000000000cb000000000000000081d1800006af64726f707065645f70657263656e749506cb0000000000000000cb0000000000000000cb000000000000000081d1800006ae6c6174656e63795f7039355f6d739506cb4052000000000000cb4028000000000000cb4028000000000000813f06');
INSERT INTO public.secret VALUES ('server id', '4367093af19cec6d544b1ccbcea40d3f', 1795815558.8182428);
INSERT INTO public.secret VALUES ('web push', '1aa2f158884edb770037439eae354c87', 1795815558.8220403);
INSERT INTO public.secret VALUES ('corpus', '3126c129be34c3197aa1298cb93a6a03', 1795815572.0664077);
INSERT INTO public.session VALUES ('1a43792f7e98d6a75db9e18a71af0327abcc9a4a5efcc933e16e818e8cc8d452', 'ada', 1795815559.25613, 1795815559.25613, 1796420359.25613, '127.0.0.1', 'python-httpx/0.28.1');
INSERT INTO public.setting VALUES ('soak_s', '1', 1795815559.8085058, 'ada');
INSERT INTO public.telemetry_d20784 VALUES (1, 'press-00', 1795815260.0302374, 1795815560.0728652, '{"at":1795815260.0302374,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO public.telemetry_d20784 VALUES (2, 'press-00', 1795815320.0302398, 1795815560.0728652, '{"at":1795815320.0302398,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO public.telemetry_d20784 VALUES (3, 'press-00', 1795815380.0302413, 1795815560.0728652, '{"at":1795815380.0302413,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO public.telemetry_d20784 VALUES (4, 'press-00', 1795815440.0302432, 1795815560.0728652, '{"at":1795815440.0302432,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO public.telemetry_d20784 VALUES (5, 'press-00', 1795815500.030245, 1795815560.0728652, '{"at":1795815500.030245,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO public.telemetry_d20784 VALUES (6, 'press-00', 1795815568.2627327, 1795815568.3274932, '{"at":1795815568.2627327,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
INSERT INTO public.timeline VALUES (1, 1, 1795815565.9439118, 'created', 'Created: spotter 1.0.0', NULL, NULL);
INSERT INTO public.timeline VALUES (2, 1, 1795815565.9439118, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (3, 1, 1795815566.0014048, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (4, 1, 1795815566.3603978, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (5, 1, 1795815566.913937, 'wave_passed', 'Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (6, 1, 1795815566.913937, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (7, 2, 1795815566.9514117, 'created', 'Created: spotter 1.1.0', NULL, NULL);
INSERT INTO public.timeline VALUES (8, 2, 1795815566.9705153, 'running', 'Running: now', NULL, NULL);
INSERT INTO public.timeline VALUES (9, 2, 1795815566.9891074, 'paused', 'Paused: a question', NULL, NULL);
INSERT INTO public.timeline VALUES (10, 2, 1795815567.004547, 'resumed', 'Running: answered', NULL, NULL);
INSERT INTO public.timeline VALUES (11, 2, 1795815567.0203385, 'wave_skipped', 'Wave ''rest'' was skipped by ada: one is enough; 1 device not updated', 1, NULL);
INSERT INTO public.timeline VALUES (12, 2, 1795815567.036389, 'wave_approved', 'Wave ''one'' was approved by ada: agreed', 0, NULL);
INSERT INTO public.timeline VALUES (13, 2, 1795815567.0657883, 'wave_running', 'Wave ''one'' started', 0, NULL);
INSERT INTO public.timeline VALUES (14, 2, 1795815567.4091852, 'wave_soaking', 'Wave ''one'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (15, 2, 1795815567.9670167, 'wave_passed', 'Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (16, 2, 1795815567.9670167, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (17, 2, 1795815568.034469, 'rolling_back', 'Rolling back: too slow', NULL, NULL);
INSERT INTO public.timeline VALUES (18, 3, 1795815568.081309, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (19, 3, 1795815568.081309, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (20, 3, 1795815568.0902867, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (21, 4, 1795815568.1033301, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (22, 4, 1795815568.1119108, 'aborted', 'Aborted: the wrong day', NULL, NULL);
INSERT INTO public.timeline VALUES (23, 5, 1795815568.1570902, 'created', 'Created: faster: b', NULL, NULL);
INSERT INTO public.timeline VALUES (24, 5, 1795815568.1570902, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (25, 5, 1795815568.174974, 'aborting', 'Aborting: experiment 1 chose arm a', NULL, NULL);
INSERT INTO public.timeline VALUES (26, 6, 1795815568.1845253, 'created', 'Created: again: b', NULL, NULL);
INSERT INTO public.timeline VALUES (27, 6, 1795815568.1845253, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (28, 6, 1795815568.1981678, 'aborting', 'Aborting: experiment 2 was stopped', NULL, NULL);
INSERT INTO public.timeline VALUES (29, 5, 1795815568.2007432, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (30, 5, 1795815568.2007432, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (31, 6, 1795815568.2007432, 'wave_skipped', 'Wave ''all'' was skipped', 0, NULL);
INSERT INTO public.timeline VALUES (32, 6, 1795815568.2007432, 'aborted', 'Aborted', NULL, NULL);
INSERT INTO public.timeline VALUES (33, 7, 1795815568.215343, 'created', 'Created: spotter 1.2.0', NULL, NULL);
INSERT INTO public.timeline VALUES (34, 7, 1795815568.215343, 'running', 'Running', NULL, NULL);
INSERT INTO public.timeline VALUES (35, 7, 1795815568.262393, 'wave_running', 'Wave ''all'' started', 0, NULL);
INSERT INTO public.timeline VALUES (36, 2, 1795815568.4480617, 'device_rolled_back', 'press-00: rolled back: rolled back by an operator; restored to the previous version', 0, 'press-00');
INSERT INTO public.timeline VALUES (37, 2, 1795815568.4480617, 'rolled_back', 'Rolled back', NULL, NULL);
INSERT INTO public.timeline VALUES (38, 3, 1795815568.4480617, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (39, 7, 1795815568.611538, 'wave_soaking', 'Wave ''all'' is soaking', 0, NULL);
INSERT INTO public.timeline VALUES (40, 3, 1795815569.1663973, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (41, 3, 1795815569.1663973, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.timeline VALUES (42, 7, 1795815569.1663973, 'wave_passed', 'Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %', 0, NULL);
INSERT INTO public.timeline VALUES (43, 7, 1795815569.1663973, 'completed', 'Completed', NULL, NULL);
INSERT INTO public.user_grant VALUES ('lea', 'plant', 'operator');
INSERT INTO public.version_share VALUES (1795815300, '[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
INSERT INTO public.wave VALUES (1, 0, 'all', 'passed', 6, 1795815566.0014048, 1795815566.3603978, 1795815566.913937, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (2, 0, 'one', 'passed', 1, 1795815567.0657883, 1795815567.4091852, 1795815567.9670167, 0, 0, true, 'ada', false);
INSERT INTO public.wave VALUES (2, 1, 'rest', 'skipped', 1, NULL, NULL, 1795815567.0203385, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (3, 0, 'all', 'passed', 1, 1795815568.0902867, 1795815568.4480617, 1795815569.1663973, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (4, 0, 'all', 'skipped', 2, NULL, NULL, NULL, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (5, 0, 'all', 'skipped', 3, NULL, NULL, 1795815568.2007432, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (6, 0, 'all', 'skipped', 3, NULL, NULL, 1795815568.2007432, 0, 0, false, NULL, false);
INSERT INTO public.wave VALUES (7, 0, 'all', 'passed', 1, 1795815568.262393, 1795815568.611538, 1795815569.1663973, 0, 0, false, NULL, false);
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
SELECT pg_catalog.setval('public.version_share_at_seq', 1795815301, false);
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
