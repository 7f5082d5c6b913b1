import { describe, expect, it } from "vitest";
import { problemAt } from "~/pipelines/problem";
import {
  at,
  diff,
  documentFor,
  freeName,
  isSame,
  movedPoint,
  type Point,
  pointsOf,
  renamed,
  type Spec,
  shifted,
  withoutShape,
  withPoints,
  withShape,
} from "~/pipelines/spec";

const SQUARE: Point[] = [
  [0.1, 0.2],
  [0.4, 0.2],
  [0.4, 0.6],
  [0.1, 0.6],
];
const spec = (): Spec => ({
  name: "entrance",
  source: { kind: "rtsp", uri: "rtsp://camera" },
  zones: [{ name: "hall", polygon: SQUARE }],
  lines: [
    {
      name: "door",
      points: [
        [0.5, 1],
        [0.5, 0],
      ],
      forward: "in",
    },
  ],
  masks: [{ name: "desk", polygon: SQUARE }],
  rules: [
    { name: "crossing-1", kind: "line", line: "door" },
    { name: "stay-1", kind: "zone", zone: "hall" },
    { name: "visits", kind: "visit" },
  ],
});
const LINE = { kind: "lines", index: 0 } as const;
const ZONE = { kind: "zones", index: 0 } as const;
const MASK = { kind: "masks", index: 0 } as const;
const namesOf = (each: readonly { name: string }[] | undefined): string[] => (each ?? []).map(({ name }) => name);

describe("points", () => {
  it("stay in the frame, with four digits", () => {
    expect([at(-0.2, 1.7), at(0.123456, 0.99996)]).toEqual([
      [0, 1],
      [0.1235, 1],
    ]);
  });

  it("of each kind of shape are found, and none of one that is not there", () => {
    expect([pointsOf(spec(), LINE), pointsOf(spec(), ZONE)]).toEqual([
      [
        [0.5, 1],
        [0.5, 0],
      ],
      SQUARE,
    ]);
    expect([pointsOf(spec(), { kind: "lines", index: 3 }), pointsOf({ name: "x", source: { kind: "file" } }, MASK)]).toEqual([
      [],
      [],
    ]);
  });

  it("move alone", () => {
    expect(movedPoint(SQUARE, 2, [0.9, 0.9])).toEqual([
      [0.1, 0.2],
      [0.4, 0.2],
      [0.9, 0.9],
      [0.1, 0.6],
    ]);
  });

  it("move together, and the shape keeps its form at the edge of the frame", () => {
    expect(shifted(SQUARE, 0.1, -0.1)).toEqual([
      [0.2, 0.1],
      [0.5, 0.1],
      [0.5, 0.5],
      [0.2, 0.5],
    ]);
    expect(shifted(SQUARE, -0.9, 0.9)).toEqual([
      [0, 0.6],
      [0.3, 0.6],
      [0.3, 1],
      [0, 1],
    ]);
    expect(shifted(SQUARE, 5, -5)).toEqual([
      [0.7, 0],
      [1, 0],
      [1, 0.4],
      [0.7, 0.4],
    ]);
  });
});

describe("shapes", () => {
  it("get points without a change of anything else", () => {
    const before = spec();
    const after = withPoints(before, ZONE, [...SQUARE.slice(0, 3)]);
    expect(after.zones).toEqual([{ name: "hall", polygon: SQUARE.slice(0, 3) }]);
    expect({ ...after, zones: before.zones }).toEqual(before);
    expect(before).toEqual(spec());
    expect(withPoints(before, LINE, [[0, 0]])).toBe(before);
    expect(
      withPoints(before, LINE, [
        [0, 0],
        [1, 1],
      ]).lines,
    ).toEqual([
      {
        name: "door",
        points: [
          [0, 0],
          [1, 1],
        ],
        forward: "in",
      },
    ]);
    expect(withPoints(before, MASK, SQUARE.slice(1)).masks?.[0]?.polygon).toHaveLength(3);
  });

  it("come with a rule, and a name that is free; a mask needs none", () => {
    const line = withShape({ ...spec(), rules: [{ name: "crossing-1", kind: "line" }] }, "lines", [
      [0, 0],
      [1, 1],
    ]);
    expect(line.shape).toEqual({ kind: "lines", index: 1 });
    expect(line.spec.lines?.[1]).toEqual({
      name: "line-1",
      points: [
        [0, 0],
        [1, 1],
      ],
    });
    expect(line.spec.rules?.at(-1)).toEqual({ name: "crossing-2", kind: "line", line: "line-1" });
    const zone = withShape(spec(), "zones", SQUARE);
    expect(zone.spec.rules?.at(-1)).toEqual({ name: "stay-2", kind: "zone", zone: "zone-1" });
    const mask = withShape(spec(), "masks", SQUARE);
    expect([namesOf(mask.spec.masks), mask.spec.rules]).toEqual([["desk", "mask-1"], spec().rules]);
  });

  it("go with the rules that use them", () => {
    expect(namesOf(withoutShape(spec(), LINE).rules)).toEqual(["stay-1", "visits"]);
    expect(namesOf(withoutShape(spec(), ZONE).rules)).toEqual(["crossing-1", "visits"]);
    expect([withoutShape(spec(), LINE).lines, withoutShape(spec(), MASK).masks]).toEqual([[], []]);
    expect(namesOf(withoutShape(spec(), MASK).rules)).toHaveLength(3);
  });

  it("are renamed in the rules, too", () => {
    const after = renamed(spec(), LINE, "gate");
    expect([after.lines?.[0]?.name, after.rules?.[0]?.line, after.rules?.[1]?.zone]).toEqual(["gate", "gate", "hall"]);
    expect(renamed(spec(), ZONE, "foyer").rules?.[1]?.zone).toBe("foyer");
    expect(renamed(spec(), MASK, "till").masks?.[0]?.name).toBe("till");
  });

  it("have the first free number", () => {
    expect([freeName([], "zone"), freeName(["zone-1", "zone-3"], "zone")]).toEqual(["zone-1", "zone-2"]);
  });
});

describe("documents", () => {
  it("are the same if only empty lists differ", () => {
    expect(isSame(spec(), { ...spec(), stages: [] })).toBe(true);
    expect(isSame(spec(), renamed(spec(), LINE, "gate"))).toBe(false);
  });

  it("for one device keep the fleet's parts, and only what differs is its own", () => {
    const moved = withPoints(spec(), LINE, [
      [0, 0],
      [1, 1],
    ]);
    const made = documentFor(spec(), moved, "line-7", true);
    expect({ ...made, for: undefined }).toEqual({ ...spec(), for: undefined });
    expect(made.for).toEqual([{ devices: ["line-7"], lines: moved.lines }]);
    expect(documentFor(spec(), spec(), "line-7", true)).toEqual(spec());
  });

  it("for one device drop its older section, not those of others", () => {
    const base = {
      ...spec(),
      for: [
        { devices: ["line-7", "line-8"], masks: [] },
        { devices: ["line-7"], zones: [] },
      ],
    };
    const moved = withPoints(spec(), ZONE, SQUARE.slice(1));
    expect(documentFor(base, moved, "line-7", true).for).toEqual([
      { devices: ["line-8"], masks: [] },
      { devices: ["line-7"], zones: moved.zones },
    ]);
    expect(documentFor(base, spec(), "line-7", false)).toEqual({ ...spec(), for: [{ devices: ["line-8"], masks: [] }] });
  });

  it("for one device take away what it has not", () => {
    const { masks: _, ...bare } = spec();
    expect(documentFor(spec(), bare, "line-7", true).for).toEqual([{ devices: ["line-7"], masks: [] }]);
    expect(documentFor(null, bare, "line-7", true)).toBe(bare);
  });
});

describe("differences", () => {
  const marks = (before: string, after: string): string =>
    diff(before, after)
      .map(({ is, text }) => `${{ same: " ", removed: "-", added: "+" }[is]}${text}`)
      .join("|");

  it("keep the longest common part", () => {
    expect(marks("a\nb\nc\n", "a\nc\n")).toBe(" a|-b| c");
    expect(marks("a\nc", "a\nb\nc")).toBe(" a|+b| c");
    expect(marks("a\nb\nc", "a\nx\nc")).toBe(" a|-b|+x| c");
    expect(marks("a\nb", "a\nb\n\n")).toBe(" a| b");
    expect(marks("a\nb\nc\nd", "b\nd\ne")).toBe("-a| b|-c| d|+e");
  });
});

describe("a fault of the document", () => {
  const problem = { path: ["rules", 1, "min_s"], text: "must not be negative" } as Parameters<typeof problemAt>[0];

  it("is shown at its field and around it, nowhere else", () => {
    expect([problemAt(problem, "rules", 1, "min_s"), problemAt(problem, "rules"), problemAt(problem)]).toEqual(
      Array(3).fill("must not be negative"),
    );
    expect([problemAt(problem, "rules", 0), problemAt(problem, "rules", 1, "min_s", "x"), problemAt(null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
