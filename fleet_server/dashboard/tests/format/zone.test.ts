import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const AT = Date.UTC(2026, 10, 27, 23, 5) / 1000;

/** The modules as a page of this zone loads them. */
async function load(utc: boolean) {
  vi.resetModules();
  const { chooseZone } = await import("~/format/zone");
  expect(chooseZone(utc)).toBe(true);
  vi.resetModules();
  return { ...(await import("~/format/zone")), ...(await import("~/format/time")), ...(await import("~/range/times")) };
}

describe.each([
  { utc: true, text: "2026-11-27T23:05", night: "2026-11-26T22:00" },
  { utc: false, text: "2026-11-28T07:05", night: "2026-11-27T22:00" },
])("with times in UTC $utc, eight hours east of it", ({ utc, text, night }) => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = "Asia/Singapore";
    const stored = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });
  afterEach(() => {
    process.env.TZ = zone;
    vi.unstubAllGlobals();
  });

  it("fields, texts and nights agree", async () => {
    const page = await load(utc);
    expect(page.isUtc).toBe(utc);
    expect(page.fieldText(AT)).toBe(text);
    expect(page.fieldTime(text)).toBe(AT);
    expect(page.momentAt(page.clockOf(AT))).toBe(AT);
    expect(page.absolute(AT)).toContain(utc ? "UTC" : "8");
    expect(page.clockShort(AT)).toContain(text.slice(14));
    expect(page.fieldText(page.lastNight(AT).since)).toBe(night);
  });

  it("a field that is empty or not whole is no moment", async () => {
    const { fieldTime } = await load(utc);
    expect([fieldTime(""), fieldTime("soon")]).toEqual([undefined, undefined]);
  });
});
