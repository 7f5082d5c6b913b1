import { ActionIcon, Button, Checkbox, NumberInput, Select, Stack, TagsInput, Text, TextInput, Title } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { isPair } from "~/format/labels";
import { wave, type WaveDraft } from "./plan";
import classes from "./Wizard.module.css";

const UNITS = [
  { value: "percent", label: "% of devices" },
  { value: "count", label: "Devices" },
  { value: "labels", label: "By labels" },
];
const WAVES_MAX = 20;

/** Waves of the rollout, in order. */
export function Waves({ waves, onChange }: { waves: WaveDraft[]; onChange: (waves: WaveDraft[]) => void }) {
  const write = (id: number, next: Partial<WaveDraft>) =>
    onChange(waves.map((each) => (each.id === id ? { ...each, ...next } : each)));
  return (
    <Stack gap="xs">
      <Title order={3}>Waves</Title>
      {waves.map((each, at) => (
        <div key={each.id} className={classes.wave}>
          <span>{at + 1}</span>
          <TextInput
            aria-label={`Name of wave ${at + 1}`}
            value={each.name}
            maxLength={120}
            onChange={(event) => write(each.id, { name: event.currentTarget.value })}
          />
          {at === waves.length - 1 ? (
            <Text fz="sm" className={classes.rest}>
              Remaining devices
            </Text>
          ) : (
            <Size wave={each} at={at} onChange={(next) => write(each.id, next)} />
          )}
          <Checkbox
            className={classes.approval}
            size="xs"
            label="Require approval"
            aria-label={`Wave ${at + 1} requires approval`}
            checked={each.approval}
            onChange={(event) => write(each.id, { approval: event.currentTarget.checked })}
          />
          <ActionIcon
            className={classes.remove}
            variant="subtle"
            color="gray"
            onClick={() => onChange(waves.filter((other) => other.id !== each.id))}
            disabled={waves.length === 1}
            aria-label={`Remove wave ${each.name}`}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        style={{ alignSelf: "flex-start" }}
        disabled={waves.length >= WAVES_MAX}
        onClick={() => onChange([...waves.slice(0, -1), added(waves), ...waves.slice(-1)])}
      >
        Add wave
      </Button>
    </Stack>
  );
}

/** A new wave. Its ID is that of no other one: those of a restored draft may be any. */
const added = (waves: readonly WaveDraft[]): WaveDraft =>
  wave(`wave ${waves.length}`, 10, "percent", { id: 1 + Math.max(0, ...waves.map(({ id }) => id)) });

function Size({ wave: one, at, onChange }: { wave: WaveDraft; at: number; onChange: (next: Partial<WaveDraft>) => void }) {
  return (
    <>
      {one.unit === "labels" ? (
        <TagsInput
          aria-label={`Labels of wave ${at + 1}`}
          placeholder={one.labels.length ? "" : "stage=lab"}
          value={one.labels}
          onChange={(labels) => onChange({ labels: labels.filter(isPair) })}
        />
      ) : (
        <NumberInput
          aria-label={`Size of wave ${at + 1}`}
          value={one.amount}
          min={1}
          max={one.unit === "percent" ? 100 : 1_000_000}
          allowDecimal={one.unit === "percent"}
          onChange={(amount) => typeof amount === "number" && onChange({ amount })}
        />
      )}
      <Select
        className={classes.unit}
        aria-label={`Unit of wave ${at + 1}`}
        data={UNITS}
        value={one.unit}
        onChange={(unit) => unit && onChange({ unit: unit as WaveDraft["unit"] })}
        allowDeselect={false}
      />
    </>
  );
}
