import { SimpleGrid } from "@mantine/core";
import { ClassDot } from "~/components/ClassDot";
import IconPhotoOff from "@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs";
import type { EventRow } from "~/api/types";
import { dateTime } from "~/format/time";
import classes from "./EventGallery.module.css";
import { evidenceUrl } from "./evidence";
import { eventOf, sentence } from "./event";
import { MarkTag } from "./MarkButtons";

interface EventGalleryProps {
  rows: readonly EventRow[];
  current: number | undefined;
  onOpen: (id: number) => void;
  onCurrent: (id: number) => void;
}

/** Events as a grid of snapshots. */
export function EventGallery({ rows, ...props }: EventGalleryProps) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" p="md" component="ul" className={classes.grid} aria-label="Events">
      {rows.map((row) => (
        <li key={row.id}>
          <Picture row={row} {...props} />
        </li>
      ))}
    </SimpleGrid>
  );
}

/** The snapshot of an event, or its place. */
export function Thumbnail({ row, className }: { row: EventRow; className: string }) {
  return row.evidence.includes("snapshot") ? (
    <img
      className={`${classes.picture} ${className}`}
      src={evidenceUrl(row, "snapshot")}
      alt={row.evidence.includes("clip") ? "Snapshot, with clip" : "Snapshot"}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={`${classes.none} ${className}`} title="No snapshot available">
      <IconPhotoOff size={20} stroke={1.4} aria-hidden />
    </span>
  );
}

function Picture({ row, current, onOpen, onCurrent }: Omit<EventGalleryProps, "rows"> & { row: EventRow }) {
  const event = eventOf(row);
  return (
    <button
      type="button"
      className={classes.card}
      data-event={row.id}
      data-unseen={!row.review}
      aria-current={row.id === current}
      onFocus={() => onCurrent(row.id)}
      onClick={() => onOpen(row.id)}
    >
      <Thumbnail row={row} className={classes.wide ?? ""} />
      <span className={classes.words}>
        <b>
          <ClassDot label={event.label} />
          {sentence(event)}
        </b>
        <span>{row.device}</span>
        <span>{dateTime(event.at || row.received_at)}</span>
        <span className={classes.mark}>{row.review ? <MarkTag row={row} /> : "Unseen"}</span>
      </span>
    </button>
  );
}
