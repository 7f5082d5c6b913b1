import { describe, expect, it } from "vitest";
import type { AttemptRow } from "~/api/types";
import { failuresOf } from "~/device/failures";

const attempt = (rollout: number, state: AttemptRow["state"], reason = ""): AttemptRow =>
  ({ rollout, state, reason, id: `${rollout}`, explanation: "" }) as AttemptRow;

describe("failures by reason", () => {
  it("have the most frequent reason first, with its rollouts and its newest attempt", () => {
    const groups = failuresOf([
      attempt(9, "rejected", "no_space"),
      attempt(8, "committed"),
      attempt(7, "rolled_back", "trial_failed"),
      attempt(7, "rolled_back", "trial_failed"),
      attempt(6, "rolled_back", "trial_failed"),
    ]);
    expect(groups.map(({ reason, count, rollouts, latest }) => [reason, count, rollouts, latest.rollout])).toEqual([
      ["trial_failed", 3, [7, 6], 7],
      ["no_space", 1, [9], 9],
    ]);
    expect(failuresOf([attempt(1, "committed"), attempt(2, "fetching")])).toEqual([]);
  });
});
