import { Button, Code, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { ClassDot } from "~/components/ClassDot";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { eventQuery, type Verdict } from "~/api/events";
import type { EventRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { PartFor } from "~/components/OnlyFor";
import { Digest } from "~/components/Digest";
import { Empty, Facts, Fault, Loading } from "~/components/States";
import { capital, fixed, percent } from "~/format/numbers";
import { absolute, dateTime } from "~/format/time";
import classes from "./EventDrawer.module.css";
import { evidenceFile, evidenceUrl } from "./evidence";
import { eventOf, sentence } from "./event";
import { MarkButtons } from "./MarkButtons";
import { VERDICT } from "./marks";

interface EventDrawerProps {
  id: number | undefined;
  /** Undefined: not in the list, as the one of a shared address may be. */
  row: EventRow | undefined;
  may: boolean;
  ends: { first: boolean; last: boolean };
  onStep: (by: number) => void;
  onMark: (row: EventRow, verdict: Verdict | null) => void;
  onClose: () => void;
}

/** Details of one event, its marks, and its raw record. */
export function EventDrawer({ id, row, may, ends, onStep, onMark, onClose }: EventDrawerProps) {
  const found = useQuery({ ...eventQuery(id ?? 0), enabled: id !== undefined && row === undefined });
  const shown = row ?? found.data ?? undefined;
  const content = () => {
    if (shown) return <Details row={shown} may={may} onMark={onMark} />;
    if (found.error) return <Fault error={found.error} onRetry={() => void found.refetch()} />;
    if (found.data === null) {
      return (
        <Empty icon={IconHistory} title="Not found">
          The server has no event {id}, or no longer.
        </Empty>
      );
    }
    return <Loading rows={6} />;
  };
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="md" returnFocus={false} title={<b>Event {id}</b>}>
      <Group gap={6} mb="md">
        <Button
          size="compact-sm"
          variant="default"
          disabled={ends.first}
          title="Key K"
          leftSection={<IconChevronUp size={15} stroke={1.8} aria-hidden />}
          onClick={() => onStep(-1)}
        >
          Previous
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={ends.last}
          title="Key J"
          leftSection={<IconChevronDown size={15} stroke={1.8} aria-hidden />}
          onClick={() => onStep(1)}
        >
          Next
        </Button>
      </Group>
      {id !== undefined && content()}
    </Drawer>
  );
}

function Details({ row, may, onMark }: { row: EventRow; may: boolean } & Pick<EventDrawerProps, "onMark">) {
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
      <Title order={2} className={classes.title}>
        <ClassDot label={event.label} />
        {sentence(event)}
      </Title>
      <div>
        {may ? (
          <MarkButtons rows={[row]} onMark={(verdict) => onMark(row, verdict)} />
        ) : (
          <PartFor role="operator" what="mark events">
            {null}
          </PartFor>
        )}
        <Text fz="xs" c="dimmed" mt={6} role="status" className={classes.by}>
          {row.review ? markedBy(row.review) : "Unseen"}
        </Text>
      </div>
      <Evidence row={row} />
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

const markedBy = ({ verdict, by, at }: NonNullable<EventRow["review"]>): string =>
  `${VERDICT[verdict].text}${by && ` by ${by}`}, ${dateTime(at)}`;

/** The clip or the snapshot at its place, and both as files. */
function Evidence({ row }: { row: EventRow }) {
  const hasSnapshot = row.evidence.includes("snapshot");
  if (!row.evidence.length) {
    return (
      <Text fz="sm" c="dimmed">
        No snapshot or clip on the server
      </Text>
    );
  }
  return (
    <div>
      {row.evidence.includes("clip") ? (
        <video
          key={row.id}
          className={classes.evidence}
          src={evidenceUrl(row, "clip")}
          poster={hasSnapshot ? evidenceUrl(row, "snapshot") : undefined}
          controls
          preload="none"
          aria-label="Clip"
        />
      ) : (
        <img
          key={row.id}
          className={classes.evidence}
          src={evidenceUrl(row, "snapshot")}
          alt={`Snapshot: ${sentence(eventOf(row))}`}
        />
      )}
      <Group gap={6} mt={8}>
        {row.evidence.map((kind) => (
          <Button
            key={kind}
            component="a"
            href={evidenceUrl(row, kind)}
            download={evidenceFile(row, kind)}
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}
          >
            {capital(kind)}
          </Button>
        ))}
      </Group>
    </div>
  );
}
