import { Button, Grid, Group, SegmentedControl, Table, Text } from "@mantine/core";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "~/components/role";
import { eventsQuery } from "~/api/queries";
import type { DeviceDetail } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { count } from "~/format/numbers";
import { WatchedCamera } from "~/video/WatchedCamera";

/** Live view of a camera on request, and counts of its rules. */
export function LiveViewPanel({ device, pipeline }: { device: DeviceDetail; pipeline: string }) {
  const may = useMay("operator");
  return (
    <Grid gap="md" mb="md">
      {may && (
        <Grid.Col span={{ base: 12, md: 7 }}>
          <LivePicture key={`${device.id}/${pipeline}`} device={device.id} pipeline={pipeline} online={device.online} />
        </Grid.Col>
      )}
      <Grid.Col span={{ base: 12, md: may ? 5 : 12 }}>
        <Counts device={device.id} pipeline={pipeline} />
      </Grid.Col>
    </Grid>
  );
}

function LivePicture({ device, pipeline, online }: { device: string; pipeline: string; online: boolean }) {
  const [on, setOn] = useState(false);
  const [kind, setKind] = useState<"video" | "stills">("video");
  return (
    <Panel
      title="Live view"
      side={
        <Group gap="xs">
          <SegmentedControl
            aria-label="Kind of live view"
            size="xs"
            data={[
              { value: "video", label: "Video" },
              { value: "stills", label: "Detections" },
            ]}
            value={kind}
            onChange={(value) => setKind(value as typeof kind)}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={on ? <IconPlayerStop size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
            onClick={() => setOn(!on)}
            disabled={!online && !on}
          >
            {on ? "Stop" : "Start"}
          </Button>
        </Group>
      }
    >
      {on ? (
        <WatchedCamera device={device} pipeline={pipeline} overlays={kind === "stills"} />
      ) : (
        <Text fz="sm" c="dimmed" role="status">
          {online
            ? "Video comes from the camera itself; detections are stills with boxes, zones and lines. Pictures are sent only while you watch."
            : "The device is offline."}
        </Text>
      )}
      <Text fz="sm" mt="xs">
        <Link to="/wall" search={{ camera: [`${device}/${pipeline}`] }}>
          Open on a wall of cameras
        </Link>
      </Text>
    </Panel>
  );
}

/** The newest count of each rule and line direction, from the loaded events. */
function Counts({ device, pipeline }: { device: string; pipeline: string }) {
  const { data } = useInfiniteQuery(eventsQuery({ device }));
  const rows = new Map<string, { rule: string; direction: string; value: number; at: number }>();
  for (const { event, received_at } of data?.pages.flatMap(({ items }) => items) ?? []) {
    const [rule, direction] = [String(event.rule ?? ""), String(event.direction ?? "")];
    const key = `${rule}\n${direction}`;
    if (event.pipeline !== pipeline || typeof event.count !== "number" || rows.has(key)) continue;
    rows.set(key, { rule, direction, value: event.count, at: typeof event.at === "number" && event.at ? event.at : received_at });
  }
  const sorted = [...rows.values()].sort((a, b) => a.rule.localeCompare(b.rule) || a.direction.localeCompare(b.direction));
  return (
    <Panel title="Counts" note="Since the pipeline started" flush={sorted.length > 0}>
      {sorted.length ? (
        <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Counts by rule">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th>Direction</Table.Th>
              <Table.Th>Count</Table.Th>
              <Table.Th>Last event</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.map(({ rule, direction, value, at }) => (
              <Table.Tr key={`${rule} ${direction}`}>
                <Table.Td>{rule}</Table.Td>
                <Table.Td>{direction || "–"}</Table.Td>
                <Table.Td>
                  <b>{count(value)}</b>
                </Table.Td>
                <Table.Td>
                  <Ago at={at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Group>
          <Text fz="sm" c="dimmed">
            No counts yet. To count objects, draw a line or a zone on the Pipelines tab.
          </Text>
        </Group>
      )}
    </Panel>
  );
}
