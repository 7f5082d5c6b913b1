import type { RolloutAction } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { many } from "~/format/numbers";
import { doneOf, phaseCounts } from "~/format/rollouts";

/** What an action does, to how many devices, said before it is done. */
export function consequences(rollout: Rollout, action: RolloutAction): string[] {
  const counts = Object.fromEntries(phaseCounts(rollout.counts).map(({ key, value }) => [key, value]));
  const queued = counts.queued ?? 0;
  const moving = (counts.fetching ?? 0) + (counts.staged ?? 0) + (counts.trial ?? 0);
  const trial = counts.trial ?? 0;
  const done = doneOf(rollout);
  const failed = counts.failed ?? 0;
  const first = rollout.waves[0];
  switch (action) {
    case "start":
      return [
        `Wave ${first?.name ?? "1"} begins now: ${many(first?.total ?? 0, "device")} are offered ${rollout.package} ${rollout.version}.`,
        `The other waves follow by themselves, as long as no more than ${rollout.gate.error_percent_max} % fail.`,
      ];
    case "pause":
      return [
        `${many(queued, "device")} in the queue are offered nothing until you resume.`,
        moving > 0 ? `${many(moving, "device")} on their way finish what they began; that is the safe thing to do.` : "No device is on its way.",
        "No model stops running.",
      ];
    case "resume":
      return [
        ...(failed > 0 ? [`${many(failed, "failure")} seen so far are accepted; the gate counts anew from here.`] : []),
        `${many(queued, "device")} in the queue get their turn again.`,
      ];
    case "abort":
      return [
        `The offer is withdrawn from ${many(queued + moving - trial, "device")} that have not begun a trial.`,
        ...(trial > 0 ? [`${many(trial, "device")} on trial finish it.`] : []),
        `${many(done, "device")} that trust ${rollout.version} keep it.`,
        "It cannot be resumed; a rollback stays possible.",
      ];
    case "rollback":
      return [
        `${many(done, "device")} that trust ${rollout.version} go back to the version they ran before.`,
        ...(moving > 0 ? [`${many(moving, "device")} on their way go back, too.`] : []),
        "The earlier version is still on their disks: nothing is fetched.",
        "It cannot be resumed.",
      ];
  }
}

/** What skipping a wave does, said before it is done. */
export function skipConsequences(rollout: Rollout, wave: Wave): string[] {
  const counts = Object.fromEntries(phaseCounts(wave.counts).map(({ key, value }) => [key, value]));
  const waiting = (counts.queued ?? 0) + (counts.fetching ?? 0) + (counts.staged ?? 0);
  const trial = counts.trial ?? 0;
  const done = counts.done ?? 0;
  const next = rollout.waves.find((each) => each.index > wave.index && each.state === "pending" && !each.lane);
  const begun = wave.state !== "pending";
  return [
    `${many(waiting, "device")} of this wave keep what they run now; this rollout does not come back to them.`,
    ...(trial > 0 ? [`${many(trial, "device")} on trial finish it.`] : []),
    ...(done > 0 ? [`${many(done, "device")} that trust ${rollout.version} keep it.`] : []),
    ...(begun ? ["Its limit stops nothing any more; the evidence over the whole rollout still does."] : []),
    next
      ? `Wave ${next.name} begins ${rollout.state === "paused" ? "when you resume" : begun ? "now" : "in its turn"}: nothing this wave would have shown has been seen.`
      : "No wave is left behind it: the rollout ends with what is done.",
  ];
}
