import { afterEach, describe, expect, it, vi } from "vitest";
import { fits, readDraft, removeDrafts, writeDraft } from "~/drafts/storage";

/** A storage as a tab has it. */
function tab(limit = Number.POSITIVE_INFINITY): Record<string, string> {
  const held: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => held[key] ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > limit) throw new DOMException("full", "QuotaExceededError");
      held[key] = text;
    },
    removeItem: (key: string) => delete held[key],
  };
  const all = new Proxy(held, { get: (_, key: string) => methods[key as keyof typeof methods] ?? held[key] });
  vi.stubGlobal("sessionStorage", all);
  return held;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a stored draft", () => {
  it("is that of the same thing only", () => {
    tab();
    writeDraft("rule", "ada", { name: "hot" });
    expect(readDraft("rule", "ada")).toEqual({ name: "hot" });
    expect([readDraft("rule", "bob"), readDraft("group", "ada")]).toEqual([undefined, undefined]);
  });

  it("is nothing if it is damaged, does not fit the storage, or the browser has none", () => {
    const held = tab(60);
    held["edgefleet-draft:rule"] = "{";
    expect(readDraft("rule", "")).toBeUndefined();
    writeDraft("rule", "", { name: "x".repeat(100) });
    expect(Object.keys(held)).toEqual([]);
    vi.stubGlobal("sessionStorage", undefined);
    writeDraft("rule", "", {});
    expect(readDraft("rule", "")).toBeUndefined();
  });

  it("goes with all others, and nothing else goes", () => {
    const held = tab();
    held.other = "stays";
    writeDraft("rule", "", 1);
    writeDraft("group", "", 2);
    removeDrafts();
    expect(Object.keys(held)).toEqual(["other"]);
  });
});

describe("the form of a draft", () => {
  it.each([
    [{ name: "a", gate: { soak_s: 5 } }, true],
    [{ name: "a", gate: { soak_s: "5" } }, false],
    [{ name: "a", gate: {} }, false],
    [{ name: "a", gate: { soak_s: 5, more: 1 } }, false],
    [{ name: null, gate: null }, true],
    [{ name: ["a"], gate: { soak_s: 5 } }, false],
    ["text", false],
  ])("%j", (stored, same) => {
    expect(fits(stored, { name: "", gate: { soak_s: 600 } })).toBe(same);
  });
});
