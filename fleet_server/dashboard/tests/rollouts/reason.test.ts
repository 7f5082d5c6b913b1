import { describe, expect, it } from "vitest";
import { nowOf, whyOf } from "~/rollouts/reason";

const STOPPED = "gate of wave 'canary': over all waves, 2 of 2 started devices failed, above the tolerated failure rate of 1 %";
const ACCEPTED = ", not counting 3 devices (3 failed) accepted by an operator";

describe("the note on a stopped rollout", () => {
  it("names the gate in its title only", () => {
    expect(whyOf(STOPPED)).toBe("Over all waves, 2 of 2 started devices failed, above the tolerated failure rate of 1 %. ");
    expect(whyOf("gate of wave 'it's': no results.")).toBe("No results. ");
    expect(whyOf("")).toBe("");
  });

  it("says counts once", () => {
    expect(nowOf("2 of 2 reported devices failed", STOPPED)).toBe("");
    expect(nowOf("2 of 2 reported devices failed; 1 restored by an operator", STOPPED)).toBe("Now: 1 restored by an operator. ");
    expect(nowOf("12 of 20 reported devices failed", STOPPED)).toBe("Now: 12 of 20 reported devices failed. ");
    expect(nowOf("2 of 2 reported devices failed", "12 of 2 0")).toBe("Now: 2 of 2 reported devices failed. ");
    expect(nowOf("", STOPPED)).toBe("");
  });

  it("says once which results are left out", () => {
    expect(nowOf(`2 of 5 reported devices failed${ACCEPTED}`, STOPPED + ACCEPTED)).toBe("Now: 2 of 5 reported devices failed. ");
    expect(nowOf(`2 of 5 reported devices failed${ACCEPTED}`, STOPPED)).toBe(`Now: 2 of 5 reported devices failed${ACCEPTED}. `);
  });
});
