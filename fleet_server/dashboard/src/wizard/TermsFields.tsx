import { Autocomplete, Chip, Group, Stack, Switch, TextInput, Title } from "@mantine/core";
import { Numbers, type Field } from "./Numbers";
import type { Plan, TermsDraft } from "./plan";

interface TermsFieldsProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

type RampKey = "per_minute" | "ramp_factor" | "grow_after" | "per_minute_max";
const RAMP: readonly Field<RampKey>[] = [
  { key: "per_minute", label: "Initial rate", help: "Devices per minute", suffix: "", min: 1, max: 1_000_000 },
  { key: "ramp_factor", label: "Ramp factor", help: "1 = constant rate", suffix: "", min: 1, max: 5, decimal: true },
  { key: "grow_after", label: "Ramp after", help: "Successful updates", suffix: "", min: 1, max: 1_000_000 },
  { key: "per_minute_max", label: "Max rate", help: "Devices per minute", suffix: "", min: 1, max: 1_000_000 },
];

type RetryKey = "tries_max" | "back_off_s" | "back_off_factor";
const RETRY: readonly Field<RetryKey>[] = [
  { key: "tries_max", label: "Max attempts", help: "Retries on transport failures only", suffix: "", min: 1, max: 10 },
  { key: "back_off_s", label: "Initial retry delay", help: "Before the first retry", suffix: " s", min: 1, max: 86_400 },
  {
    key: "back_off_factor",
    label: "Backoff multiplier",
    help: "Applied after each retry",
    suffix: "",
    min: 1,
    max: 10,
    decimal: true,
  },
];

/** Schedule, rate, retries and late joiners of a rollout. */
export function TermsFields({ plan, onChange }: TermsFieldsProps) {
  const { terms } = plan;
  const write = (next: Partial<TermsDraft>) => onChange({ terms: { ...terms, ...next } });
  return (
    <Stack gap="md">
      <Title order={3}>Options</Title>
      <Switch
        label="Prestage"
        description="All devices download and verify now, and activate when their wave starts"
        checked={terms.prestage}
        onChange={(event) => write({ prestage: event.currentTarget.checked })}
      />
      <Switch
        label="Include late joiners"
        description="Devices that match later are updated under the same gate"
        checked={terms.follow}
        onChange={(event) => write({ follow: event.currentTarget.checked })}
      />
      <Switch
        label="Ramp up"
        description="Start slowly and speed up as updates succeed"
        checked={terms.ramp}
        onChange={(event) => write({ ramp: event.currentTarget.checked })}
      />
      {terms.ramp && <Numbers fields={RAMP} values={terms} onChange={(key, value) => write({ [key]: value })} />}
      <Switch
        label="Maintenance window"
        description="Updates start only within the window"
        checked={terms.window}
        onChange={(event) => write({ window: event.currentTarget.checked })}
      />
      {terms.window && <WindowFields terms={terms} onChange={write} />}
      <Numbers fields={RETRY} values={terms} onChange={(key, value) => write({ [key]: value })} />
      <Numbers
        fields={[{ key: "priority", label: "Priority", help: "Highest first within a slot", suffix: "", min: 0, max: 1000 }]}
        values={{ priority: plan.priority }}
        onChange={(_, priority) => onChange({ priority })}
      />
    </Stack>
  );
}

function WindowFields({ terms, onChange }: { terms: TermsDraft; onChange: (next: Partial<TermsDraft>) => void }) {
  const zones = typeof Intl.supportedValuesOf === "function" ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC"];
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-start">
        <TextInput
          label="Start time"
          description="Local time of the device"
          value={terms.window_start}
          maxLength={5}
          onChange={(event) => onChange({ window_start: event.currentTarget.value })}
          w={170}
        />
        <TextInput
          label="End time"
          description="Next day if before start"
          value={terms.window_end}
          maxLength={5}
          onChange={(event) => onChange({ window_end: event.currentTarget.value })}
          w={170}
        />
        <Autocomplete
          label="Time zone"
          description="For devices without a timezone label"
          data={zones}
          limit={8}
          value={terms.timezone}
          onChange={(timezone) => onChange({ timezone: timezone.trim() })}
          w={260}
        />
      </Group>
      <Chip.Group multiple value={terms.window_days} onChange={(window_days) => onChange({ window_days })}>
        <Group gap={6} role="group" aria-label="Days (none = every day)">
          {DAYS.map((day, at) => (
            <Chip key={day} value={String(at)} size="xs" variant="outline">
              {day}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Stack>
  );
}
