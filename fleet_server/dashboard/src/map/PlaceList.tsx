import type { Place } from "~/api/types";
import { Dot } from "~/components/Tag";
import { count, many } from "~/format/numbers";
import { toneOf } from "./clusters";
import classes from "./FleetMap.module.css";

interface PlaceListProps {
  places: readonly Place[];
  isPicked: (place: Place) => boolean;
  onPick: (place: Place | null) => void;
}

/** The map as a list: each site filters the list of devices. */
export function PlaceList({ places, isPicked, onPick }: PlaceListProps) {
  return (
    <ul className={classes.list} aria-label="Sites">
      {places.map((place) => {
        const on = isPicked(place);
        const facts = [
          ...(place.attention > 0 ? [`${count(place.attention)} need attention`] : []),
          ...(place.offline > 0 ? [`${count(place.offline)} offline`] : []),
          ...(place.updating > 0 ? [`${count(place.updating)} updating`] : []),
        ];
        return (
          <li key={place.name}>
            <button type="button" className={classes.place} aria-pressed={on} onClick={() => onPick(on ? null : place)}>
              <span className={classes.top}>
                <span style={{ display: "inline-flex", alignItems: "center", gap: 8, minWidth: 0, overflowWrap: "anywhere" }}>
                  <Dot tone={toneOf(place)} />
                  {place.name}
                </span>
                <span className="num">{many(place.devices, "device")}</span>
              </span>
              <span className={classes.under}>{facts.join(" · ") || "All healthy"}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
