import { describe, expect, it } from "vitest";
import { ACTIONS, bodyOf, type Details, missingInput } from "~/device/bulk/actions";

const details = (more: Partial<Details> = {}): Details => ({
  labels: [],
  removed: [],
  group: "",
  slot: "detector",
  reason: "",
  ...more,
});
const action = (key: string) => {
  const found = ACTIONS.find((each) => each.key === key);
  if (!found) throw new Error(key);
  return found;
};

describe("an action on many devices", () => {
  it.each<[string, Partial<Details>, RegExp]>([
    ["label", {}, /label to set or remove/],
    ["label", { removed: ["site"] }, /^$/],
    ["group", { group: "Pilots" }, /lowercase/],
    ["group", { group: "" }, /group name/],
    ["group", { group: "pilots-2.eu_a" }, /^$/],
    ["pin", { slot: "" }, /slot/],
    ["unpin", { slot: "" }, /slot/],
    ["restart", { slot: "" }, /^$/],
  ])("%s with %j", (key, more, text) => {
    expect(missingInput(action(key), details(more))).toMatch(text);
  });

  it("has a body without what it does not need", () => {
    expect(bodyOf("label", details({ labels: ["site=a=b"], removed: ["ring"] }))).toEqual({
      action: "label",
      labels: { ring: null, site: "a=b" },
    });
    expect(bodyOf("block", details({ reason: "stolen" }))).toEqual({ action: "block", slot: null, reason: "stolen" });
    expect(bodyOf("pin", details())).toEqual({ action: "pin", slot: "detector", reason: "" });
    expect([bodyOf("release", details()), bodyOf("restart", details())]).toEqual([
      { action: "release" },
      { action: "command", op: "restart" },
    ]);
  });

  it("that cannot be undone has a limit and is for administrators only if it deletes", () => {
    expect(ACTIONS.filter(({ isDestructive }) => isDestructive).map(({ key, max, role }) => [key, max, role])).toEqual([
      ["block", 500, "operator"],
      ["decommission", 500, "admin"],
    ]);
    expect(action("decommission").consequences(1)[0]).toMatch(/^1 device is removed/);
    expect(action("decommission").consequences(12)[0]).toMatch(/^12 devices are removed/);
  });
});
