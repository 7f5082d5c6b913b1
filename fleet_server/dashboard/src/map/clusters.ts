import type { Place } from "~/api/types";
import type { Tone } from "~/format/tones";

/** A mark of the map, in pixels of it: one place, or several that would overlap. */
export interface Cluster {
  key: string;
  x: number;
  y: number;
  places: Place[];
  devices: number;
  offline: number;
  attention: number;
  updating: number;
}

/** West, south, east and north, in degrees. */
export type Bounds = [number, number, number, number];

const NEAR = 46;
const WORLD: Bounds = [-150, -50, 170, 65];

/** Merges places whose marks would overlap into one, and leaves out what is beyond the border. project: pixels of degrees. */
export function clusters(
  places: readonly Place[],
  project: (place: Place) => { x: number; y: number },
  wide: number,
  high: number,
): Cluster[] {
  const found: Cluster[] = [];
  for (const place of places) {
    const { x, y } = project(place);
    if (x < -NEAR || x > wide + NEAR || y < -NEAR || y > high + NEAR) continue;
    const near = found.find((one) => Math.hypot(one.x - x, one.y - y) < NEAR);
    if (!near) {
      const { devices, offline, attention, updating } = place;
      found.push({ key: place.name, x, y, places: [place], devices, offline, attention, updating });
      continue;
    }
    near.places.push(place);
    near.devices += place.devices;
    near.offline += place.offline;
    near.attention += place.attention;
    near.updating += place.updating;
  }
  return found;
}

/** The least rectangle that has all places; the inhabited world if there are none. */
export function boundsOf(places: readonly Place[]): Bounds {
  if (!places.length) return WORLD;
  const [lon, lat] = [places.map((place) => place.lon), places.map((place) => place.lat)];
  return [Math.min(...lon), Math.min(...lat), Math.max(...lon), Math.max(...lat)];
}

/** The state that a mark shows: the worst one of its devices. */
export function toneOf({
  attention,
  updating,
  offline,
  devices,
}: Pick<Cluster, "attention" | "updating" | "offline" | "devices">): Tone {
  if (attention > 0) return "bad";
  if (offline === devices) return "off";
  return updating > 0 ? "busy" : "ok";
}
