import type { DifferenceFrom, Estimate, Experiment } from "~/api/types";
import { figures, many } from "~/format/numbers";
import type { Tone } from "~/format/tones";

export const FIGURE: Record<string, { text: string; note: string }> = {
  latency_p95_ms: { text: "Latency", note: "Median of each device's p95; lower is better" },
  dropped_percent: { text: "Dropped frames", note: "Lower is better" },
  confidence: { text: "Mean confidence", note: "No preferred direction" },
  events_per_hour: { text: "Events per hour", note: "No preferred direction" },
  failures: { text: "Failed updates", note: "Share of devices offered the version; lower is better" },
};

export const VERDICT: Record<DifferenceFrom["verdict"], { text: string; tone: Tone }> = {
  better: { text: "Better", tone: "ok" },
  worse: { text: "Worse", tone: "bad" },
  different: { text: "Different", tone: "warn" },
  no_difference_seen: { text: "No difference detected", tone: "off" },
  too_few: { text: "Too few devices", tone: "off" },
};

export const figureNumber = figures;

/** A value with its confidence interval, if known. */
export const interval = ({ value, low, high }: Pick<Estimate, "value" | "low" | "high">): string =>
  low === null || high === null ? figureNumber(value) : `${figureNumber(value)} (${figureNumber(low)} to ${figureNumber(high)})`;

/** Consequences of choosing an arm's version, or none (""), shown before confirmation. */
export function consequences(experiment: Experiment, arm: string): string[] {
  const all = experiment.arms.reduce((sum, each) => sum + each.devices, 0);
  const chosen = experiment.arms.find((each) => each.name === arm);
  const busy = experiment.arms.filter((each) => each.rollout_state === "running" || each.rollout_state === "paused");
  const ended = busy.length ? [`${many(busy.length, "active rollout is", "active rollouts are")} aborted.`] : [];
  if (!chosen)
    return ["All devices keep their current version.", ...ended, "The results are kept; the experiment cannot be resumed."];
  return [
    `${many(all - chosen.on_version, "device")} of ${all} are updated to ${chosen.package} ${chosen.version} by a new rollout: 10 % first, then the rest.`,
    ...ended,
    "The results are kept; the experiment cannot be resumed.",
  ];
}
