import type { Place } from "~/api/types";

/** The part of the world on screen: its middle in degrees, and how many degrees of longitude the width shows. */
export interface View {
  lon: number;
  lat: number;
  span: number;
}

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

/** Units of the drawing; the picture is scaled to the panel. */
export const WIDTH = 960;
export const HEIGHT = 480;
const SPAN_MIN = 0.05;
const SPAN_MAX = 360;
const ALONE_SPAN = 40;
const NEAR = 46;
const MARGIN = 1.35;

export const WORLD: View = { lon: 10, lat: 20, span: SPAN_MAX };

/** Equirectangular projection: a degree has the same length everywhere. */
export const project = ({ lon, lat, span }: View, at: readonly [number, number]): [number, number] => {
  const scale = WIDTH / span;
  return [WIDTH / 2 + (at[0] - lon) * scale, HEIGHT / 2 - (at[1] - lat) * scale];
};

export const zoomed = (view: View, factor: number): View => ({
  ...view,
  span: Math.min(SPAN_MAX, Math.max(SPAN_MIN, view.span * factor)),
});

export function moved(view: View, dx: number, dy: number): View {
  const degrees = view.span / WIDTH;
  const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return { ...view, lon: clamp(view.lon - dx * degrees, 180), lat: clamp(view.lat + dy * degrees, 90) };
}

/** A view that shows all places, with a margin. */
export function around(places: readonly Place[]): View {
  if (!places.length) return WORLD;
  const [west, east] = [Math.min(...places.map(({ lon }) => lon)), Math.max(...places.map(({ lon }) => lon))];
  const [south, north] = [Math.min(...places.map(({ lat }) => lat)), Math.max(...places.map(({ lat }) => lat))];
  const wide = Math.max(east - west, ((north - south) * WIDTH) / HEIGHT) * MARGIN;
  return {
    lon: (west + east) / 2,
    lat: (south + north) / 2,
    span: Math.min(SPAN_MAX, Math.max(wide, places.length === 1 ? ALONE_SPAN : SPAN_MIN * 4, 8)),
  };
}

/** Merges places whose marks would overlap into one. */
export function clusters(view: View, places: readonly Place[]): Cluster[] {
  const found: Cluster[] = [];
  for (const place of places) {
    const [x, y] = project(view, [place.lon, place.lat]);
    if (x < -NEAR || x > WIDTH + NEAR || y < -NEAR || y > HEIGHT + NEAR) continue;
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

/** A round number of degrees for the lines of the graticule. */
export const stepOf = (span: number): number =>
  [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].find((step) => span / step <= 12) ?? 30;

export function degrees(value: number, positive: string, negative: string): string {
  const size = Math.abs(Math.round(value * 100) / 100);
  return size === 0 ? "0°" : `${size}° ${value > 0 ? positive : negative}`;
}
