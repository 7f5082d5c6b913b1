import type { RolloutAction } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { many } from "~/format/numbers";
import { doneOf, phaseCounts } from "~/format/rollouts";

/** Consequences of an action, with numbers of devices, shown before confirmation. */
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
        `Wave ${first?.name ?? "1"} starts now: ${many(first?.total ?? 0, "device")} are offered ${rollout.package} ${rollout.version}.`,
        `The other waves follow automatically while at most ${rollout.gate.error_percent_max} % of devices fail.`,
      ];
    case "pause":
      return [
        `${many(queued, "device")} in the queue wait until you resume.`,
        moving > 0 ? `${many(moving, "device")} in progress finish their update.` : "No device is in progress.",
        "Running models are not affected.",
      ];
    case "resume":
      return [
        ...(failed > 0 ? [`${many(failed, "failure")} so far are accepted; the gate restarts its count.`] : []),
        `${many(queued, "device")} in the queue continue.`,
      ];
    case "abort":
      return [
        `The offer is withdrawn from ${many(queued + moving - trial, "device")} that have not started their trial.`,
        ...(trial > 0 ? [`${many(trial, "device")} in trial finish it.`] : []),
        `${many(done, "device")} on ${rollout.version} keep it.`,
        "It cannot be resumed; rollback stays possible.",
      ];
    case "rollback":
      return [
        `${many(done, "device")} on ${rollout.version} return to their previous version.`,
        ...(moving > 0 ? [`${many(moving, "device")} in progress roll back, too.`] : []),
        "The previous version is still on their disks: nothing is downloaded.",
        "It cannot be resumed.",
      ];
  }
}

/** Consequences of skipping a wave, shown before confirmation. */
export function skipConsequences(rollout: Rollout, wave: Wave): string[] {
  const counts = Object.fromEntries(phaseCounts(wave.counts).map(({ key, value }) => [key, value]));
  const waiting = (counts.queued ?? 0) + (counts.fetching ?? 0) + (counts.staged ?? 0);
  const trial = counts.trial ?? 0;
  const done = counts.done ?? 0;
  const next = rollout.waves.find((each) => each.index > wave.index && each.state === "pending" && !each.late_joiners);
  const isStarted = wave.state !== "pending";
  return [
    `${many(waiting, "device")} of this wave keep their current version; this rollout skips them for good.`,
    ...(trial > 0 ? [`${many(trial, "device")} in trial finish it.`] : []),
    ...(done > 0 ? [`${many(done, "device")} on ${rollout.version} keep it.`] : []),
    ...(isStarted ? ["Its failure limit no longer applies; the sequential test over all waves still does."] : []),
    next
      ? `Wave ${next.name} starts ${rollout.state === "paused" ? "when you resume" : isStarted ? "now" : "in order"}, without results of this wave.`
      : "It is the last wave: the rollout ends.",
  ];
}
