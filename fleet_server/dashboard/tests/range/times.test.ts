import { describe, expect, it } from "vitest";
import { isOpen, lastNight, presetOf, rangeOf, timesOf, wider } from "~/range/times";

const NOW = 1_800_000_000;
const local = (text: string): number => new Date(text).getTime() / 1000;

describe("the period of a page", () => {
  it("is the last 24 hours, the preset of the address, or its two times", () => {
    expect(rangeOf({}, NOW)).toEqual({ since: NOW - 86_400, until: null });
    expect(rangeOf({ range: "1h" }, NOW)).toEqual({ since: NOW - 3_600, until: null });
    expect(rangeOf({ range: "6mo" }, NOW)).toEqual({ since: NOW - 183 * 86_400, until: null });
    expect(rangeOf({ range: "1h", since: 100, until: 200 }, NOW)).toEqual({ since: 100, until: 200 });
    expect(rangeOf({ since: 100 }, NOW)).toEqual({ since: 100, until: null });
    expect(rangeOf({ since: 200, until: 200 }, NOW).until).toBeNull();
  });

  it("names the preset only where its times count", () => {
    expect([presetOf({}), presetOf({ range: "7d" }), presetOf({ since: 1, until: 2 }), presetOf({ since: 2, until: 1 })]).toEqual(
      ["24h", "7d", undefined, "24h"],
    );
  });

  it.each([
    ["2026-11-27T14:00", "2026-11-26T22:00", "2026-11-27T06:00"],
    ["2026-11-27T03:00", "2026-11-26T22:00", "2026-11-27T06:00"],
    ["2026-11-27T23:30", "2026-11-26T22:00", "2026-11-27T06:00"],
    ["2026-03-01T12:00", "2026-02-28T22:00", "2026-03-01T06:00"],
  ])("at %s, last night is from %s to %s", (now, since, until) => {
    expect(lastNight(local(now))).toEqual({ since: local(since), until: local(until) });
  });

  it("is open to new events up to its end", () => {
    expect([isOpen({ since: 0, until: null }, NOW), isOpen({ since: 0, until: NOW + 1 }, NOW)]).toEqual([true, true]);
    expect(isOpen({ since: 0, until: NOW - 1 }, NOW)).toBe(false);
  });

  it("is doubled around its middle, and moved back where that would be after now", () => {
    expect(wider({ since: 1_000, until: 2_000 }, NOW)).toEqual({ since: 500, until: 2_500 });
    expect(wider({ since: NOW - 100, until: null }, NOW)).toEqual({ since: NOW - 200, until: NOW });
    expect(wider({ since: 10, until: 20 }, NOW).since).toBe(0);
  });

  it("is in the address in whole seconds around it", () => {
    expect(timesOf(10.7, 20.2)).toEqual({ range: undefined, since: 10, until: 21 });
  });
});
