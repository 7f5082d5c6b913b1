import { describe, expect, it } from "vitest";
import { ATTEMPT_STATES, type AttemptRow, type AttemptState, type Outcomes, type Rollout, type Wave } from "~/api/types";
import { ATTEMPT_STATE, attemptLabel, doneOf, isLive, PHASES, phaseCounts, resultLabel } from "~/format/rollouts";
import { consequences, mainAction, skipConsequences } from "~/rollouts/consequences";

const NONE: Outcomes = {
  queued: 0,
  fetching: 0,
  staged: 0,
  trial: 0,
  succeeded: 0,
  untried: 0,
  unproven: 0,
  already_installed: 0,
  failed: 0,
  faulted: 0,
  restored: 0,
  superseded: 0,
  cancelled: 0,
  incompatible: 0,
};

describe("progress", () => {
  it("has each outcome of an attempt in one segment", () => {
    const outcomes = PHASES.flatMap((phase) => phase.outcomes);
    expect([...outcomes].sort()).toEqual(Object.keys(NONE).sort());
    expect(new Set(outcomes).size).toBe(outcomes.length);
    expect(Object.keys(ATTEMPT_STATE).sort()).toEqual([...ATTEMPT_STATES].sort());
  });

  it("counts the outcomes of a segment", () => {
    const counts = phaseCounts({
      ...NONE,
      succeeded: 4,
      already_installed: 1,
      untried: 7,
      failed: 2,
      faulted: 3,
      restored: 6,
      staged: 1,
    });
    expect(Object.fromEntries(counts.map(({ key, value }) => [key, value]))).toEqual({
      done: 5,
      untried: 7,
      trial: 0,
      staged: 1,
      fetching: 0,
      failed: 2,
      faulted: 3,
      restored: 6,
      left: 0,
      queued: 0,
    });
  });

  it("of a device names whose fault it was", () => {
    const label = (outcome: AttemptRow["outcome"], against: AttemptRow["against"]) =>
      resultLabel({ state: "rolled_back", outcome, against }).text;
    expect([label("failed", "version"), label("restored", "operator"), label("faulted", "device")]).toEqual([
      "Rolled back",
      "Restored",
      "Device fault",
    ]);
    expect([label("faulted", "line"), label("faulted", "operator")]).toEqual(["Transfer fault", "Set-up fault"]);
  });

  it("of states of a newer server is shown by their names", () => {
    expect([attemptLabel("trial").text, attemptLabel("cooling_down" as AttemptState)]).toEqual([
      "On trial",
      { text: "cooling down", tone: "off" },
    ]);
    expect(
      ["draft", "running", "paused", "aborting", "rolling_back", "completed"].filter((state) =>
        isLive(state as Rollout["state"]),
      ),
    ).toEqual(["running", "aborting", "rolling_back"]);
  });
});

const wave = (index: number, state: Wave["state"], counts: Partial<Outcomes>, more: Partial<Wave> = {}): Wave =>
  ({
    index,
    name: `wave-${index}`,
    state,
    outcomes: { ...NONE, ...counts },
    total: 10,
    late_joiners: false,
    ...more,
  }) as unknown as Wave;
const rollout = (counts: Partial<Outcomes>, more: Partial<Rollout> = {}): Rollout =>
  ({
    package: "gears",
    version: "1.1.0",
    state: "running",
    outcomes: { ...NONE, ...counts },
    gate: { error_percent_max: 5, test: "threshold" },
    waves: [wave(0, "running", counts), wave(1, "pending", {})],
    ...more,
  }) as unknown as Rollout;

describe("what an action does", () => {
  it("is in the words of one or of many devices", () => {
    expect(consequences(rollout({ queued: 1, fetching: 1 }), "pause")[0]).toBe("1 queued device waits until you resume.");
    expect(consequences(rollout({ queued: 1, fetching: 1 }), "pause")[1]).toBe("1 device in progress finishes its update.");
    expect(consequences(rollout({ queued: 5, staged: 1, trial: 1 }), "pause").slice(0, 2)).toEqual([
      "5 queued devices wait until you resume.",
      "2 devices in progress finish their update.",
    ]);
    expect(consequences(rollout({ queued: 5 }), "pause")[1]).toBe("No updates are in progress.");
  });

  it("of a start names the first wave and the limit", () => {
    expect(consequences(rollout({}), "start")).toEqual([
      "Wave wave-0 starts now: 10 devices are offered gears 1.1.0.",
      "Further waves start automatically after the previous gate has passed (max failure rate 5 %).",
    ]);
    expect(consequences(rollout({}, { gate: { test: "both" } as Rollout["gate"] }), "start")[1]).toContain("sequential test");
  });

  it("is the main one, but for a resume after a gate has stopped the rollout", () => {
    const stopped = [wave(0, "failed", { failed: 3 }), wave(1, "pending", {})];
    expect(mainAction(rollout({}, { state: "draft" }))).toBe("start");
    expect(mainAction(rollout({}))).toBe("pause");
    expect(mainAction(rollout({}, { state: "paused" }))).toBe("resume");
    expect(mainAction(rollout({}, { state: "paused", waves: stopped }))).toBe("rollback");
    expect(mainAction(rollout({}, { state: "completed" }))).toBeNull();
  });

  it("of a resume accepts failures, if there are any", () => {
    expect(consequences(rollout({ queued: 2, failed: 1 }), "resume")[0]).toBe(
      "1 failure so far is accepted; the gate starts counting again.",
    );
    expect(consequences(rollout({ queued: 2 }), "resume")).toEqual(["2 queued devices continue."]);
  });

  it("of an abort leaves trials and what is done", () => {
    expect(consequences(rollout({ queued: 3, fetching: 2, trial: 1, succeeded: 4, already_installed: 1 }), "abort")).toEqual([
      "The update is cancelled on 5 devices before the trial.",
      "1 device in trial finishes its update.",
      "5 updated devices keep 1.1.0.",
      "The rollout cannot be resumed, but it can be rolled back.",
    ]);
    expect(doneOf(rollout({ succeeded: 4, already_installed: 1 }))).toBe(5);
  });

  it("of a rollback includes devices in progress", () => {
    expect(consequences(rollout({ succeeded: 1, fetching: 1 }), "rollback").slice(0, 2)).toEqual([
      "1 updated device returns to its previous version.",
      "1 device in progress also rolls back.",
    ]);
  });

  it("of skipping a wave names the next one that is no wave of late joiners", () => {
    const waves = [
      wave(0, "running", { queued: 2, trial: 1, succeeded: 3 }),
      wave(1, "pending", {}, { late_joiners: true }),
      wave(2, "pending", {}),
    ];
    const [first] = waves;
    if (!first) throw new Error("no wave");
    expect(skipConsequences(rollout({}, { waves }), first)).toEqual([
      "2 devices of this wave keep their current version and are not updated by this rollout.",
      "1 device in trial finishes its update.",
      "3 updated devices keep 1.1.0.",
      "Its max failure rate no longer applies.",
      "Wave wave-2 starts now, without results of this wave.",
    ]);
    expect(skipConsequences(rollout({}, { waves, state: "paused" }), first).at(-1)).toContain("when you resume");
    expect(skipConsequences(rollout({}, { waves, gate: { test: "both" } as Rollout["gate"] }), first)).toContain(
      "The sequential test over all waves still counts its results.",
    );
    expect(skipConsequences(rollout({}, { waves: [first] }), first).at(-1)).toBe("This is the last wave; the rollout ends.");
  });
});
