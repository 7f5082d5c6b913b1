import { describe, expect, it } from "vitest";
import { fieldText } from "~/format/zone";
import { describeSnooze, momentOf } from "~/alerts/snoozes";

describe("a snooze", () => {
  it("says which alerts it is about", () => {
    expect(describeSnooze({ rule_name: "hot", group: "lyon", device: null })).toBe("Rule hot, Group lyon");
    expect(describeSnooze({ rule_name: "", group: null, device: "dev-1" })).toBe("Device dev-1");
  });

  it("has a time that an input shows and gives back, to the minute", () => {
    const at = 1_795_760_040;
    expect(fieldText(at)).toMatch(/^2026-11-2\dT\d\d:\d\d$/);
    expect(momentOf(fieldText(at), 0)).toBe(at);
    expect([momentOf(fieldText(at), at), momentOf("", 0)]).toEqual([null, null]);
  });
});
