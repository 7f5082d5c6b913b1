import { Group, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { pipelinesQuery } from "~/api/pipelines";
import { Ago } from "~/components/Ago";
import { Facts, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import type { Plan } from "./plan";

/** Choice of pipeline and version; a pipeline has its own slot. */
export function PipelineChoice({ plan, onChange }: { plan: Plan; onChange: (next: Partial<Plan>) => void }) {
  const { data, error } = useQuery(pipelinesQuery);
  if (error && !data) return <Fault error={error} />;
  if (!data) return <Loading rows={3} />;
  const pipeline = data.items.find(({ slot }) => slot === plan.slot);
  const version = pipeline?.versions.find((each) => each.version === plan.version);
  return (
    <Stack gap="md">
      <Group grow align="flex-start">
        <Select
          label="Pipeline"
          data={data.items.map(({ name, slot }) => ({ value: slot, label: name }))}
          value={plan.slot}
          onChange={(slot) =>
            slot && onChange({ slot, package: slot, version: data.items.find((each) => each.slot === slot)?.latest ?? "" })
          }
          allowDeselect={false}
        />
        <Select
          label="Version"
          data={pipeline?.versions.map((each) => each.version) ?? []}
          value={plan.version || null}
          onChange={(chosen) => onChange({ version: chosen ?? "" })}
          allowDeselect={false}
        />
      </Group>
      {version && (
        <Facts
          rows={[
            ["Created", <Ago key="created" at={version.created_at} />],
            ["Note", version.note || "None"],
            ["Signed", version.signed ? "Yes" : "No; devices reject it"],
            ["Running on", many(version.running_on, "device")],
          ]}
        />
      )}
    </Stack>
  );
}
