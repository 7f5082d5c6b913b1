import { compact } from "~/format/numbers";
import type { Place } from "~/api/types";
import { toneOf, type Cluster } from "./clusters";
import classes from "./FleetMap.module.css";

interface MarksProps {
  marks: readonly Cluster[];
  isPicked: (place: Place) => boolean;
  onOpen: (cluster: Cluster) => void;
}

const LABELLED_MAX = 14;

/** Marks over the map. They are hidden from screen readers: each site is a button of the list beside the map. */
export function Marks({ marks, isPicked, onOpen }: MarksProps) {
  return (
    <div className={classes.marks} aria-hidden>
      {marks.map((mark) => {
        const size = 2 * Math.min(22, 12 + Math.sqrt(mark.devices) * 0.55);
        const [only] = mark.places;
        const name = mark.places.length === 1 ? (only?.name ?? "") : `${mark.places.length} sites`;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the list beside the map has the keys
          <div
            key={mark.key}
            className={classes.mark}
            data-tone={toneOf(mark)}
            data-picked={mark.places.every(isPicked)}
            data-place={name}
            style={{ left: mark.x, top: mark.y }}
            onClick={() => onOpen(mark)}
          >
            <span className={classes.dot} style={{ width: size, height: size }}>
              {compact(mark.devices)}
            </span>
            {marks.length <= LABELLED_MAX && <span className={classes.name}>{name}</span>}
          </div>
        );
      })}
    </div>
  );
}
