import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { modelsQuery, overviewQuery } from "~/api/queries";
import type { FigureName, RolloutTemplate } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { Choices } from "~/wizard/Choices";
import { WhoStep } from "~/wizard/WhoStep";
import wizard from "~/wizard/Wizard.module.css";
import { capital } from "~/format/numbers";
import { armOf, ARMS_MAX, FIGURES, sentencesOf, titleOf, type ArmDraft, type Draft } from "./draft";
import { FIGURE } from "./format";

interface StepProps {
  draft: Draft;
  template: RolloutTemplate | undefined;
  templates: readonly RolloutTemplate[];
  onChange: (next: Partial<Draft>) => void;
}

/** Choice of the versions to compare. */
export function VersionsStep({ draft, onChange }: StepProps) {
  const { data, error } = useQuery(modelsQuery);
  const { data: overview } = useQuery(overviewQuery);
  if (error && !data) return <Fault error={error} />;
  if (!data) return <Loading rows={4} />;
  const model = data.items.find((row) => row.name === draft.package);
  const versions = model?.versions.map((row) => row.version) ?? [];
  const slots = [...new Set(["detector", ...(overview?.versions.map((share) => share.slot) ?? [])])];
  const choose = (name: string) => {
    const [newest = "", before = ""] = data.items.find((row) => row.name === name)?.versions.map((row) => row.version) ?? [];
    const slot = overview?.versions.find((share) => share.package === name)?.slot ?? draft.slot;
    onChange({ package: name, slot, arms: [armOf(0, before), armOf(1, newest)] }); // the older version first: it is the baseline
  };
  const write = (at: number, next: Partial<ArmDraft>) =>
    onChange({ arms: draft.arms.map((arm, each) => (each === at ? { ...arm, ...next } : arm)) });
  return (
    <Stack gap="md">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select
          label="Model"
          placeholder="Choose a model"
          data={data.items.map((row) => ({ value: row.name, label: row.title ? `${row.title} (${row.name})` : row.name }))}
          value={draft.package || null}
          onChange={(name) => name && choose(name)}
          searchable
          allowDeselect={false}
          miw={240}
        />
        <Autocomplete
          label="Slot"
          data={slots}
          value={draft.slot}
          onChange={(slot) => onChange({ slot: slot.trim() })}
          miw={140}
        />
      </Group>
      <Stack gap="xs">
        <Title order={3}>Arms</Title>
        {draft.arms.map((arm, at) => (
          <Group key={at} align="flex-end" gap="xs" wrap="wrap">
            <TextInput
              label={at === 0 ? "Baseline arm" : "Arm"}
              aria-label={`Name of arm ${at + 1}`}
              value={arm.name}
              onChange={(event) => write(at, { name: event.currentTarget.value.trim() })}
              w={150}
              maxLength={32}
            />
            <Select
              label="Version"
              aria-label={`Version of arm ${at + 1}`}
              placeholder="Choose a version"
              data={versions}
              value={arm.version || null}
              onChange={(version) => write(at, { version: version ?? "" })}
              allowDeselect={false}
              disabled={!model}
              w={180}
            />
            {draft.arms.length > 2 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                onClick={() => onChange({ arms: draft.arms.filter((_, each) => each !== at) })}
                aria-label={`Remove arm ${arm.name}`}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {draft.arms.length < ARMS_MAX && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ arms: [...draft.arms, armOf(draft.arms.length)] })}
            style={{ alignSelf: "flex-start" }}
          >
            Add version
          </Button>
        )}
      </Stack>
    </Stack>
  );
}

const SPLITS = [
  { value: "hash", title: "Random", text: "By a stable hash of the device" },
  { value: "label", title: "By label", text: "One label value per arm, e.g. shift=day" },
] as const;

/** Choice of devices and their split into arms. */
export function SplitStep({ draft, onChange }: StepProps) {
  const write = (at: number, next: Partial<ArmDraft>) =>
    onChange({ arms: draft.arms.map((arm, each) => (each === at ? { ...arm, ...next } : arm)) });
  return (
    <Stack gap="lg">
      <WhoStep plan={draft} onChange={onChange} />
      <Stack gap="xs">
        <Title order={3}>Split</Title>
        <Choices label="Split" choices={SPLITS} value={draft.split} onChange={(split) => onChange({ split })} />
        {draft.split === "label" && (
          <>
            <TextInput
              label="Label"
              placeholder="shift"
              value={draft.label_key}
              onChange={(event) => onChange({ label_key: event.currentTarget.value })}
              maxLength={63}
              w={240}
            />
            <Text fz="sm" c="dimmed">
              Other differences between these devices (site, lighting) can bias the result. Prefer a random split.
            </Text>
          </>
        )}
        <Group gap="md">
          {draft.arms.map((arm, at) =>
            draft.split === "label" ? (
              <TextInput
                key={at}
                label={`Value of arm ${arm.name}`}
                value={arm.value}
                onChange={(event) => write(at, { value: event.currentTarget.value })}
                maxLength={200}
                w={180}
              />
            ) : (
              <NumberInput
                key={at}
                label={`Share of arm ${arm.name}`}
                value={arm.share}
                onChange={(share) => typeof share === "number" && share > 0 && write(at, { share })}
                min={0.01}
                max={1000}
                clampBehavior="blur"
                w={150}
              />
            ),
          )}
        </Group>
      </Stack>
    </Stack>
  );
}

/** Choice of metrics, evaluation time and rollout template. */
export function HowStep({ draft, template, templates, onChange }: StepProps) {
  return (
    <Stack gap="lg">
      <Checkbox.Group
        label="Metrics"
        description="Simultaneous 95 % confidence intervals; fewer metrics give narrower intervals"
        value={draft.compared}
        onChange={(names) => onChange({ compared: FIGURES.filter((name) => names.includes(name)) as FigureName[] })}
      >
        <Stack gap={8} mt="xs">
          {FIGURES.map((name) => (
            <Checkbox key={name} value={name} label={FIGURE[name]?.text ?? name} description={FIGURE[name]?.note} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberInput
        label="Evaluate after"
        description="Set before the start: repeated evaluation leads to false positives"
        value={draft.review_after_days}
        onChange={(days) => typeof days === "number" && days > 0 && onChange({ review_after_days: days })}
        suffix=" days"
        min={0.1}
        max={366}
        clampBehavior="blur"
        maw={280}
      />
      <Stack gap="xs">
        <Title order={3}>Rollout</Title>
        <Choices
          label="Template"
          choices={templates.map(({ name, title }) => ({ value: name, title: capital(name.replaceAll("-", " ")), text: title }))}
          value={template?.name ?? null}
          onChange={(name) => onChange({ template: name })}
        />
        <Text fz="sm" c="dimmed">
          Waves and gate of the rollouts of the arms.
        </Text>
      </Stack>
    </Stack>
  );
}

/** Summary of the experiment before it starts. */
export function ReviewStep({ draft, template, onChange }: StepProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="Shown in lists; seed of a random split"
        placeholder={titleOf({ ...draft, name: "" })}
        value={draft.name}
        maxLength={120}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      <div className={wizard.review} role="group" aria-label="Experiment summary">
        {sentencesOf(draft, template).map(({ title, lines }) => (
          <section key={title}>
            <Title order={3}>{title}</Title>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </section>
        ))}
      </div>
    </Stack>
  );
}
