import { Button, Group, NumberInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { groupsQuery } from "~/api/fleet";
import { ErrorText } from "~/components/States";
import { fieldErrors } from "~/components/fieldErrors";
import { addRule, type AlertRuleRequest, type Figure, type RuleBody } from "~/api/alerts";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { capital } from "~/format/numbers";
import { FIGURES, figuresOf, SEVERITY, isOfRollouts } from "./format";

const KINDS: { value: RuleBody["kind"]; label: string }[] = [
  { value: "absence", label: "Device offline" },
  { value: "threshold", label: "Metric above or below threshold" },
  { value: "rate", label: "Event rate" },
  { value: "anomaly", label: "Metric anomaly (deviation from daily baseline)" },
  { value: "blind_camera", label: "Blind camera" },
  { value: "memory", label: "Worker over its memory ceiling" },
  { value: "rollout_paused", label: "Rollout paused by a gate" },
  { value: "rollout_failed", label: "Rollout aborted or rolled back" },
  { value: "rollout_approval", label: "Rollout awaiting approval" },
];
const SEVERITIES = Object.entries(SEVERITY).map(([value, { text }]) => ({ value, label: text }));

interface Draft {
  name: string;
  kind: RuleBody["kind"];
  figure: Figure;
  side: "above" | "below";
  limit: number;
  minutes: number;
  eventKind: string;
  eventLabel: string;
  eventRule: string;
  pipeline: string;
  group: string | null;
  deviations: number;
  severity: RuleBody["severity"];
  targets: string[];
}

const EMPTY: Draft = {
  name: "",
  kind: "absence",
  figure: "temperature_c",
  side: "above",
  limit: 80,
  minutes: 10,
  eventKind: "",
  eventLabel: "",
  eventRule: "",
  pipeline: "",
  group: null,
  deviations: 4,
  severity: "warning",
  targets: [],
};
/** The kind with its first metric and its default duration: 0 for rollouts, which wait for an operator; more for devices, which may
 * recover. */
function withKind(draft: Draft, kind: RuleBody["kind"]): Partial<Draft> {
  const figures = figuresOf(kind);
  const figure = figures.includes(draft.figure) ? draft.figure : (figures[0] ?? draft.figure);
  const same = isOfRollouts(kind) === isOfRollouts(draft.kind);
  return { kind, figure, ...(same ? {} : { minutes: isOfRollouts(kind) ? 0 : EMPTY.minutes }) };
}

const textOrNull = (text: string): string | null => text.trim() || null;
const isHook = (target: string): boolean => /^https?:\/\//.test(target);
const isMail = (target: string): boolean => /^[^@\s]+@[^@\s]+$/.test(target);

function requestOf(draft: Draft): AlertRuleRequest {
  const { kind, figure, side, limit, minutes, deviations, severity, targets } = draft;
  const isRate = kind === "rate";
  const seconds = minutes * 60;
  const limited = kind === "threshold" || isRate;
  return {
    name: draft.name.trim(),
    enabled: true,
    rule: {
      kind,
      severity,
      deviations,
      figure: figuresOf(kind).length ? figure : null,
      above: limited && side === "above" ? limit : null,
      below: kind === "blind_camera" || (limited && side === "below") ? limit : null,
      for_s: isRate ? 0 : seconds,
      window_s: isRate ? seconds : 300,
      event_kind: isRate ? textOrNull(draft.eventKind) : null,
      event_label: isRate ? textOrNull(draft.eventLabel) : null,
      event_rule: isRate ? textOrNull(draft.eventRule) : null,
      pipeline: isRate || kind === "blind_camera" ? textOrNull(draft.pipeline) : null,
      group: isOfRollouts(kind) ? null : draft.group,
      webhooks: targets.filter(isHook).map((url) => ({ url, secret: "" })),
      emails: targets.filter(isMail),
    },
  };
}

export function RuleForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const drafted = useDraft("rule", () => EMPTY);
  const { value: draft, change } = drafted;
  const make = useMutation({
    mutationFn: () => addRule(requestOf(draft)),
    onSuccess: async () => {
      drafted.discard();
      await client.invalidateQueries({ queryKey: ["alert-rules"] });
      onDone();
    },
  });
  const wrong = draft.targets.find((target) => !isHook(target) && !isMail(target));
  const groups = useQuery(groupsQuery);
  const figures = figuresOf(draft.kind);
  const { at, rest } = fieldErrors(make.error, placesOf(draft.kind));
  const cancel = () => {
    drafted.discard();
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <DraftNote draft={drafted} what="the rule" />
      <Stack>
        <TextInput
          label="Name"
          error={at.name}
          description="e.g. Line 3 offline"
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
        />
        <Select
          label="Condition"
          error={at.kind}
          data={KINDS}
          value={draft.kind}
          onChange={(kind) => kind && change(withKind(draft, kind as RuleBody["kind"]))}
          allowDeselect={false}
        />
        {figures.length > 0 && (
          <Select
            label="Metric"
            error={at.figure}
            data={figures.map((value) => ({ value, label: capital(FIGURES[value].text) + FIGURES[value].unit }))}
            value={figures.find((value) => value === draft.figure) ?? figures[0] ?? null}
            onChange={(figure) => figure && change({ figure: figure as Figure })}
            allowDeselect={false}
          />
        )}
        {draft.kind === "threshold" && <Limit draft={draft} onChange={change} at={at} />}
        {draft.kind === "blind_camera" && (
          <Group grow>
            <NumberInput
              label="Below"
              error={at.limit}
              suffix={FIGURES[draft.figure].unit}
              min={0}
              value={draft.limit}
              onChange={(value) => typeof value === "number" && change({ limit: value })}
            />
            <Words label="Pipeline" value={draft.pipeline} error={at.pipeline} onChange={(pipeline) => change({ pipeline })} />
          </Group>
        )}
        {draft.kind === "rate" && <Events draft={draft} onChange={change} at={at} />}
        {draft.kind === "anomaly" && (
          <NumberInput
            label="Deviation above"
            error={at.deviations}
            suffix=" std. dev."
            min={1}
            max={100}
            value={draft.deviations}
            onChange={(value) => typeof value === "number" && change({ deviations: value })}
          />
        )}
        <Group grow>
          <NumberInput
            label={draft.kind === "rate" ? "Time window" : "Duration"}
            error={at.minutes}
            suffix=" min"
            min={isOfRollouts(draft.kind) ? 0 : 1}
            max={1_440}
            value={draft.minutes}
            onChange={(value) => typeof value === "number" && change({ minutes: value })}
          />
          <Select
            label="Severity"
            error={at.severity}
            data={SEVERITIES}
            value={draft.severity}
            onChange={(value) => value && change({ severity: value as RuleBody["severity"] })}
            allowDeselect={false}
          />
        </Group>
        {!isOfRollouts(draft.kind) && (
          <Select
            label="Group"
            error={at.group}
            placeholder="All devices"
            data={groups.data?.items.map((group) => group.name) ?? []}
            value={draft.group}
            onChange={(group) => change({ group })}
            clearable
          />
        )}
        <TagsInput
          label="Notifications"
          description="Webhook URLs and email addresses; press Enter after each"
          value={draft.targets}
          onChange={(targets) => change({ targets })}
          error={wrong ? `${wrong} is neither an http(s):// URL nor an email address` : at.targets}
        />
        <ErrorText error={rest} />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={Boolean(wrong)}>
            Create rule
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Where the request has each field. */
const PLACES = {
  name: "/name",
  kind: "/rule/kind",
  figure: "/rule/figure",
  limit: ["/rule/above", "/rule/below"],
  minutes: ["/rule/for_s", "/rule/window_s"],
  eventKind: "/rule/event_kind",
  eventLabel: "/rule/event_label",
  eventRule: "/rule/event_rule",
  pipeline: "/rule/pipeline",
  group: "/rule/group",
  deviations: "/rule/deviations",
  severity: "/rule/severity",
  targets: ["/rule/webhooks", "/rule/emails"],
} as const;

/** The places of the fields that a kind of rule has: errors elsewhere are shown at the end of the form. */
function placesOf(kind: RuleBody["kind"]): Partial<typeof PLACES> {
  const { figure, limit, eventKind, eventLabel, eventRule, pipeline, group, deviations, ...always } = PLACES;
  return {
    ...always,
    ...(figuresOf(kind).length ? { figure } : {}),
    ...(["threshold", "blind_camera", "rate"].includes(kind) ? { limit } : {}),
    ...(kind === "rate" ? { eventKind, eventLabel, eventRule } : {}),
    ...(kind === "rate" || kind === "blind_camera" ? { pipeline } : {}),
    ...(kind === "anomaly" ? { deviations } : {}),
    ...(isOfRollouts(kind) ? {} : { group }),
  };
}

interface PartProps {
  draft: Draft;
  onChange: (next: Partial<Draft>) => void;
  at: Partial<Record<keyof typeof PLACES, string>>;
}

function Events({ draft, onChange, at }: PartProps) {
  const sides = [
    { value: "above", label: "More than" },
    { value: "below", label: "Fewer than" },
  ];
  return (
    <>
      <Group grow>
        <Select
          label="Comparison"
          data={sides}
          value={draft.side}
          onChange={(side) => side && onChange({ side: side as Draft["side"] })}
          allowDeselect={false}
        />
        <NumberInput
          label="Number"
          error={at.limit}
          suffix=" events"
          min={1}
          value={draft.limit}
          onChange={(value) => typeof value === "number" && onChange({ limit: value })}
        />
      </Group>
      <Group grow>
        <Words
          label="Event kind"
          value={draft.eventKind}
          error={at.eventKind}
          onChange={(eventKind) => onChange({ eventKind })}
        />
        <Words label="Label" value={draft.eventLabel} error={at.eventLabel} onChange={(eventLabel) => onChange({ eventLabel })} />
      </Group>
      <Group grow>
        <Words
          label="Rule of the pipeline"
          value={draft.eventRule}
          error={at.eventRule}
          onChange={(eventRule) => onChange({ eventRule })}
        />
        <Words label="Pipeline" value={draft.pipeline} error={at.pipeline} onChange={(pipeline) => onChange({ pipeline })} />
      </Group>
    </>
  );
}

interface WordsProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (next: string) => void;
}

function Words({ onChange, ...props }: WordsProps) {
  return <TextInput {...props} placeholder="Any" onChange={(event) => onChange(event.currentTarget.value)} />;
}

function Limit({ draft, onChange, at }: PartProps) {
  const sides = [
    { value: "above", label: "Above" },
    { value: "below", label: "Below" },
  ];
  return (
    <Group grow>
      <Select
        label="Comparison"
        data={sides}
        value={draft.side}
        onChange={(side) => side && onChange({ side: side as Draft["side"] })}
        allowDeselect={false}
      />
      <NumberInput
        label="Threshold"
        error={at.limit}
        suffix={FIGURES[draft.figure].unit}
        value={draft.limit}
        onChange={(value) => typeof value === "number" && onChange({ limit: value })}
      />
    </Group>
  );
}
