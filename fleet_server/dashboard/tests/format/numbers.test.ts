import { describe, expect, it } from "vitest";
import { inLocale } from "../locale";

const numbers = (locale: string) => inLocale(locale, () => import("~/format/numbers"));

describe("numbers in English", async () => {
  const {
    bytes,
    capital,
    compact,
    count,
    degrees,
    figures,
    fixed,
    many,
    milliseconds,
    percent,
    percentOf,
    plain,
    rounded,
    short,
    signed,
    signedPercent,
  } = await numbers("en-GB");

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null as unknown as number])(
    "%d is shown as missing",
    (value) => {
      for (const form of [bytes, count, degrees, milliseconds, percentOf, short]) expect(form(value)).toBe("–");
      expect(fixed(value, 2)).toBe("–");
      expect(percent(Number.NaN, 1)).toBe("–");
      expect(many(Number.NaN, "device")).toBe("– devices");
    },
  );

  it.each([
    [0, "0"],
    [0.004, "0"],
    [-0.004, "0"],
    [0.456, "0.46"],
    [4.2, "4.2"],
    [9.994, "9.99"],
    [31.54, "31.5"],
    [99.96, "100"],
    [248.4, "248"],
    [-31.54, "-31.5"],
    [12_345.6, "12,346"],
  ])("%d is shown with three figures at most", (value, text) => {
    expect(short(value)).toBe(text);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1 kB"],
    [1_049, "1.05 kB"],
    [41_500, "41.5 kB"],
    [999_499, "999 kB"],
    [999_950, "1 MB"],
    [4_210_000, "4.21 MB"],
    [7.5e12, "7.5 TB"],
    [7.5e15, "7,500 TB"],
  ])("%d bytes have a unit with less than a thousand of it", (value, text) => {
    expect(bytes(value)).toBe(text);
  });

  it.each([
    [0, 0, "–"],
    [0, 7, "0 %"],
    [1, 1_000, "< 1 %"],
    [1, 3, "33 %"],
    [999, 1_000, "> 99 %"],
    [1_000, 1_000, "100 %"],
  ])("%d of %d is neither nothing nor all unless it is", (part, all, text) => {
    expect(percent(part, all)).toBe(text);
  });

  it("one has its own word", () => {
    expect([many(0, "device"), many(1, "device"), many(12_000, "device")]).toEqual(["0 devices", "1 device", "12,000 devices"]);
    expect([many(1, "device is", "devices are"), many(2, "device is", "devices are")]).toEqual(["1 device is", "2 devices are"]);
  });

  it("keep what was entered, and three figures of small ones", () => {
    expect([plain(0.00312), plain(12_345.5), rounded(0.1 + 0.2), figures(0.0031249), figures(12_345)]).toEqual([
      "0.00312",
      "12,345.5",
      0.3,
      "0.00312",
      "12,300",
    ]);
  });

  it("of differences have a sign, and large ones on small places are brief", () => {
    expect([signed(2.5), signed(-2.5), signed(0), signedPercent(-12.34), signed(Number.NaN)]).toEqual([
      "+2.5",
      "−2.5",
      "±0",
      "−12.3 %",
      "–",
    ]);
    expect([compact(9_999), compact(12_345)]).toEqual(["9,999", "12k"]);
  });

  it("units follow after a space", () => {
    expect([percentOf(2.5), milliseconds(120.4), count(1e6)]).toEqual(["2.5 %", "120 ms", "1,000,000"]);
    expect([capital("worker"), capital("")]).toEqual(["Worker", ""]);
  });
});

describe("numbers in other languages", () => {
  it("have the marks of German, whatever their size", async () => {
    const { bytes, count, degrees, fixed, MARKS, short } = await numbers("de-DE");
    expect([short(4.21), short(31.5), count(12_345), bytes(4_210_000)]).toEqual(["4,21", "31,5", "12.345", "4,21 MB"]);
    expect([fixed(0.5, 2), fixed(1_234, 1), degrees(1_500.4)]).toEqual(["0,50", "1.234,0", "1.500 °C"]);
    expect(MARKS).toEqual({ thousandSeparator: ".", decimalSeparator: "," });
  });

  it("have the digits of India's groups and of Arabic", async () => {
    expect((await numbers("en-IN")).count(12_345_678)).toBe("1,23,45,678");
    expect((await numbers("ar-EG")).short(4.5)).toBe("٤٫٥");
  });
});
