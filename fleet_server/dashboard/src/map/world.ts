import type { Feature, FeatureCollection, MultiLineString, Position } from "geojson";
import type { StyleSpecification } from "maplibre-gl";
import { feature, mesh, type Topology } from "topojson-client";

/** Outlines of `world-atlas`: Natural Earth, in the public domain. */
export interface Atlas extends Topology {
  objects: { countries: unknown; land: unknown };
}

interface Colours {
  sea: string;
  land: string;
  border: string;
}

const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };

/** All land as one shape. */
export function landOf(atlas: Atlas): Feature {
  const found = feature(atlas, atlas.objects.land);
  const features = found.type === "FeatureCollection" ? found.features : [found];
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === "MultiPolygon" ? geometry.coordinates : geometry.type === "Polygon" ? [geometry.coordinates] : [],
  );
  const coordinates = polygons.map((rings) => rings.map((ring) => closed(unwrapped(ring))));
  return { type: "Feature", properties: {}, geometry: { type: "MultiPolygon", coordinates } };
}

/** Borders between two countries; coasts are drawn with the land. */
export function bordersOf(atlas: Atlas): MultiLineString {
  const { type, coordinates } = mesh(atlas, atlas.objects.countries, (one, other) => one !== other);
  return { type, coordinates: coordinates.map(unwrapped) };
}

/** A line without jumps from 180 to -180 degrees: it goes on beyond 180. The map draws what is beyond on the other side. */
export function unwrapped(line: readonly Position[]): Position[] {
  let turns = 0;
  return line.map(([lon = 0, lat = 0], index) => {
    const before = line[index - 1]?.[0] ?? lon;
    if (lon - before > 180) turns -= 360;
    if (before - lon > 180) turns += 360;
    return [lon + turns, lat];
  });
}

/** The ring of a land around a pole, which ends a turn beyond its start, is closed along the pole. */
export function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || first[0] === last[0]) return ring;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...ring, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

/** The map's colours in the scheme of the page. */
export function colours(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { sea: of("--page"), land: of("--line"), border: of("--off-fill") };
}

/** A style without tiles, fonts and images: it needs nothing but the outlines. */
export const styleOf = ({ sea, land, border }: Colours): StyleSpecification => ({
  version: 8,
  sources: { land: { type: "geojson", data: EMPTY }, borders: { type: "geojson", data: EMPTY } },
  layers: [
    { id: "sea", type: "background", paint: { "background-color": sea } },
    { id: "land", type: "fill", source: "land", paint: { "fill-color": land } },
    { id: "coast", type: "line", source: "land", paint: { "line-color": border, "line-opacity": 0.7, "line-width": 0.8 } },
    { id: "borders", type: "line", source: "borders", paint: { "line-color": border, "line-opacity": 0.7, "line-width": 0.7 } },
  ],
});
