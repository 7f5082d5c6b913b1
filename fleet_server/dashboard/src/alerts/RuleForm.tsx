import { Button, Group, NumberInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "~/components/States";
import { addRule, type AlertRuleRequest, type Figure, type RuleBody } from "~/api/alerts";
import { capital } from "~/format/numbers";
import { FIGURES, SEVERITY, isOfRollouts, LATEST, SUMMED } from "./format";

const KINDS: { value: RuleBody["kind"]; label: string }[] = [
  { value: "absence", label: "Device offline" },
  { value: "threshold", label: "Metric above or below threshold" },
  { value: "rate", label: "Event rate" },
  { value: "anomaly", label: "Metric anomaly (deviation from daily baseline)" },
  { value: "rollout_paused", label: "Rollout paused by a gate" },
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
  deviations: 4,
  severity: "warning",
  targets: [],
};
/** The kind with its default duration: 0 for rollouts, which wait for an operator; more for devices, which may recover. */
const withKind = (draft: Draft, kind: RuleBody["kind"]): Partial<Draft> =>
  isOfRollouts(kind) === isOfRollouts(draft.kind) ? { kind } : { kind, minutes: isOfRollouts(kind) ? 0 : EMPTY.minutes };
const isHook = (target: string): boolean => /^https?:\/\//.test(target);
const isMail = (target: string): boolean => /^[^@\s]+@[^@\s]+$/.test(target);

function requestOf(draft: Draft): AlertRuleRequest {
  const { kind, figure, side, limit, minutes, eventKind, deviations, severity, targets } = draft;
  const seconds = minutes * 60;
  const needsFigure = kind === "threshold" || kind === "anomaly";
  return {
    name: draft.name.trim(),
    enabled: true,
    rule: {
      kind,
      severity,
      deviations,
      figure: needsFigure ? figure : null,
      above: kind === "rate" || (kind === "threshold" && side === "above") ? limit : null,
      below: kind === "threshold" && side === "below" ? limit : null,
      for_s: kind === "rate" ? 0 : seconds,
      window_s: kind === "rate" ? seconds : 300,
      event_kind: kind === "rate" && eventKind.trim() ? eventKind.trim() : null,
      webhooks: targets.filter(isHook).map((url) => ({ url, secret: "" })),
      emails: targets.filter(isMail),
    },
  };
}

export function RuleForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const change = (next: Partial<Draft>) => setDraft((old) => ({ ...old, ...next }));
  const make = useMutation({
    mutationFn: () => addRule(requestOf(draft)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alert-rules"] });
      onDone();
    },
  });
  const wrong = draft.targets.find((target) => !isHook(target) && !isMail(target));
  const figures = draft.kind === "anomaly" ? SUMMED : LATEST;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
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
          data={KINDS}
          value={draft.kind}
          onChange={(kind) => kind && change(withKind(draft, kind as RuleBody["kind"]))}
          allowDeselect={false}
        />
        {(draft.kind === "threshold" || draft.kind === "anomaly") && (
          <Select
            label="Metric"
            data={figures.map((value) => ({ value, label: capital(FIGURES[value].text) + FIGURES[value].unit }))}
            value={figures.find((value) => value === draft.figure) ?? figures[0] ?? null}
            onChange={(figure) => figure && change({ figure: figure as Figure })}
            allowDeselect={false}
          />
        )}
        {draft.kind === "threshold" && <Limit draft={draft} onChange={change} />}
        {draft.kind === "rate" && (
          <Group grow>
            <NumberInput
              label="More than"
              suffix=" events"
              min={1}
              value={draft.limit}
              onChange={(value) => typeof value === "number" && change({ limit: value })}
            />
            <TextInput
              label="Event kind"
              placeholder="Any"
              value={draft.eventKind}
              onChange={(event) => change({ eventKind: event.currentTarget.value })}
            />
          </Group>
        )}
        {draft.kind === "anomaly" && (
          <NumberInput
            label="Deviation above"
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
            suffix=" min"
            min={isOfRollouts(draft.kind) ? 0 : 1}
            max={1_440}
            value={draft.minutes}
            onChange={(value) => typeof value === "number" && change({ minutes: value })}
          />
          <Select
            label="Severity"
            data={SEVERITIES}
            value={draft.severity}
            onChange={(value) => value && change({ severity: value as RuleBody["severity"] })}
            allowDeselect={false}
          />
        </Group>
        <TagsInput
          label="Notifications"
          description="Webhook URLs and email addresses; press Enter after each"
          value={draft.targets}
          onChange={(targets) => change({ targets })}
          error={wrong && `${wrong} is neither an http(s):// URL nor an email address`}
        />
        <ErrorText error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
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

function Limit({ draft, onChange }: { draft: Draft; onChange: (next: Partial<Draft>) => void }) {
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
        suffix={FIGURES[draft.figure].unit}
        value={draft.limit}
        onChange={(value) => typeof value === "number" && onChange({ limit: value })}
      />
    </Group>
  );
}
