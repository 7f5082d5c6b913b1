import type { RolloutAction } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { many, percentOf } from "~/format/numbers";
import { doneOf, phaseCounts } from "~/format/rollouts";

/** The action that fits the state best, or null. After a gate has stopped the rollout, it is not the one that accepts failures. */
export function mainAction({ state, waves }: Rollout): RolloutAction | null {
  if (state === "draft") return "start";
  if (state === "running") return "pause";
  if (state !== "paused") return null;
  return waves.some((wave) => wave.state === "failed") ? "rollback" : "resume";
}

/** Consequences of an action, with numbers of devices, shown before confirmation. */
export function consequences(rollout: Rollout, action: RolloutAction): string[] {
  const counts = Object.fromEntries(phaseCounts(rollout.outcomes).map(({ key, value }) => [key, value]));
  const queued = counts.queued ?? 0;
  const moving = (counts.fetching ?? 0) + (counts.staged ?? 0) + (counts.trial ?? 0);
  const trial = counts.trial ?? 0;
  const done = doneOf(rollout);
  const failed = counts.failed ?? 0;
  const first = rollout.waves[0];
  switch (action) {
    case "start":
      return [
        `Wave ${first?.name ?? "1"} starts now: ${many(first?.total ?? 0, "device is", "devices are")} offered ${rollout.package} ${rollout.version}.`,
        rollout.gate.test === "threshold"
          ? `Further waves start automatically after the previous gate has passed (max failure rate ${percentOf(rollout.gate.error_percent_max ?? 0)}).`
          : "Further waves start automatically unless the sequential test over all waves stops the rollout.",
      ];
    case "pause":
      return [
        `${many(queued, "queued device waits", "queued devices wait")} until you resume.`,
        moving > 0
          ? `${many(moving, "device", "devices")} in progress ${moving === 1 ? "finishes its" : "finish their"} update.`
          : "No updates are in progress.",
        "Running models are not affected.",
      ];
    case "resume":
      return [
        ...(failed > 0
          ? [`${many(failed, "failure so far is", "failures so far are")} accepted; the gate starts counting again.`]
          : []),
        `${many(queued, "queued device continues", "queued devices continue")}.`,
      ];
    case "abort":
      return [
        `The update is cancelled on ${many(queued + moving - trial, "device")} before the trial.`,
        ...(trial > 0 ? [`${many(trial, "device in trial finishes its update", "devices in trial finish their update")}.`] : []),
        `${many(done, "updated device keeps", "updated devices keep")} ${rollout.version}.`,
        "The rollout cannot be resumed, but it can be rolled back.",
      ];
    case "rollback":
      return [
        `${many(done, "updated device", "updated devices")} ${done === 1 ? "returns to its" : "return to their"} previous version.`,
        ...(moving > 0 ? [`${many(moving, "device in progress also rolls back", "devices in progress also roll back")}.`] : []),
        "The previous version is still on disk; nothing is downloaded.",
        "The rollout cannot be resumed.",
      ];
  }
}

/** Consequences of skipping a wave, shown before confirmation. */
export function skipConsequences(rollout: Rollout, wave: Wave): string[] {
  const counts = Object.fromEntries(phaseCounts(wave.outcomes).map(({ key, value }) => [key, value]));
  const waiting = (counts.queued ?? 0) + (counts.fetching ?? 0) + (counts.staged ?? 0);
  const trial = counts.trial ?? 0;
  const done = counts.done ?? 0;
  const next = rollout.waves.find((each) => each.index > wave.index && each.state === "pending" && !each.late_joiners);
  const isStarted = wave.state !== "pending";
  return [
    `${many(waiting, "device")} of this wave ${waiting === 1 ? "keeps its" : "keep their"} current version and ${waiting === 1 ? "is" : "are"} not updated by this rollout.`,
    ...(trial > 0 ? [`${many(trial, "device in trial finishes its update", "devices in trial finish their update")}.`] : []),
    ...(done > 0 ? [`${many(done, "updated device keeps", "updated devices keep")} ${rollout.version}.`] : []),
    ...(isStarted
      ? [
          rollout.gate.test === "threshold"
            ? "Its max failure rate no longer applies."
            : "The sequential test over all waves still counts its results.",
        ]
      : []),
    next
      ? `Wave ${next.name} starts ${rollout.state === "paused" ? "when you resume" : isStarted ? "now" : "in order"}, without results of this wave.`
      : "This is the last wave; the rollout ends.",
  ];
}
