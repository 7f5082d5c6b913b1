import { describe, expect, it } from "vitest";
import atlas from "world-atlas/countries-110m.json";
import { bordersOf, closed, landOf, unwrapped, type Atlas } from "~/map/world";

const WORLD = atlas as unknown as Atlas;

/** The longest step of lines along the longitude, except on a pole. */
const longest = (lines: readonly (readonly number[])[][]): number =>
  Math.max(
    ...lines.flatMap((line) =>
      line.slice(1).map(([lon = 0, lat = 0], at) => (Math.abs(lat) === 90 ? 0 : Math.abs(lon - (line[at]?.[0] ?? 0)))),
    ),
  );

describe("the outlines", () => {
  it("go on beyond 180 degrees instead of jumping to the other side", () => {
    expect(
      unwrapped([
        [179, 60],
        [-179, 61],
        [178, 62],
      ]),
    ).toEqual([
      [179, 60],
      [181, 61],
      [178, 62],
    ]);
  });

  it("around a pole are closed along it", () => {
    const ring = [
      [-180, -80],
      [0, -70],
      [180, -80],
    ];
    expect(closed(ring).slice(3)).toEqual([
      [180, -90],
      [-180, -90],
      [-180, -80],
    ]);
    expect(closed([...ring, [-180, -80]])).toHaveLength(4);
  });

  it("of the real world have no line across it, except along the south pole", () => {
    const land = landOf(WORLD).geometry;
    const rings = land.type === "MultiPolygon" ? land.coordinates.flat() : [];
    expect(rings.length).toBeGreaterThan(100);
    expect(longest(rings)).toBeLessThan(180);
    expect(longest(bordersOf(WORLD).coordinates)).toBeLessThan(90);
  });
});
