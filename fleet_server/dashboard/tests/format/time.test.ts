import { describe, expect, it } from "vitest";
import { inLocale } from "../locale";
import { ago, inUnit, span, unitOf } from "~/format/time";

const AT = Date.UTC(2026, 10, 5, 15, 4, 9) / 1000;
/** ICU separates the time from AM by a narrow space. */
const plain = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, " ");

describe("durations", () => {
  it.each([
    [0, "0 s"],
    [-5, "0 s"],
    [0.4, "0 s"],
    [47.6, "48 s"],
    [59.6, "1 min"],
    [119, "1 min"],
    [180, "3 min"],
    [3_599, "59 min"],
    [3_600, "1 h"],
    [4_800, "1 h 20 min"],
    [7_260, "2 h 1 min"],
    [3 * 3_600 + 1_800, "3 h"],
    [86_400, "1 d"],
    [1.5 * 86_400, "1 d 12 h"],
    [12.9 * 86_400, "12 d"],
    [365 * 86_400, "1 y"],
    [400 * 86_400, "1 y 35 d"],
  ])("%d s", (seconds, text) => {
    expect(span(seconds)).toBe(text);
  });

  it("are ages, too; a clock that is ahead shows no negative one", () => {
    expect([ago(100, 101.5), ago(100, 102), ago(100, 280), ago(200, 100)]).toEqual(["now", "2 s ago", "3 min ago", "now"]);
  });
});

describe("durations that are entered", () => {
  it.each([
    [0, "s"],
    [90, "s"],
    [600, "min"],
    [5_400, "min"],
    [3_600, "h"],
    [172_800, "d"],
    [0.6, "s"],
  ])("%d s are entered in %s", (seconds, unit) => {
    expect(unitOf(seconds)).toBe(unit);
  });

  it("have two decimals at most in another unit", () => {
    expect([inUnit(5_400, "h"), inUnit(100, "h"), inUnit(45, "min")]).toEqual([1.5, undefined, 0.75]);
  });
});

describe("dates", () => {
  it("are with a time that is not of today", async () => {
    const { clockTime, date } = await inLocale("en-GB", () => import("~/format/time"));
    expect([clockTime(AT, AT + 60), clockTime(AT, AT + 86_400), date(AT)]).toEqual([
      "15:04:09",
      "5 Nov 2026, 15:04:09",
      "5 Nov 2026",
    ]);
  });

  it("name their time zone", async () => {
    const { absolute, dateTime } = await inLocale("en-GB", () => import("~/format/time"));
    expect([plain(absolute(AT)), plain(dateTime(AT))]).toEqual(["5 Nov 2026, 15:04:09 UTC", "5 Nov 2026, 15:04:09"]);
  });

  it.each([
    ["en-US", "Nov 5, 03:04 PM", "3:04:09 PM"],
    ["de-DE", "5. Nov., 15:04", "15:04:09"],
    ["sv-SE", "5 nov. 15:04", "15:04:09"],
  ])("are those of %s", async (locale, day, clock) => {
    const { clockTime, dayTime } = await inLocale(locale, () => import("~/format/time"));
    expect([plain(dayTime(AT)), plain(clockTime(AT, AT + 60))]).toEqual([day, clock]);
  });
});
