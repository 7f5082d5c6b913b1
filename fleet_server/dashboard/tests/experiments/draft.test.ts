import { describe, expect, it } from "vitest";
import {
  type ArmDraft,
  armOf,
  type Draft,
  emptyDraft,
  FIGURES,
  missing,
  requestOf,
  sentencesOf,
  titleOf,
} from "~/experiments/draft";
import { consequences, figureNumber, interval } from "~/experiments/format";
import type { Experiment } from "~/api/types";

const arms = (...versions: string[]): ArmDraft[] => versions.map((version, at) => armOf(at, version));
const draft = (more: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  package: "gears",
  arms: arms("1.0.0", "1.1.0"),
  ...more,
});

describe("the first thing that is missing of an experiment", () => {
  it.each<[number, Partial<Draft>, RegExp]>([
    [0, { package: "" }, /model and a version/],
    [0, { arms: arms("1.0.0", "") }, /model and a version/],
    [0, { arms: arms("1.0.0", "1.0.0") }, /different versions/],
    [0, { arms: [armOf(0, "1"), { ...armOf(1, "2"), name: "B!" }] }, /lowercase/],
    [0, { arms: [armOf(0, "1"), { ...armOf(1, "2"), name: "a" }] }, /unique/],
    [0, { slot: "" }, /slot/],
    [0, {}, /^$/],
    [1, { who: "group" }, /group/],
    [1, {}, /^$/],
    [1, { split: "label" }, /label to split by/],
    [1, { split: "label", label_key: "ring" }, /value for every arm/],
    [
      1,
      { split: "label", label_key: "ring", arms: arms("1", "2").map((arm) => ({ ...arm, value: " x " })) },
      /different label values/,
    ],
    [1, { split: "label", label_key: "ring", arms: arms("1", "2").map((arm) => ({ ...arm, value: arm.name })) }, /^$/],
    [2, { compared: [] }, /one metric/],
    [2, {}, /^$/],
  ])("in step %d of %j", (step, more, text) => {
    expect(missing(draft(more), step)).toMatch(text);
  });
});

describe("the request of an experiment", () => {
  it("has shares of a hash, or values of a label, not both", () => {
    const unequal = arms("1", "2").map((arm, at) => ({ ...arm, share: at + 1, value: ` ${arm.name} ` }));
    expect(requestOf(draft({ arms: unequal }), undefined).arms).toMatchObject([
      { share: 1, value: "" },
      { share: 2, value: "" },
    ]);
    const byLabel = requestOf(draft({ arms: unequal, split: "label", label_key: " ring " }), undefined);
    expect(byLabel).toMatchObject({
      label_key: "ring",
      arms: [
        { share: 1, value: "a" },
        { share: 1, value: "b" },
      ],
    });
    expect(requestOf(draft(), undefined).label_key).toBeNull();
  });

  it("names metrics only if some are left out", () => {
    expect(requestOf(draft(), undefined).compared).toEqual([]);
    expect(requestOf(draft({ compared: ["confidence"], review_after_days: 2 }), undefined)).toMatchObject({
      compared: ["confidence"],
      review_after_s: 172_800,
    });
    expect(FIGURES).toContain("latency_p95_ms");
  });

  it("has a title with all versions, of 120 characters at most", () => {
    expect([titleOf(draft()), titleOf(draft({ name: " Gears " }))]).toEqual(["gears 1.0.0 vs. 1.1.0", "Gears"]);
    expect(titleOf(draft({ package: "g".repeat(200) }))).toHaveLength(120);
  });
});

describe("the summary of an experiment", () => {
  it("has the share of each arm", () => {
    const unequal = arms("1", "2").map((arm, at) => ({ ...arm, share: [1, 3][at] ?? 1 }));
    expect(sentencesOf(draft({ arms: unequal }), undefined)[0]?.lines).toEqual([
      "Arm a: gears 1 in slot detector, on 25 % of the devices.",
      "Arm b: gears 2 in slot detector, on 75 % of the devices.",
    ]);
  });
});

describe("results", () => {
  it("have three figures, and their interval if it is known", () => {
    expect([figureNumber(0.0012345), figureNumber(1234.5), figureNumber(0)]).toEqual(["0.00123", "1,230", "0"]);
    expect(interval({ value: 12.345, low: 11, high: 13.999 })).toBe("12.3 (11 to 14)");
    expect(interval({ value: 12.345, low: null, high: null })).toBe("12.3");
  });

  it("are chosen with what follows for the devices", () => {
    const arm = (name: string, devices: number, on_version: number, rollout_state: string) => ({
      name,
      package: "gears",
      version: `1.${name}`,
      devices,
      on_version,
      rollout_state,
    });
    const experiment = { arms: [arm("a", 10, 9, "completed"), arm("b", 10, 4, "running")] } as unknown as Experiment;
    expect(consequences(experiment, "b")).toEqual([
      "16 devices of 20 are updated to gears 1.b by a new rollout: 10 % first, then the rest.",
      "1 active rollout is aborted.",
      "The results are kept; the experiment cannot be resumed.",
    ]);
    expect(consequences(experiment, "")[0]).toBe("All devices keep their current version.");
  });
});
