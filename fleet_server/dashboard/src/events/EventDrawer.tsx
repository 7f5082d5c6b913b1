import { Code, Drawer, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { EventRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Digest, Facts } from "~/components/States";
import { fixed, percent } from "~/format/numbers";
import { absolute } from "~/format/time";
import classes from "./EventDrawer.module.css";
import { evidenceUrl } from "./evidence";
import { eventOf, sentence } from "./event";

/** Details of one event, and its raw record. */
export function EventDrawer({ row, onClose }: { row: EventRow | null; onClose: () => void }) {
  return (
    <Drawer opened={row !== null} onClose={onClose} position="right" size="md" title={<b>Event {row?.id}</b>}>
      {row && <Details row={row} />}
    </Drawer>
  );
}

function Details({ row }: { row: EventRow }) {
  const event = eventOf(row);
  const rows: [string, ReactNode][] = [
    [
      "Device",
      <Link key="device" to="/devices/$id" params={{ id: row.device }} className="link">
        {row.device}
      </Link>,
    ],
    ["Time", absolute(event.at)],
    ["Received", <Ago key="stored" at={row.received_at} />],
    ["Pipeline, rule", [event.pipeline, event.rule].filter(Boolean).join(", ") || "–"],
    ["Model", event.model || "–"],
  ];
  if (event.digest) rows.push(["Digest", <Digest key="digest" value={event.digest} />]);
  if (event.score !== null) rows.push(["Confidence", fixed(event.score, 3)]);
  if (event.coverage !== null) rows.push(["Coverage", `${percent(Math.round(event.coverage * 1000), 1000)} of frames processed`]);
  if (event.track !== null) rows.push(["Track", event.track]);
  if (event.box) rows.push(["Box (pixels)", event.box.map(Math.round).join(", ")]);
  return (
    <Stack>
      <Title order={2}>{sentence(event)}</Title>
      {row.evidence.includes("clip") ? (
        <video
          className={classes.evidence}
          src={evidenceUrl(row, "clip")}
          poster={row.evidence.includes("snapshot") ? evidenceUrl(row, "snapshot") : undefined}
          controls
          preload="none"
          aria-label="Clip"
        />
      ) : (
        row.evidence.includes("snapshot") && (
          <img className={classes.evidence} src={evidenceUrl(row, "snapshot")} alt={`Snapshot: ${sentence(event)}`} />
        )
      )}
      <Facts rows={rows} />
      <div>
        <Text fz="sm" c="dimmed" mb={6}>
          Raw record
        </Text>
        <Code block>{JSON.stringify(row.event, null, 2)}</Code>
      </div>
    </Stack>
  );
}
