import { describe, expect, it } from "vitest";
import type { FigureHistory } from "~/api/history";
import { alone, bounds, curvesOf, markText, marksOf, nearer, spanText, tickText } from "~/history/curves";
import { amount, axisText, FIGURES } from "~/history/figures";
import { compareSearch, sharedHistory } from "~/history/search";

const DAY_S = 86_400;
const summary = { count: 2, mean: 2e8, low: 1e8, high: 3e8, p50: 2e8, p95: 3e8 };
const memory = {
  name: "memory_bytes" as const,
  count: [1, 0, 1],
  mean: [1e8, null, 0],
  low: [1e8, null, 0],
  high: [3e8, null, 0],
  p95: [3e8, null, 0],
  summary,
};
const update = { rollout: 3, slot: "detector", package: "spotter", version: "1.1.0" };
const history: FigureHistory = {
  since_at: 0,
  until_at: 3 * DAY_S,
  span_s: 86_400,
  stored_since_at: 0,
  at: [0, DAY_S, 2 * DAY_S],
  devices: [
    { device: "a", figures: [memory], updates: [{ ...update, at: 500, state: "committed" }], updates_left_out: false },
    { device: "b", figures: [], updates: [{ ...update, at: 100, state: "offered" }], updates_left_out: false },
    { device: "c", figures: [memory], updates: [], updates_left_out: false },
  ],
};

describe("the curves of devices", () => {
  it("have the unit that is shown, and gaps where there was no sample", () => {
    const [first] = curvesOf(history, "memory_bytes");
    expect(first?.mean).toEqual([100, null, 0]);
    expect(first?.high).toEqual([300, null, 0]);
  });

  it("belong to the devices that have the figure, each with a colour and a dash of its own", () => {
    const curves = curvesOf(history, "memory_bytes");
    expect(curves.map(({ device }) => device)).toEqual(["a", "c"]);
    expect(new Set(curves.map(({ colour, dash }) => `${colour} ${dash}`)).size).toBe(2);
    expect(curvesOf(history, "fps")).toEqual([]);
  });

  it("show a value that stands alone as a point", () => {
    expect(alone([1, null, 2, 3, null, 0])).toEqual([0, 5]);
    expect(alone([])).toEqual([]);
  });

  it("begin at 0, unless their values are far from it", () => {
    expect(bounds(1, 10)[0]).toBe(0);
    expect(bounds(90, 100)[0]).toBeGreaterThan(80);
    expect(bounds(-5, 5)[0]).toBeLessThan(-5);
    expect(bounds(null, null)).toEqual([0, 1]);
    const [low, high] = bounds(0, 0);
    expect(high).toBeGreaterThan(low);
  });
});

describe("times and units", () => {
  it("name hours and days in the viewer's zone, and days of figures in UTC", () => {
    expect(tickText(6 * 3_600, 3_600)).toMatch(/6/);
    expect(tickText(DAY_S, 3_600)).toMatch(/Jan/);
    expect(tickText(40 * DAY_S, 31 * DAY_S)).toMatch(/1970/);
    expect(spanText(0, 86_400)).toMatch(/1970.*UTC/);
    expect(spanText(3_600, 3_600)).toMatch(/1.*–.*2/);
  });

  it("have the unit of the figure", () => {
    expect([amount("memory_bytes", 2e8), amount("latency_p95_ms", 12), axisText("temperature_c", 40)]).toEqual([
      "200 MB",
      "12 ms",
      "40 °C",
    ]);
    expect(Object.values(FIGURES).every(({ text }) => text[0] === text[0]?.toUpperCase())).toBe(true);
  });
});

describe("the updates of devices", () => {
  it("are in the order of their time", () => {
    expect(marksOf(history).map((mark) => [mark.device, markText(mark)])).toEqual([
      ["b", "spotter 1.1.0: offered"],
      ["a", "spotter 1.1.0: succeeded"],
    ]);
  });
});

describe("the period", () => {
  it("is halved around a point, and stays within what is shown", () => {
    expect(nearer(50, 0, 100)).toEqual({ since: 25, until: 75 });
    expect(nearer(0, 0, 100)).toEqual({ since: 0, until: 50 });
    expect(nearer(100, 0, 100)).toEqual({ since: 50, until: 100 });
  });

  it("is shared as two times", () => {
    expect(sharedHistory({ device: ["a", "b"], figure: "fps", range: "7d" }, 10.5, 20)).toBe(
      "?device=a&device=b&figure=fps&since=10&until=20",
    );
  });

  it("of an address is checked, and names each of six devices once", () => {
    expect(compareSearch({ device: ["a", "b", "a", "c", "d", "e", "f", "g"], figure: "no", range: "night" })).toEqual({
      device: ["a", "b", "c", "d", "e", "f"],
      figure: undefined,
      range: undefined,
      since: undefined,
      until: undefined,
    });
    expect(compareSearch({ device: "a", figure: "cpu_percent", range: "6mo" })).toMatchObject({
      device: ["a"],
      figure: "cpu_percent",
      range: "6mo",
    });
  });
});
