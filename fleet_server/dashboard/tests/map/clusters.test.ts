import { describe, expect, it } from "vitest";
import type { Place } from "~/api/types";
import { boundsOf, clusters, toneOf } from "~/map/clusters";

const place = (name: string, lon: number, lat: number, devices = 1, more: Partial<Place> = {}): Place => ({
  name,
  lon,
  lat,
  devices,
  offline: 0,
  attention: 0,
  updating: 0,
  labels: {},
  ...more,
});
const LYON = place("lyon", 4.83, 45.76, 10, { offline: 2 });
const PARIS = place("paris", 2.35, 48.86, 5, { attention: 1 });
const SYDNEY = place("sydney", 151.2, -33.9, 3);

/** Pixels of a map whose degrees are all the same size. */
const flat =
  (size: number, west = -180, north = 90) =>
  ({ lon, lat }: Place) => ({ x: (lon - west) * size, y: (north - lat) * size });

describe("the bounds", () => {
  it("have all places; those of none have the inhabited world", () => {
    expect(boundsOf([LYON, PARIS, SYDNEY])).toEqual([2.35, -33.9, 151.2, 48.86]);
    expect(boundsOf([LYON])).toEqual([4.83, 45.76, 4.83, 45.76]);
    const [west, south, east, north] = boundsOf([]);
    expect(west < east && south < north).toBe(true);
  });
});

describe("clusters", () => {
  it("join what overlaps, with sums", () => {
    const [europe, far, ...more] = clusters([LYON, PARIS, SYDNEY], flat(2), 720, 360);
    expect(more).toEqual([]);
    expect(europe).toMatchObject({ key: "lyon", devices: 15, offline: 2, attention: 1, places: [LYON, PARIS] });
    expect(far).toMatchObject({ key: "sydney", devices: 3 });
    expect(LYON.devices).toBe(10);
  });

  it("part when the view comes near, and leave out what is off the map", () => {
    const near = clusters([LYON, PARIS, SYDNEY], flat(60, 0, 52), 720, 480);
    expect(near.map(({ key }) => key)).toEqual(["lyon", "paris"]);
  });
});

describe("the state of a mark", () => {
  it("is the worst one of its devices", () => {
    const of = (attention: number, updating: number, offline: number) => toneOf({ attention, updating, offline, devices: 3 });
    expect([of(1, 1, 3), of(0, 1, 3), of(0, 1, 1), of(0, 0, 1)]).toEqual(["bad", "off", "busy", "ok"]);
  });
});
