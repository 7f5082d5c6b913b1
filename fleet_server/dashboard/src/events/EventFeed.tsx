import { Button, Center, Table, Text } from "@mantine/core";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconPhoto from "@tabler/icons-react/dist/esm/icons/IconPhoto.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { eventsQuery, type EventFilter } from "~/api/queries";
import type { EventRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Empty, Fault, Loading } from "~/components/States";
import { fixed } from "~/format/numbers";
import { clockTime } from "~/format/time";
import classes from "./EventFeed.module.css";
import { EventDrawer } from "./EventDrawer";
import { EventGallery } from "./EventGallery";
import { eventOf, sentence } from "./event";

interface EventFeedProps {
  filter: EventFilter;
  hideDevice?: boolean;
  asPictures?: boolean;
}

/** Events, newest first; new ones appear on top. */
export function EventFeed({ filter, hideDevice = false, asPictures = false }: EventFeedProps) {
  const [chosen, setChosen] = useState<EventRow | null>(null);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(eventsQuery(filter));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const rows = data.pages.flatMap((page) => page.items);
  if (!rows.length) {
    return (
      <Empty icon={IconBell} title="No matching events">
        Pipeline rules create events such as line crossings, zone presence and counts. Offline devices buffer events.
      </Empty>
    );
  }
  return (
    <>
      {asPictures ? (
        <EventGallery rows={rows} onOpen={setChosen} />
      ) : (
        <EventList rows={rows} hideDevice={hideDevice} onOpen={setChosen} />
      )}
      {hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load older events
          </Button>
        </Center>
      )}
      <EventDrawer row={chosen} onClose={() => setChosen(null)} />
    </>
  );
}

function EventList({
  rows,
  hideDevice,
  onOpen,
}: {
  rows: readonly EventRow[];
  hideDevice: boolean;
  onOpen: (row: EventRow) => void;
}) {
  return (
    <Table.ScrollContainer minWidth={340}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" highlightOnHover aria-label="Events">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            {!hideDevice && <Table.Th>Device</Table.Th>}
            <Table.Th>Event</Table.Th>
            <Table.Th visibleFrom="sm">Confidence</Table.Th>
            <Table.Th visibleFrom="sm">Rule</Table.Th>
            <Table.Th visibleFrom="md">Model</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} hideDevice={hideDevice} onOpen={() => onOpen(row)} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({ row, hideDevice, onOpen }: { row: EventRow; hideDevice: boolean; onOpen: () => void }) {
  const event = eventOf(row);
  return (
    <Table.Tr onClick={onOpen} className={classes.row}>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {clockTime(event.at || row.received_at)}
        <Text fz="xs" c="dimmed">
          <Ago at={event.at || row.received_at} />
        </Text>
      </Table.Td>
      {!hideDevice && (
        <Table.Td>
          <Link
            to="/devices/$id"
            params={{ id: row.device }}
            className="strong-link"
            onClick={(click) => click.stopPropagation()}
          >
            {row.device}
          </Link>
        </Table.Td>
      )}
      <Table.Td>
        <button type="button" className={classes.what} onClick={onOpen}>
          <span className={classes.kind}>{event.kind}</span>
          {sentence(event)}
          {row.evidence.length > 0 && <IconPhoto size={15} stroke={1.6} aria-label={`with ${row.evidence.join(" and ")}`} />}
        </button>
      </Table.Td>
      <Table.Td visibleFrom="sm">{fixed(event.score, 2)}</Table.Td>
      <Table.Td visibleFrom="sm">{event.rule || "–"}</Table.Td>
      <Table.Td c="dimmed" visibleFrom="md">
        {event.model || "–"}
      </Table.Td>
    </Table.Tr>
  );
}
