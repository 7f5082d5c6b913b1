import { describe, expect, it } from "vitest";
import { barAt, between, moved, timeOf } from "~/events/bars";

describe("a part of the histogram", () => {
  it("begins and ends with the bars below the pointer", () => {
    expect([barAt(-5, 600, 60), barAt(0, 600, 60), barAt(599, 600, 60), barAt(700, 600, 60), barAt(3, 0, 60)]).toEqual([
      0, 0, 59, 59, 59,
    ]);
    expect([between(3, 7), between(7, 3), between(4, 4)]).toEqual([
      { from: 3, to: 8 },
      { from: 3, to: 8 },
      { from: 4, to: 5 },
    ]);
  });

  it.each([
    ["from", "ArrowRight", { from: 11, to: 20 }],
    ["from", "PageUp", { from: 19, to: 20 }],
    ["from", "Home", { from: 0, to: 20 }],
    ["to", "ArrowLeft", { from: 10, to: 19 }],
    ["to", "PageDown", { from: 10, to: 11 }],
    ["to", "End", { from: 10, to: 60 }],
    ["to", "a", undefined],
  ] as const)("is changed at %s by %s", (end, key, bars) => {
    expect(moved({ from: 10, to: 20 }, end, key, 60)).toEqual(bars);
  });

  it("has the times of its bars", () => {
    const period = { since_at: 1_000, until_at: 1_600 };
    expect([timeOf(0, 60, period), timeOf(6, 60, period), timeOf(60, 60, period)]).toEqual([1_000, 1_060, 1_600]);
  });
});
