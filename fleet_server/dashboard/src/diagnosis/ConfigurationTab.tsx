import { Alert, Select, SegmentedControl, Group, Stack, Text } from "@mantine/core";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pipelineQuery, pipelinesQuery, storedPipelinesQuery, type PipelineRow } from "~/api/pipelines";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { pipelineOf } from "~/format/devices";
import { DiffView } from "~/pipelines/DiffView";

type Kind = "device" | "versions";

/** Differences between what the fleet wants and what the device has, and between versions of a pipeline. */
export function ConfigurationTab({ device }: { device: DeviceDetail }) {
  const fleet = useQuery(pipelinesQuery);
  const stored = useQuery(storedPipelinesQuery(device.id, device.online));
  const [chosen, setChosen] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind>("device");
  if (fleet.error && !fleet.data) return <Fault error={fleet.error} onRetry={() => void fleet.refetch()} />;
  if (!fleet.data) return <Loading rows={5} />;
  const assigned = device.slots.map(({ slot }) => pipelineOf(slot)).filter((name): name is string => Boolean(name));
  const names = [
    ...new Set([...assigned, ...Object.keys(device.pipeline_states), ...(stored.data ?? []).map(({ name }) => name)]),
  ].sort();
  const name = chosen ?? names[0];
  if (!name)
    return (
      <Empty icon={IconRoute} title="No pipelines on this device">
        There is nothing to compare until the device has a pipeline.
      </Empty>
    );
  const row = fleet.data.items.find(({ slot }) => slot === `pipeline-${name}`);
  return (
    <Panel title="Configuration" note="− removed, + added">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <Select label="Pipeline" data={names} value={name} onChange={setChosen} w={220} />
          <SegmentedControl
            aria-label="Compare"
            value={kind}
            onChange={(next) => setKind(next as Kind)}
            data={[
              { value: "device", label: "Desired and reported" },
              { value: "versions", label: "Two versions" },
            ]}
          />
        </Group>
        {kind === "versions" ? (
          <Versions key={name} name={name} row={row} />
        ) : (
          <Reported device={device} name={name} row={row} stored={stored.data} error={stored.error} />
        )}
      </Stack>
    </Panel>
  );
}

interface ReportedProps {
  device: DeviceDetail;
  name: string;
  row: PipelineRow | undefined;
  stored: { name: string; text: string; version: string }[] | undefined;
  error: Error | null;
}

/** The version that the fleet assigns to the device, and the text that the device has. */
function Reported({ device, name, row, stored, error }: ReportedProps) {
  const slot = device.slots.find((each) => each.slot === `pipeline-${name}`);
  const version = slot?.target?.version ?? slot?.running?.version;
  const desired = useQuery({ ...pipelineQuery(name, version ?? undefined), enabled: Boolean(row && version) });
  const own = stored?.find((each) => each.name === name);
  if (!device.online)
    return <Note>The device is offline; its text is read when it is online. Compare two versions instead.</Note>;
  if (error) return <Note>{error.message}</Note>;
  if (!stored || (row && version && desired.isPending)) return <Loading rows={4} />;
  if (!version || !row) return <Note>The fleet does not manage this pipeline: it is a local file of the device.</Note>;
  if (desired.error) return <Fault error={desired.error} onRetry={() => void desired.refetch()} />;
  if (!own?.text) return <Note>The device has not received version {version} yet.</Note>;
  return (
    <Compared
      before={desired.data?.text ?? ""}
      after={own.text}
      names={[`desired: version ${version}`, own.version ? `reported: version ${own.version}` : "reported: local file"]}
    />
  );
}

function Versions({ name, row }: { name: string; row: PipelineRow | undefined }) {
  const versions = row?.versions.map(({ version }) => version) ?? [];
  const [left, setLeft] = useState(versions[1] ?? versions[0] ?? null);
  const [right, setRight] = useState(versions[0] ?? null);
  const before = useQuery({ ...pipelineQuery(name, left ?? undefined), enabled: Boolean(left) });
  const after = useQuery({ ...pipelineQuery(name, right ?? undefined), enabled: Boolean(right) });
  const error = before.error ?? after.error;
  if (!left || !right) return <Note>The fleet has no version of this pipeline.</Note>;
  return (
    <>
      <Group gap="sm">
        <Select label="Before" data={versions} value={left} onChange={setLeft} w={140} />
        <Select label="After" data={versions} value={right} onChange={setRight} w={140} />
      </Group>
      {error ? (
        <Fault error={error} />
      ) : before.data && after.data ? (
        <Compared before={before.data.text} after={after.data.text} names={[`version ${left}`, `version ${right}`]} />
      ) : (
        <Loading rows={4} />
      )}
    </>
  );
}

function Compared({ before, after, names }: { before: string; after: string; names: [string, string] }) {
  return (
    <>
      <Text fz="sm" c="dimmed">
        − {names[0]}, + {names[1]}
      </Text>
      <DiffView before={before} after={after} />
    </>
  );
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <Alert variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
      {children}
    </Alert>
  );
}
