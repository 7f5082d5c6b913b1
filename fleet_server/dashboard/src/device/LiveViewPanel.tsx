import { Button, Grid, Group, Table, Text } from "@mantine/core";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useMay } from "~/components/role";
import { fetchLiveFrame } from "~/api/pipelines";
import { eventsQuery } from "~/api/queries";
import type { DeviceDetail } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { count } from "~/format/numbers";
import classes from "./LiveViewPanel.module.css";

const INTERVAL_MS = 1_000;
/** The live view stops after this time, to save the camera's bandwidth. */
const DURATION_MS_MAX = 180_000;

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
  const [url, setUrl] = useState("");
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (!on) return;
    const cut = new AbortController();
    let timer: number | undefined;
    let shown = "";
    const deadline = Date.now() + DURATION_MS_MAX;
    const stop = (text: string) => {
      setNotice(text);
      setOn(false);
    };
    const poll = async () => {
      if (Date.now() > deadline) return stop("Stopped automatically after 3 minutes.");
      const started = Date.now();
      if (!document.hidden) {
        try {
          const next = URL.createObjectURL(await fetchLiveFrame(device, pipeline, cut.signal));
          if (cut.signal.aborted) return URL.revokeObjectURL(next);
          setUrl(next);
          if (shown) URL.revokeObjectURL(shown);
          shown = next;
        } catch (error) {
          if (!cut.signal.aborted) stop(error instanceof Error ? error.message : "Failed to load the frame.");
          return;
        }
      }
      timer = window.setTimeout(() => void poll(), Math.max(0, INTERVAL_MS - (Date.now() - started)));
    };
    void poll();
    return () => {
      cut.abort();
      window.clearTimeout(timer);
      if (shown) URL.revokeObjectURL(shown);
      setUrl("");
    };
  }, [on, device, pipeline]);
  const start = () => {
    setNotice("");
    setOn(true);
  };
  return (
    <Panel
      title="Live view"
      note={on ? "About 1 fps" : undefined}
      side={
        <Button
          size="xs"
          variant="default"
          leftSection={on ? <IconPlayerStop size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
          onClick={on ? () => setOn(false) : start}
          disabled={!online && !on}
        >
          {on ? "Stop" : "Start"}
        </Button>
      }
    >
      {url ? (
        <img src={url} className={classes.picture} alt={`Live view of ${pipeline} with detections`} data-testid="live-picture" />
      ) : (
        <Text fz="sm" c="dimmed" role="status">
          {on
            ? "Connecting to the device…"
            : notice ||
              (online
                ? "Shows boxes, zones and lines. Frames are sent only while you watch, for up to 3 minutes."
                : "The device is offline.")}
        </Text>
      )}
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
