import { Select, Stack, Switch, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { templatesQuery } from "~/api/queries";
import { capital } from "~/format/numbers";
import { Choices } from "./Choices";
import { Numbers, type Field } from "./Numbers";
import { fromTemplate, type GateDraft, type Plan, type RegressionDraft } from "./plan";
import { TermsFields } from "./TermsFields";
import { Waves } from "./Waves";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

export function HowStep({ plan, onChange }: StepProps) {
  const { data } = useQuery(templatesQuery);
  const edit = (next: Partial<Plan>) => onChange({ ...next, template: null });
  return (
    <Stack gap="lg">
      {data && (
        <Choices
          label="Template"
          choices={data.items.map(({ name, title }) => ({ value: name, title: capital(name.replaceAll("-", " ")), text: title }))}
          value={plan.template}
          onChange={(name) => {
            const chosen = data.items.find((template) => template.name === name);
            if (chosen) onChange(fromTemplate(chosen, data.defaults));
          }}
        />
      )}
      <Waves waves={plan.waves} onChange={(waves) => edit({ waves })} />
      <Gate plan={plan} onChange={edit} />
      <Trial plan={plan} onChange={edit} />
      <Regressions plan={plan} onChange={edit} />
      <TermsFields plan={plan} onChange={edit} />
    </Stack>
  );
}

type GateKey = Exclude<keyof GateDraft, "test" | "frames_required">;
const GATE: readonly Field<GateKey>[] = [
  {
    key: "error_percent_max",
    label: "Max failure rate",
    help: "Share of failures that holds or stops waves",
    suffix: " %",
    min: 0,
    max: 100,
  },
  {
    key: "tolerated_percent",
    label: "Tolerated failure rate",
    help: "Limit of the sequential test",
    suffix: " %",
    min: 0,
    max: 100,
  },
  {
    key: "confidence_percent",
    label: "Confidence level",
    help: "100 % minus false-stop probability",
    suffix: " %",
    min: 50,
    max: 99.999,
  },
  {
    key: "reported_min",
    label: "Minimum sample",
    help: "Results needed for a decision",
    suffix: " results",
    min: 1,
    max: 1_000_000,
  },
  { key: "soak_s", label: "Soak time", help: "After the last device of a wave", suffix: " s", min: 0, max: 604_800 },
  { key: "offline_s", label: "Offline timeout", help: "Then the update counts as failed", suffix: " s", min: 1, max: 86_400 },
];
const TESTS = [
  { value: "both", label: "Sequential test; small steps above the max failure rate" },
  { value: "sequential", label: "Sequential test only" },
  { value: "threshold", label: "Max failure rate only" },
];

function Gate({ plan, onChange }: StepProps) {
  const { test, frames_required: _, ...numbers } = plan.gate;
  const write = (next: Partial<GateDraft>) => onChange({ gate: { ...plan.gate, ...next } });
  return (
    <Stack gap="xs">
      <Title order={3}>Gate</Title>
      <Select
        label="Stop criteria"
        data={TESTS}
        value={test}
        allowDeselect={false}
        onChange={(chosen) => chosen && write({ test: chosen as GateDraft["test"] })}
        maw={380}
      />
      <Numbers fields={GATE} values={numbers} onChange={(key, value) => write({ [key]: value })} />
    </Stack>
  );
}

type TrialKey = "shadow_s" | "shadow_agreement_percent_min" | "trial_s" | "trial_frames_min" | "wave_timeout_s";
const TRIAL: readonly Field<TrialKey>[] = [
  {
    key: "shadow_s",
    label: "Shadow before the trial",
    help: "First wave, beside the committed version; 0 for none",
    suffix: " s",
    min: 0,
    max: 86_400,
  },
  {
    key: "shadow_agreement_percent_min",
    label: "Min agreement",
    help: "With the committed version, in the shadow",
    suffix: " %",
    min: 0,
    max: 100,
  },
  { key: "trial_s", label: "Trial duration", help: "On live frames, before commit", suffix: " s", min: 0, max: 86_400 },
  { key: "trial_frames_min", label: "Min frames", help: "During the trial", suffix: " frames", min: 0, max: 1_000_000 },
  {
    key: "wave_timeout_s",
    label: "Wave timeout",
    help: "Then unfinished updates time out",
    suffix: " s",
    min: 1,
    max: 2_592_000,
  },
];

function Trial({ plan, onChange }: StepProps) {
  return (
    <Stack gap="xs">
      <Title order={3}>Trial</Title>
      <Numbers fields={TRIAL} values={plan} onChange={(key, value) => onChange({ [key]: value })} />
      <Switch
        label="Require frames"
        description="Devices without a pipeline that uses the model do not count"
        checked={plan.gate.frames_required}
        onChange={(event) => onChange({ gate: { ...plan.gate, frames_required: event.currentTarget.checked } })}
      />
    </Stack>
  );
}

type LimitKey = Exclude<keyof RegressionDraft, "on">;
const LIMITS: readonly Field<LimitKey>[] = [
  {
    key: "latency_percent",
    label: "Latency increase",
    help: "Median p95, relative to before",
    suffix: " %",
    min: 1,
    max: 10_000,
  },
  {
    key: "dropped_points",
    label: "Dropped frames increase",
    help: "In percentage points",
    suffix: " points",
    min: 0.1,
    max: 100,
    decimal: true,
  },
  {
    key: "confidence_points",
    label: "Confidence decrease",
    help: "Mean, in percentage points",
    suffix: " points",
    min: 0.1,
    max: 100,
    decimal: true,
  },
  {
    key: "temperature_c",
    label: "Temperature increase",
    help: "Median, in °C",
    suffix: " °C",
    min: 0.1,
    max: 100,
    decimal: true,
  },
  {
    key: "detections_factor",
    label: "Detections, factor",
    help: "So many times as many per frame, or as few",
    suffix: " times",
    min: 1.1,
    max: 1_000,
    decimal: true,
  },
  {
    key: "class_mix_percent",
    label: "Boxes of another class",
    help: "In place of those before",
    suffix: " %",
    min: 1,
    max: 99,
  },
  {
    key: "memory_percent",
    label: "Memory increase",
    help: "Of the agent, relative to before",
    suffix: " %",
    min: 1,
    max: 10_000,
  },
  { key: "memory_mb_per_hour", label: "Memory growth", help: "Of the agent", suffix: " MB per hour", min: 1, max: 100_000 },
  { key: "samples_min", label: "Minimum samples", help: "Before and after the update", suffix: " samples", min: 1, max: 10_000 },
];

function Regressions({ plan, onChange }: StepProps) {
  const { on, ...limits } = plan.regressions;
  const write = (next: Partial<RegressionDraft>) => onChange({ regressions: { ...plan.regressions, ...next } });
  return (
    <Stack gap="xs">
      <Title order={3}>Regressions</Title>
      <Switch
        label="Regression checks"
        description="A regression after the update counts as a failure"
        checked={on}
        onChange={(event) => write({ on: event.currentTarget.checked })}
      />
      {on && <Numbers fields={LIMITS} values={limits} onChange={(key, value) => write({ [key]: value })} />}
    </Stack>
  );
}
