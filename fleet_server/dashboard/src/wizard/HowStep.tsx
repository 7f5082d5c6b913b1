import { ActionIcon, Button, Checkbox, NumberInput, Select, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { Choices } from "./Choices";
import { fromTemplate, TEMPLATES, wave, type Plan, type TemplateName, type WaveDraft } from "./plan";
import classes from "./Wizard.module.css";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

const NAMES: readonly TemplateName[] = ["careful", "standard", "fast"];

export function HowStep({ plan, onChange }: StepProps) {
  const edit = (next: Partial<Plan>) => onChange({ ...next, template: null });
  return (
    <Stack gap="lg">
      <Choices
        label="Template"
        choices={NAMES.map((value) => ({ value, title: TEMPLATES[value].title, text: TEMPLATES[value].text }))}
        value={plan.template}
        onChange={(name) => onChange(fromTemplate(name))}
      />
      <Waves waves={plan.waves} onChange={(waves) => edit({ waves })} />
      <Gate plan={plan} onChange={edit} />
    </Stack>
  );
}

function Waves({ waves, onChange }: { waves: WaveDraft[]; onChange: (waves: WaveDraft[]) => void }) {
  const write = (id: number, next: Partial<WaveDraft>) => onChange(waves.map((each) => (each.id === id ? { ...each, ...next } : each)));
  return (
    <Stack gap="xs">
      <Title order={3}>Waves</Title>
      {waves.map((each, at) => {
        const last = at === waves.length - 1;
        return (
          <div key={each.id} className={classes.wave}>
            <span>{at + 1}</span>
            <TextInput aria-label={`Name of wave ${at + 1}`} value={each.name} maxLength={120} onChange={(event) => write(each.id, { name: event.currentTarget.value })} />
            {last ? (
              <Text fz="sm" style={{ gridColumn: "span 2" }}>
                takes the rest
              </Text>
            ) : (
              <>
                <NumberInput aria-label={`Size of wave ${at + 1}`} value={each.amount} min={1} max={each.unit === "percent" ? 100 : 1_000_000} allowDecimal={each.unit === "percent"} onChange={(amount) => typeof amount === "number" && write(each.id, { amount })} />
                <Select
                  aria-label={`Unit of wave ${at + 1}`}
                  data={[
                    { value: "percent", label: "% of devices" },
                    { value: "count", label: "devices" },
                  ]}
                  value={each.unit}
                  onChange={(unit) => write(each.id, { unit: unit === "count" ? "count" : "percent" })}
                  allowDeselect={false}
                />
              </>
            )}
            <Checkbox size="xs" label="ask first" aria-label={`Wave ${at + 1} waits for approval`} checked={each.approval} onChange={(event) => write(each.id, { approval: event.currentTarget.checked })} />
            <ActionIcon variant="subtle" color="gray" onClick={() => onChange(waves.filter((other) => other.id !== each.id))} disabled={waves.length === 1} aria-label={`Remove wave ${each.name}`}>
              <IconX size={16} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        style={{ alignSelf: "flex-start" }}
        disabled={waves.length >= 20}
        onClick={() => onChange([...waves.slice(0, -1), wave(`wave ${waves.length}`, 10, "percent"), ...waves.slice(-1)])}
      >
        Another wave
      </Button>
    </Stack>
  );
}

interface Field {
  key: "error_percent_max" | "tolerated_percent" | "reported_min" | "soak_s" | "offline_s" | "trial_s" | "trial_frames_min" | "wave_timeout_s";
  label: string;
  help: string;
  suffix: string;
  min: number;
  max: number;
}

const FIELDS: readonly Field[] = [
  { key: "error_percent_max", label: "Stop a wave over", help: "Failures among its devices", suffix: " %", min: 0, max: 100 },
  { key: "tolerated_percent", label: "A good version may fail on", help: "Proof of more, over all waves, stops it", suffix: " %", min: 0, max: 100 },
  { key: "reported_min", label: "Judge from", help: "So many results before a verdict", suffix: " results", min: 1, max: 1_000_000 },
  { key: "soak_s", label: "Soak", help: "Watched on, after its last device is done", suffix: " s", min: 0, max: 604_800 },
  { key: "offline_s", label: "Offline is a failure after", help: "Silence of a device that took the update", suffix: " s", min: 1, max: 86_400 },
  { key: "trial_s", label: "Trial on the device", help: "On live frames, before it is trusted", suffix: " s", min: 0, max: 86_400 },
  { key: "trial_frames_min", label: "Frames in the trial", help: "So many at least", suffix: " frames", min: 0, max: 1_000_000 },
  { key: "wave_timeout_s", label: "A wave may take", help: "Devices not done by then count as timed out", suffix: " s", min: 1, max: 2_592_000 },
];

function Gate({ plan, onChange }: StepProps) {
  return (
    <Stack gap="xs">
      <Title order={3}>Gate and trial</Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {FIELDS.map(({ key, label, help, suffix, min, max }) => (
          <NumberInput
            key={key}
            label={label}
            description={help}
            value={plan[key]}
            min={min}
            max={max}
            clampBehavior="blur"
            suffix={suffix}
            thousandSeparator=" "
            allowDecimal={suffix === " %"}
            onChange={(value) => typeof value === "number" && onChange({ [key]: value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
