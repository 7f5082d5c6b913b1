import { describe, expect, it } from "vitest";
import type { RolloutDefaults, RolloutTemplate } from "~/api/types";
import { emptyPlan, fromTemplate, missing, type Plan, previewOf, requestOf, selectorOf, titleOf, wave } from "~/wizard/plan";
import { sentencesOf } from "~/wizard/sentences";

const DEFAULTS = {
  waves: [{ name: "canary", percent: 5 }, { name: "quarter", percent: 25 }, { name: "rest" }],
  gate: {
    error_percent_max: 5,
    reported_min: 3,
    offline_s: 300,
    soak_s: 600,
    test: "both",
    tolerated_percent: null,
    confidence_percent: 99,
    frames_required: false,
    regressions: {
      latency_percent: 50,
      dropped_points: 10,
      confidence_points: 10,
      temperature_c: 10,
      detections_factor: 5,
      memory_percent: 100,
      memory_mb_per_hour: 200,
      samples_min: 5,
      agreement_percent_min: null,
    },
  },
  policy: { trial_s: 20, trial_frames_min: 10, shadow_s: 60, shadow_agreement_percent_min: 30 },
  terms: { retry: { tries_max: 3, back_off_s: 60, factor: 4 }, rate: null, window: null, follow: false, prestage: false },
  wave_timeout_s: 3_600,
  priority: 500,
} as unknown as RolloutDefaults;

const plan = (more: Partial<Plan> = {}): Plan => ({ ...emptyPlan(DEFAULTS, "conveyor", "1.1.0"), ...more });
const lines = (of: Plan, title: string): string =>
  sentencesOf(of, [])
    .find((each) => each.title === title)
    ?.lines.join(" ") ?? "";

describe("a new plan", () => {
  it("has all devices, or the group that a link named", () => {
    expect([selectorOf(emptyPlan(DEFAULTS)), selectorOf(emptyPlan(DEFAULTS, "a", "1", "pilots"))]).toEqual([
      { all: true, ids: [], labels: {} },
      { all: false, ids: [], labels: {}, group: "pilots" },
    ]);
  });

  it("has waves with keys of their own", () => {
    const ids = [...emptyPlan(DEFAULTS).waves, ...emptyPlan(DEFAULTS).waves].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });

  it("has the numbers of the server, none of its own", () => {
    const gate = { ...DEFAULTS.gate, soak_s: 7_777, error_percent_max: 0.5, offline_s: 77 };
    const terms = { ...DEFAULTS.terms, retry: { ...DEFAULTS.terms.retry, tries_max: 9 } };
    const other = emptyPlan({
      ...DEFAULTS,
      gate,
      terms,
      policy: { trial_s: 7, trial_frames_min: 1, shadow_s: 0, shadow_agreement_percent_min: 30 },
      wave_timeout_s: 99,
    });
    expect(other.gate).toMatchObject({ soak_s: 7_777, error_percent_max: 0.5, offline_s: 77, tolerated_percent: 0.5 });
    expect([other.trial_s, other.trial_frames_min, other.wave_timeout_s, other.terms.tries_max]).toEqual([7, 1, 99, 9]);
  });
});

describe("the first thing that is missing", () => {
  it.each<[string, number, Partial<Plan>, RegExp]>([
    ["a version", 0, { version: "" }, /model and a version/],
    ["a slot", 0, { slot: "" }, /slot/],
    ["nothing to install", 0, {}, /^$/],
    ["labels", 1, { who: "labels" }, /one label/],
    ["a query", 1, { who: "query", query: " " }, /query/],
    ["a group", 1, { who: "group" }, /group/],
    ["devices", 1, { who: "ids" }, /one device/],
    ["nothing of all devices", 1, { who: "all" }, /^$/],
    ["waves", 2, { waves: [] }, /one wave/],
    ["a name", 2, { waves: [wave(" ", 5, "percent"), wave("rest", 5, "percent")] }, /name for every/],
    ["another name", 2, { waves: [wave("a", 5, "percent"), wave("a ", 5, "percent")] }, /unique/],
    ["labels of a wave", 2, { waves: [wave("pilots", 0, "labels"), wave("rest", 0, "percent")] }, /labels of wave pilots/],
    [
      "room for the last wave",
      2,
      { waves: [wave("a", 60, "percent"), wave("b", 40, "percent"), wave("rest", 1, "percent")] },
      /less than 100 %/,
    ],
    [
      "nothing: the size of the last wave is ignored",
      2,
      { waves: [wave("a", 60, "percent"), wave("rest", 70, "percent")] },
      /^$/,
    ],
    ["nothing: counts are no shares", 2, { waves: [wave("a", 500, "count"), wave("rest", 1, "percent")] }, /^$/],
  ])("is %s", (_, step, more, text) => {
    expect(missing(plan(more), step)).toMatch(text);
  });

  it.each(["24:00", "7:30", "22:60", "", "22:00 "])("is a time of day where the window begins at %j", (window_start) => {
    const terms = { ...plan().terms, window: true, window_start };
    expect(missing(plan({ terms }), 2)).toMatch(/HH:MM/);
    expect(missing(plan({ terms: { ...terms, window: false } }), 2)).toBe("");
  });
});

describe("the request", () => {
  it("has sizes of all waves but the last", () => {
    const waves = [
      wave("canary", 3, "count", { approval: true }),
      wave("site", 0, "labels", { labels: ["site=lyon", "ring= main"] }),
      wave("quarter", 25, "percent"),
      wave("rest", 99, "percent"),
    ];
    expect(previewOf(plan({ waves })).waves).toEqual([
      { name: "canary", approval: true, labels: {}, count: 3 },
      { name: "site", approval: false, labels: { site: "lyon", ring: "main" } },
      { name: "quarter", approval: false, labels: {}, percent: 25 },
      { name: "rest", approval: false, labels: {} },
    ]);
  });

  it("has no rate, window or regressions if they are off", () => {
    const bare = requestOf(plan({ regressions: { ...plan().regressions, on: false } }), false);
    expect([bare.terms?.rate, bare.terms?.window, bare.gate?.regressions, bare.start]).toEqual([null, null, null, false]);
    const terms = { ...plan().terms, ramp: true, window: true, window_days: ["5", "6"], timezone: "Europe/Paris" };
    const full = requestOf(plan({ terms }), true);
    expect(full.terms?.rate).toEqual({ per_minute: 50, factor: 2, grow_after: 200, per_minute_max: 1000 });
    expect(full.terms?.window).toEqual({ start: "22:00", end: "05:00", days: [5, 6], timezone: "Europe/Paris" });
    expect(full.gate?.regressions).not.toHaveProperty("on");
    expect(full.gate?.regressions).toMatchObject({ latency_percent: 50, samples_min: 5 });
  });

  it("has a name, of the version if none is given", () => {
    expect([titleOf(plan()), titleOf(plan({ name: "  Gears  " }))]).toEqual(["conveyor 1.1.0", "Gears"]);
    expect(requestOf(plan({ name: " Gears " }), true)).toMatchObject({
      name: "Gears",
      priority: 500,
      wave_timeout_s: 3_600,
      start: true,
    });
  });

  it("selects devices by labels or ids", () => {
    expect(selectorOf(plan({ who: "labels", labels: ["site=lyon", "ring=a=b"] }))).toMatchObject({
      all: false,
      labels: { site: "lyon", ring: "a=b" },
    });
    expect(selectorOf(plan({ who: "query", query: " agent < 0.3 " }))).toMatchObject({ all: false, query: "agent < 0.3" });
    expect(selectorOf(plan({ who: "ids", ids: ["line-7"] }))).toMatchObject({ all: false, ids: ["line-7"], labels: {} });
  });
});

describe("a template", () => {
  const template = (more: Record<string, unknown>): RolloutTemplate =>
    ({
      name: "careful",
      title: "",
      text: "",
      waves: [
        { name: "canary", count: 1 },
        { name: "site", labels: { site: "lyon" }, approval: true },
        { name: "rest", percent: 70 },
      ],
      gate: { soak_s: 3_600 },
      policy: {},
      terms: {},
      ...more,
    }) as unknown as RolloutTemplate;

  it("fills the plan, with the server's defaults in its gaps", () => {
    const made = fromTemplate(template({}), DEFAULTS);
    expect(made.waves?.map(({ name, amount, unit, labels, approval }) => [name, amount, unit, labels, approval])).toEqual([
      ["canary", 1, "count", [], false],
      ["site", 10, "labels", ["site=lyon"], true],
      ["rest", 70, "percent", [], false],
    ]);
    expect(made.gate).toEqual({
      error_percent_max: 5,
      tolerated_percent: 1,
      confidence_percent: 99,
      reported_min: 3,
      soak_s: 3_600,
      offline_s: 300,
      test: "both",
      frames_required: false,
    });
    expect([made.terms?.ramp, made.trial_s, made.trial_frames_min, made.template]).toEqual([false, 20, 10, "careful"]);
  });

  it("with a rate turns the ramp on; a zero of a template is no gap", () => {
    const made = fromTemplate(
      template({
        gate: { soak_s: 0, tolerated_percent: 0 },
        terms: { rate: { per_minute: 5, factor: 1, grow_after: 100, per_minute_max: 1000 } },
        policy: { trial_s: 0 },
      }),
      DEFAULTS,
    );
    expect(made.terms).toMatchObject({ ramp: true, per_minute: 5, ramp_factor: 1, grow_after: 100, per_minute_max: 1000 });
    expect([made.gate?.soak_s, made.gate?.tolerated_percent, made.trial_s]).toEqual([0, 0, 0]);
  });

  it("returns to the request that it was made of", () => {
    const request = requestOf(plan(fromTemplate(template({}), DEFAULTS)), true);
    expect(request.waves?.map((each) => [each.name, each.count, each.percent, each.labels])).toEqual([
      ["canary", 1, undefined, {}],
      ["site", undefined, undefined, { site: "lyon" }],
      ["rest", undefined, undefined, {}],
    ]);
  });
});

describe("the summary", () => {
  it("says who gets what, and when", () => {
    expect(lines(plan({ who: "ids", ids: ["a"] }), "Version and devices")).toContain(
      "conveyor 1.1.0 is installed in slot detector of 1 selected device.",
    );
    expect(lines(plan({ who: "labels", labels: ["a=1", "b=2"] }), "Version and devices")).toContain(
      "all devices with a=1 and b=2",
    );
    expect(lines(plan(), "Waves")).toBe(
      "1. canary: 5 % of the devices. 2. quarter: 25 % of the devices. 3. rest: all remaining devices. Each wave soaks for 10 min after its last device has finished. Wave timeout: 1 h.",
    );
    expect(lines(plan({ waves: [wave("a", 1, "count", { approval: true }), wave("rest", 1, "percent")] }), "Waves")).toContain(
      "1. a: 1 device, after approval.",
    );
  });

  it("has the gate's rule in the server's words", () => {
    const gate = sentencesOf(plan(), ["Half of the devices decide."]).find(({ title }) => title === "Gate");
    expect(gate?.lines).toEqual(["Half of the devices decide."]);
  });

  it("has the days of the window in their order, and a priority only if it is another", () => {
    const terms = { ...plan().terms, window: true, window_days: ["6", "0"] };
    expect(lines(plan({ terms }), "Schedule and rate")).toMatch(/22:00 and 05:00, Mon\w*, Sun\w*, in local time/);
    expect(lines(plan(), "Schedule and rate")).not.toContain("Priority");
    expect(lines(plan({ priority: 900 }), "Schedule and rate")).toContain("Priority 900");
  });

  it("of a device says what counts as failed", () => {
    const off = { ...plan().regressions, on: false };
    expect(lines(plan({ regressions: off }), "On each device")).toContain("Regressions after the update are not checked");
    expect(lines(plan({ regressions: { ...plan().regressions, on: true, temperature_c: 12 } }), "On each device")).toContain(
      "temperature is over 12 °C higher",
    );
    expect(lines(plan({ terms: { ...plan().terms, tries_max: 1 } }), "On each device")).toContain("Failures are not retried.");
  });
});
