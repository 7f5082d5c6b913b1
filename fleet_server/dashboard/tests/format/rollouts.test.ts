import { describe, expect, it } from "vitest";
import { ATTEMPT_STATES, type AttemptState, type GateState, type Rollout, type Wave } from "~/api/types";
import { ATTEMPT_STATE, attemptLabel, doneOf, isLive, nextRule, PHASES, phaseCounts } from "~/format/rollouts";
import { consequences, skipConsequences } from "~/rollouts/consequences";

const gate = (more: Partial<GateState>): GateState => ({
  comparison: "",
  error_percent: 0,
  error_percent_max: 5,
  failed: 0,
  reported: 0,
  reported_min: 3,
  text: "",
  verdict: "waiting",
  ...more,
});

describe("progress", () => {
  it("has each state of an attempt in one segment", () => {
    const states = PHASES.flatMap((phase) => phase.states);
    expect([...states].sort()).toEqual([...ATTEMPT_STATES].sort());
    expect(new Set(states).size).toBe(states.length);
    expect(Object.keys(ATTEMPT_STATE).sort()).toEqual([...ATTEMPT_STATES].sort());
  });

  it("counts the states of a segment", () => {
    const counts = phaseCounts({ committed: 4, already_installed: 1, timed_out: 2, verified: 1, of_a_newer_server: 9 });
    expect(Object.fromEntries(counts.map(({ key, value }) => [key, value]))).toEqual({
      done: 5,
      trial: 0,
      staged: 1,
      fetching: 0,
      failed: 2,
      left: 0,
      queued: 0,
    });
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

describe("the next decision of a gate", () => {
  it.each<[Partial<GateState>, number, string]>([
    [{ verdict: "passed" }, 10, "The wave passed its gate."],
    [{ verdict: "breached" }, 10, "The rollout is stopped until an operator resumes, aborts or rolls back."],
    [{ reported: 10 }, 10, "All devices of the wave have reported."],
    [{ reported: 12 }, 10, "All devices of the wave have reported."],
    [{ reported: 0 }, 10, "3 more results needed for a decision. The next failure stops the rollout."],
    [{ reported: 2 }, 100, "1 more result needed for a decision. The next failure stops the rollout."],
    [{ reported: 3 }, 100, "Every new result is evaluated. The next failure stops the rollout."],
    [{ reported: 50 }, 100, "Every new result is evaluated. 3 more consecutive failures stop the rollout."],
    [{ reported: 99 }, 100, "Every new result is evaluated. Even if all remaining devices fail, the rate stays within 5 %."],
    [
      { reported: 0, reported_min: 50 },
      100,
      "50 more results needed for a decision. 6 more consecutive failures stop the rollout.",
    ],
    [
      { reported: 0, error_percent_max: 100 },
      4,
      "3 more results needed for a decision. Even if all remaining devices fail, the rate stays within 100 %.",
    ],
  ])("%j of %d devices", (more, total, text) => {
    expect(nextRule(gate(more), total, "threshold")).toBe(text);
  });

  it("is the sequential test's, if there is one", () => {
    expect(nextRule(gate({ reported: 3 }), 100, "sequential")).toBe("The sequential test over all waves decides.");
    expect(nextRule(gate({ reported: 3 }), 100, "both")).toBe(
      "The sequential test over all waves decides. While over 5 % of all results are failures, later devices start in small steps.",
    );
    expect(nextRule(gate({ reported: 100 }), 100, "both")).toBe("All devices of the wave have reported.");
  });
});

const wave = (index: number, state: Wave["state"], counts: Record<string, number>, more: Partial<Wave> = {}): Wave =>
  ({ index, name: `wave-${index}`, state, counts, total: 10, late_joiners: false, ...more }) as unknown as Wave;
const rollout = (counts: Record<string, number>, more: Partial<Rollout> = {}): Rollout =>
  ({
    package: "gears",
    version: "1.1.0",
    state: "running",
    counts,
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

  it("of a resume accepts failures, if there are any", () => {
    expect(consequences(rollout({ queued: 2, rolled_back: 1 }), "resume")[0]).toBe(
      "1 failure so far is accepted; the gate starts counting again.",
    );
    expect(consequences(rollout({ queued: 2 }), "resume")).toEqual(["2 queued devices continue."]);
  });

  it("of an abort leaves trials and what is done", () => {
    expect(consequences(rollout({ queued: 3, fetching: 2, trial: 1, committed: 4, already_installed: 1 }), "abort")).toEqual([
      "The update is cancelled on 5 devices before the trial.",
      "1 device in trial finishes its update.",
      "5 updated devices keep 1.1.0.",
      "The rollout cannot be resumed, but it can be rolled back.",
    ]);
    expect(doneOf(rollout({ committed: 4, already_installed: 1 }))).toBe(5);
  });

  it("of a rollback includes devices in progress", () => {
    expect(consequences(rollout({ committed: 1, fetching: 1 }), "rollback").slice(0, 2)).toEqual([
      "1 updated device returns to its previous version.",
      "1 device in progress also rolls back.",
    ]);
  });

  it("of skipping a wave names the next one that is no wave of late joiners", () => {
    const waves = [
      wave(0, "running", { queued: 2, trial: 1, committed: 3 }),
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
