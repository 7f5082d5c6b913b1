import { Autocomplete, Group, Select, Stack, Text } from "@mantine/core";
import IconCube from "@tabler/icons-react/dist/esm/icons/IconCube.mjs";
import { useQuery } from "@tanstack/react-query";
import { modelsQuery, overviewQuery } from "~/api/queries";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { Empty, Facts, Fault, Loading } from "~/components/States";
import { pipelineOf } from "~/format/devices";
import { bytes, many } from "~/format/numbers";
import { PipelineChoice } from "./PipelineChoice";
import type { Plan } from "./plan";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

export function WhatStep({ plan, onChange }: StepProps) {
  const { data, error } = useQuery(modelsQuery);
  const { data: overview } = useQuery(overviewQuery);
  if (pipelineOf(plan.slot)) return <PipelineChoice plan={plan} onChange={onChange} />;
  if (error && !data) return <Fault error={error} />;
  if (!data) return <Loading rows={4} />;
  if (!data.items.length) {
    return (
      <Empty icon={IconCube} title="No models to roll out" action={<ButtonLink to="/models">Go to models</ButtonLink>}>
        Push a model first.
      </Empty>
    );
  }
  const model = data.items.find((row) => row.name === plan.package);
  const version = model?.versions.find((row) => row.version === plan.version);
  const slots = [...new Set(["detector", ...(overview?.versions.map((share) => share.slot) ?? [])])];
  const slotOf = (name: string) => overview?.versions.find((share) => share.package === name)?.slot ?? plan.slot;
  return (
    <Stack gap="md">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select
          label="Model"
          placeholder="Choose a model"
          data={data.items.map((row) => ({ value: row.name, label: row.title ? `${row.title} (${row.name})` : row.name }))}
          value={plan.package || null}
          onChange={(name) =>
            name &&
            onChange({ package: name, version: data.items.find((row) => row.name === name)?.latest ?? "", slot: slotOf(name) })
          }
          searchable
          allowDeselect={false}
          miw={240}
        />
        <Select
          label="Version"
          placeholder="Choose a version"
          data={model?.versions.map((row) => row.version) ?? []}
          value={plan.version || null}
          onChange={(chosen) => onChange({ version: chosen ?? "" })}
          allowDeselect={false}
          disabled={!model}
          miw={140}
        />
        <Autocomplete
          label="Slot"
          data={slots}
          value={plan.slot}
          onChange={(slot) => onChange({ slot: slot.trim() })}
          miw={140}
        />
      </Group>
      {version && (
        <Facts
          rows={[
            ["Pushed", <Ago key="pushed" at={version.created_at} />],
            ["Variants", version.variants.map((variant) => variant.name).join(", ")],
            ["Size", bytes(version.length_bytes)],
            [
              "Golden samples",
              version.golden_count > 0 ? `${version.golden_count}, compared on every device before activation` : "None",
            ],
            ["Running on", many(version.running_on, "device")],
          ]}
        />
      )}
      {version?.golden_count === 0 && (
        <Text fz="sm" c="var(--warn)">
          Without golden samples, devices cannot detect conversion errors.
        </Text>
      )}
    </Stack>
  );
}
