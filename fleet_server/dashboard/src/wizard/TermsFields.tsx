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
  { key: "per_minute", label: "Devices a minute", help: "May begin, at first", suffix: "", min: 1, max: 1_000_000 },
  { key: "ramp_factor", label: "Then times", help: "1: never faster", suffix: "", min: 1, max: 5, decimal: true },
  { key: "grow_after", label: "After another", help: "That trust the version", suffix: " devices", min: 1, max: 1_000_000 },
  { key: "per_minute_max", label: "But never over", help: "A minute", suffix: " devices", min: 1, max: 1_000_000 },
];

type RetryKey = "tries_max" | "back_off_s" | "back_off_factor";
const RETRY: readonly Field<RetryKey>[] = [
  { key: "tries_max", label: "Tries of a device", help: "Where the way to it failed, not the version", suffix: "", min: 1, max: 10 },
  { key: "back_off_s", label: "Pause before the second", help: "It grows each time", suffix: " s", min: 1, max: 86_400 },
  { key: "back_off_factor", label: "Grows by times", help: "The pause, each time", suffix: "", min: 1, max: 10, decimal: true },
];

/** When, how fast and for whom else. */
export function TermsFields({ plan, onChange }: TermsFieldsProps) {
  const { terms } = plan;
  const write = (next: Partial<TermsDraft>) => onChange({ terms: { ...terms, ...next } });
  return (
    <Stack gap="md">
      <Title order={3}>Terms</Title>
      <Switch label="All devices fetch and verify at once, and switch when their wave begins" checked={terms.prestage} onChange={(event) => write({ prestage: event.currentTarget.checked })} />
      <Switch label="Devices that come to match later get it too, under the same gate" checked={terms.follow} onChange={(event) => write({ follow: event.currentTarget.checked })} />
      <Switch label="Begin slowly, and faster as devices succeed" checked={terms.ramp} onChange={(event) => write({ ramp: event.currentTarget.checked })} />
      {terms.ramp && <Numbers fields={RAMP} values={terms} onChange={(key, value) => write({ [key]: value })} />}
      <Switch label="Only within a maintenance window" checked={terms.window} onChange={(event) => write({ window: event.currentTarget.checked })} />
      {terms.window && <WindowFields terms={terms} onChange={write} />}
      <Numbers fields={RETRY} values={terms} onChange={(key, value) => write({ [key]: value })} />
      <Numbers
        fields={[{ key: "priority", label: "Priority", help: "Of two rollouts for a slot the one with the higher priority goes first", suffix: "", min: 0, max: 1000 }]}
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
        <TextInput label="From" description="By the clock where it stands" value={terms.window_start} maxLength={5} onChange={(event) => onChange({ window_start: event.currentTarget.value })} w={170} />
        <TextInput label="To" description="The next day, if earlier" value={terms.window_end} maxLength={5} onChange={(event) => onChange({ window_end: event.currentTarget.value })} w={170} />
        <Autocomplete label="Time zone" description="Of devices without a label timezone" data={zones} limit={8} value={terms.timezone} onChange={(timezone) => onChange({ timezone: timezone.trim() })} w={260} />
      </Group>
      <Chip.Group multiple value={terms.window_days} onChange={(window_days) => onChange({ window_days })}>
        <Group gap={6} role="group" aria-label="Days; none means every day">
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
