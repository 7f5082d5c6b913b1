import { Checkbox, Table, Text } from "@mantine/core";
import { ClassDot } from "~/components/ClassDot";
import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { EventRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { fixed } from "~/format/numbers";
import { dateTime } from "~/format/time";
import classes from "./EventTable.module.css";
import { Thumbnail } from "./EventGallery";
import { eventOf, sentence } from "./event";
import { MarkTag } from "./MarkButtons";

export interface EventTableProps {
  rows: readonly EventRow[];
  current: number | undefined;
  hideDevice: boolean;
  onOpen: (id: number) => void;
  onCurrent: (id: number) => void;
  /** Undefined: this user selects nothing. */
  selection: { ids: ReadonlySet<number>; pick: (id: number, withShift: boolean) => void } | undefined;
}

/** Events as rows. Columns have fixed widths, and pictures fixed places. */
export function EventTable(props: EventTableProps) {
  return (
    <Table className={classes.table} verticalSpacing={8} horizontalSpacing="sm" fz="sm" highlightOnHover aria-label="Events">
      <Table.Thead>
        <Table.Tr>
          {props.selection && <Table.Th className={classes.pick} aria-label="Selected" />}
          <Table.Th className={classes.picture} aria-label="Picture" />
          <Table.Th>Event</Table.Th>
          <Table.Th className={classes.time} visibleFrom="sm">
            Time
          </Table.Th>
          {!props.hideDevice && (
            <Table.Th className={classes.device} visibleFrom="xl">
              Device
            </Table.Th>
          )}
          <Table.Th className={classes.score} visibleFrom="xl">
            Confidence
          </Table.Th>
          <Table.Th className={classes.mark} visibleFrom="sm">
            Mark
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.rows.map((row) => (
          <Line key={row.id} row={row} {...props} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Line({ row, current, hideDevice, onOpen, onCurrent, selection }: EventTableProps & { row: EventRow }) {
  const event = eventOf(row);
  const at = event.at || row.received_at;
  const pick = (click: MouseEvent) => selection?.pick(row.id, click.shiftKey);
  return (
    <Table.Tr
      onClick={() => onOpen(row.id)}
      className={classes.row}
      data-current={row.id === current}
      data-selected={selection?.ids.has(row.id)}
      data-unseen={!row.review}
    >
      {selection && (
        <Table.Td onClick={(click) => click.stopPropagation()}>
          <Checkbox
            size="xs"
            aria-label={`Select event ${row.id}`}
            checked={selection.ids.has(row.id)}
            onClick={pick}
            onChange={() => undefined}
          />
        </Table.Td>
      )}
      <Table.Td>
        <Thumbnail row={row} className={classes.thumbnail ?? ""} />
      </Table.Td>
      <Table.Td className={classes.words}>
        <button
          type="button"
          className={classes.what}
          data-event={row.id}
          aria-current={row.id === current}
          onFocus={() => onCurrent(row.id)}
          onClick={(click) => {
            click.stopPropagation();
            onOpen(row.id);
          }}
        >
          <ClassDot label={event.label} />
          {sentence(event)}
        </button>
        <span className={classes.under}>
          <span className={classes.kind}>{event.kind}</span>
          {event.rule}
        </span>
        <Text fz="xs" c="dimmed" hiddenFrom="xl">
          {!hideDevice && row.device}
        </Text>
        <Text fz="xs" c="dimmed" hiddenFrom="sm">
          {dateTime(at)}
        </Text>
        <Text component="div" hiddenFrom="sm">
          <MarkTag row={row} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {dateTime(at)}
        <Text fz="xs" c="dimmed">
          <Ago at={at} />
        </Text>
      </Table.Td>
      {!hideDevice && (
        <Table.Td visibleFrom="xl" className={classes.words}>
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
      <Table.Td visibleFrom="xl">{fixed(event.score, 2)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <MarkTag row={row} />
      </Table.Td>
    </Table.Tr>
  );
}
