import { SimpleGrid } from "@mantine/core";
import IconPhotoOff from "@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs";
import type { EventRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import classes from "./EventGallery.module.css";
import { evidenceUrl } from "./evidence";
import { eventOf, sentence } from "./event";

/** Events as a grid of snapshots. */
export function EventGallery({ rows, onOpen }: { rows: readonly EventRow[]; onOpen: (row: EventRow) => void }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" p="md" component="ul" className={classes.grid} aria-label="Events">
      {rows.map((row) => (
        <li key={row.id}>
          <Picture row={row} onOpen={() => onOpen(row)} />
        </li>
      ))}
    </SimpleGrid>
  );
}

function Picture({ row, onOpen }: { row: EventRow; onOpen: () => void }) {
  const event = eventOf(row);
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      {row.evidence.includes("snapshot") ? (
        <img className={classes.picture} src={evidenceUrl(row, "snapshot")} alt="" loading="lazy" decoding="async" />
      ) : (
        <span className={classes.none} title="No snapshot available">
          <IconPhotoOff size={26} stroke={1.4} aria-hidden />
        </span>
      )}
      <span className={classes.words}>
        <b>{sentence(event)}</b>
        <span>
          {row.device} · <Ago at={event.at || row.received_at} />
        </span>
      </span>
    </button>
  );
}
