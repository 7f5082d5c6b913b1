import { describe, expect, it } from "vitest";
import type { Setting } from "~/api/server";
import { bounds, formatValue, inputUnit, validationError } from "~/admin/settings";

const setting = (
  unit: Setting["unit"],
  value: Setting["value"],
  edit: Partial<NonNullable<Setting["edit"]>> | null = null,
): Setting =>
  ({
    name: "x",
    unit,
    value,
    edit: edit && { kind: "number", low: 0, high: 100, zero: "", choices: [], ...edit },
  }) as unknown as Setting;

describe("the value of a setting", () => {
  it.each<[Setting, string]>([
    [setting("s", 5_400), "1 h 30 min"],
    [setting("bytes", 2_500_000), "2.5 MB"],
    [setting("bytes_per_s", 1_250_000), "10 Mbit/s"],
    [setting("percent", 5), "5 %"],
    [setting("days", 30), "30 d"],
    [setting("", true as unknown as number), "Yes"],
    [setting("", ""), "None"],
    [setting("bytes_per_s", 0, { zero: "no limit" }), "No limit"],
    [setting("", "one-hour", { kind: "choice" } as Partial<NonNullable<Setting["edit"]>>), "One hour"],
  ])("%j is %s", (of, text) => {
    expect(formatValue(of, of.value)).toBe(text);
  });

  it("is entered in a unit that fits", () => {
    expect(inputUnit(setting("percent", 30))).toEqual({ size: 1, name: " %" });
    expect(inputUnit(setting("bytes_per_s", 1))).toEqual({ size: 125_000, name: " Mbit/s" });
  });

  it("has bounds that are shown when it is out of them", () => {
    const rate = setting("percent", 5, { low: 0, high: 50, zero: "off" });
    expect([bounds(rate), validationError(rate, 50), validationError(rate, 51), validationError(rate, -1)]).toEqual([
      "0 (off) to 50 %",
      "",
      "Allowed: 0 (off) to 50 %",
      "Allowed: 0 (off) to 50 %",
    ]);
  });
});
