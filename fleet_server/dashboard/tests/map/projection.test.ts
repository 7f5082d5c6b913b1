import { describe, expect, it } from "vitest";
import type { Place } from "~/api/types";
import { around, clusters, degrees, HEIGHT, moved, project, stepOf, WIDTH, WORLD, zoomed } from "~/map/projection";

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

describe("the projection", () => {
  it("has the middle of the view in the middle, east to the right and north up", () => {
    expect(project(WORLD, [WORLD.lon, WORLD.lat])).toEqual([WIDTH / 2, HEIGHT / 2]);
    const [x, y] = project({ lon: 0, lat: 0, span: 96 }, [10, 5]);
    expect([x, y]).toEqual([WIDTH / 2 + 100, HEIGHT / 2 - 50]);
  });

  it("zooms within limits", () => {
    expect([zoomed(WORLD, 2).span, zoomed({ ...WORLD, span: 0.06 }, 0.5).span, zoomed(WORLD, 0.5).span]).toEqual([
      360, 0.05, 180,
    ]);
  });

  it("follows the pointer, to the edges of the world", () => {
    expect(moved({ lon: 0, lat: 0, span: 96 }, 100, 50)).toEqual({ lon: -10, lat: 5, span: 96 });
    expect(moved(WORLD, -1e6, 1e6)).toMatchObject({ lon: 180, lat: 90 });
  });
});

describe("a view of places", () => {
  it.each([[[LYON, PARIS]], [[LYON, PARIS, SYDNEY]], [[place("a", -170, 80), place("b", -169, -80)]]])(
    "shows all of them",
    (places) => {
      const view = around(places);
      for (const each of places) {
        const [x, y] = project(view, [each.lon, each.lat]);
        expect(x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT, each.name).toBe(true);
      }
    },
  );

  it("of one place shows its country, of none the world", () => {
    expect([around([LYON]), around([])]).toEqual([{ lon: 4.83, lat: 45.76, span: 40 }, WORLD]);
  });
});

describe("clusters", () => {
  it("join what overlaps, with sums", () => {
    const [europe, far, ...more] = clusters(WORLD, [LYON, PARIS, SYDNEY]);
    expect(more).toEqual([]);
    expect(europe).toMatchObject({ key: "lyon", devices: 15, offline: 2, attention: 1, places: [LYON, PARIS] });
    expect(far).toMatchObject({ key: "sydney", devices: 3 });
    expect(LYON.devices).toBe(10);
  });

  it("part when the view comes near, and leave out what is off the map", () => {
    expect(clusters(around([LYON, PARIS]), [LYON, PARIS, SYDNEY]).map(({ key }) => key)).toEqual(["lyon", "paris"]);
  });
});

describe("the graticule", () => {
  it("has at most twelve lines of a round number of degrees", () => {
    expect([stepOf(360), stepOf(96), stepOf(10), stepOf(0.1)]).toEqual([30, 10, 1, 0.01]);
  });

  it("names the side of the equator, and none on it", () => {
    expect([degrees(33.9, "N", "S"), degrees(-33.9, "N", "S"), degrees(0.001, "N", "S")]).toEqual(["33.9° N", "33.9° S", "0°"]);
  });
});
