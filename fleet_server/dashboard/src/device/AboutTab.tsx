import { Grid, Table, Text } from "@mantine/core";
import type { DeviceDetail } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { Digest } from "~/components/Digest";
import { Facts } from "~/components/States";
import { IdentityPanel } from "./IdentityPanel";
import { bytes, capital, count, NONE, percent, short } from "~/format/numbers";

const NAMES: Record<string, string> = { arch: "Architecture", os: "OS", cpu: "CPU", gpu: "GPU", npu: "NPU" };

/** "memory_bytes", 25000000000 becomes "Memory", "25 GB". */
function readable([key, value]: [string, string]): [string, string] {
  const size = Number(value);
  const isSize = key.endsWith("_bytes") && Number.isFinite(size);
  const name = isSize ? key.slice(0, -"_bytes".length) : key;
  return [NAMES[name] ?? capital(name.replaceAll("_", " ")), isSize ? bytes(size) : value];
}

/** Hardware, runtimes, and the placement of each model. */
export function AboutTab({ device }: { device: DeviceDetail }) {
  const pipelines = Object.entries(device.pipelines);
  return (
    <Grid gap="md">
      <Grid.Col span={12}>
        <Panel flush title="Pipelines" note="Model and placement">
          <Table.ScrollContainer minWidth={620}>
            <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Pipelines">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Pipeline</Table.Th>
                  <Table.Th>Model</Table.Th>
                  <Table.Th>Runs on</Table.Th>
                  <Table.Th>Frames/s</Table.Th>
                  <Table.Th>Coverage</Table.Th>
                  <Table.Th>Detections/frame</Table.Th>
                  <Table.Th>Total frames</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pipelines.map(([name, gauges]) => (
                  <Table.Tr key={name}>
                    <Table.Td fw={560}>{name}</Table.Td>
                    <Table.Td>
                      {gauges.model || "–"} {gauges.model_digest && <Digest value={gauges.model_digest} />}
                    </Table.Td>
                    <Table.Td>{gauges.placement || "–"}</Table.Td>
                    <Table.Td>{short(gauges.process_fps ?? 0)}</Table.Td>
                    <Table.Td>{gauges.coverage == null ? NONE : percent(Math.round(gauges.coverage * 1000), 1000)}</Table.Td>
                    <Table.Td>{short(gauges.detections_per_frame ?? 0)}</Table.Td>
                    <Table.Td>{count(gauges.frames_total ?? 0)}</Table.Td>
                  </Table.Tr>
                ))}
                {pipelines.length === 0 && (
                  <Table.Tr>
                    <Table.Td colSpan={7} c="dimmed">
                      {device.online ? "No running pipelines" : "Not available while the device is offline"}
                    </Table.Td>
                  </Table.Tr>
                )}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Panel title="Hardware">
          <Facts
            rows={[
              ["Profile", device.profile || "–"],
              ...Object.entries(device.hardware).map(readable),
              ["Runtimes", device.runtimes.join(", ") || "–"],
            ]}
          />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Panel title="Agent and connection">
          <Facts
            rows={[
              ["Agent version", device.agent_version || "–"],
              ["First seen", <Ago key="first" at={device.first_seen_at} />],
              [
                "Boot ID",
                <span key="boot" className="mono">
                  {device.boot || "–"}
                </span>,
              ],
              ["Connections since boot", count(device.connection)],
              ["Commands sent / acknowledged", `${device.generation_desired} / ${device.generation_reported}`],
              ["Free disk space", bytes(device.disk_free_bytes)],
            ]}
          />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Panel title="Capabilities" note="What its agent can read and compute">
          <Capabilities device={device} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <IdentityPanel device={device.id} />
      </Grid.Col>
    </Grid>
  );
}

/** What the agent can read and compute, by kind. */
function Capabilities({ device }: { device: DeviceDetail }) {
  const byKind = new Map<string, string[]>();
  const capabilities = device.capabilities ?? [];
  if (capabilities.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        Not reported: the agent is older than 0.3.0
      </Text>
    );
  }
  for (const name of capabilities) {
    const [kind = "", ...rest] = name.split(":");
    byKind.set(kind, [...(byKind.get(kind) ?? []), rest.join(":")]);
  }
  return <Facts rows={[...byKind].map(([kind, names]) => [capital(kind), names.join(", ") || "–"])} />;
}
