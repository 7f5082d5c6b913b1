import type { AttemptRow } from "~/api/types";
import { resultLabel } from "~/format/rollouts";

/** Failed attempts that have the same reason. */
export interface FailureGroup {
  reason: string;
  count: number;
  /** Rollouts of these attempts, newest first. */
  rollouts: number[];
  latest: AttemptRow;
}

/** Failed attempts by reason, the most frequent first. attempts: newest first. */
export function failuresOf(attempts: readonly AttemptRow[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const attempt of attempts) {
    if (resultLabel(attempt).tone !== "bad") continue;
    const group = groups.get(attempt.reason);
    if (!group) groups.set(attempt.reason, { reason: attempt.reason, count: 1, rollouts: [attempt.rollout], latest: attempt });
    else {
      group.count += 1;
      if (!group.rollouts.includes(attempt.rollout)) group.rollouts.push(attempt.rollout);
    }
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
