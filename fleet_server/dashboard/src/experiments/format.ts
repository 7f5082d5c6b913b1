import type { DifferenceFrom, Estimate, Experiment } from "~/api/types";
import { many } from "~/format/numbers";
import type { Tone } from "~/format/tones";

export const FIGURE: Record<string, { text: string; note: string }> = {
  latency_p95_ms: { text: "Latency", note: "median of each device's p95; less is better" },
  dropped_percent: { text: "Dropped frames", note: "less is better" },
  confidence: { text: "Mean confidence", note: "neither more nor less is better by itself" },
  events_per_hour: { text: "Events an hour", note: "neither more nor less is better by itself" },
  failures: { text: "Updates that failed", note: "of devices that were given the version; less is better" },
};

export const VERDICT: Record<DifferenceFrom["verdict"], { text: string; tone: Tone }> = {
  better: { text: "Better", tone: "ok" },
  worse: { text: "Worse", tone: "bad" },
  different: { text: "Different", tone: "warn" },
  no_difference_seen: { text: "No difference seen", tone: "off" },
  too_few: { text: "Too few devices", tone: "off" },
};

export const figureNumber = (value: number): string => Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });

/** A value with its limits, where there are any. */
export const interval = ({ value, low, high }: Pick<Estimate, "value" | "low" | "high">): string =>
  low === null || high === null ? figureNumber(value) : `${figureNumber(value)} (${figureNumber(low)} to ${figureNumber(high)})`;

/** What taking an arm's version, or none ("" ), does; said before it is done. */
export function consequences(experiment: Experiment, arm: string): string[] {
  const all = experiment.arms.reduce((sum, each) => sum + each.devices, 0);
  const taken = experiment.arms.find((each) => each.name === arm);
  const busy = experiment.arms.filter((each) => each.rollout_state === "running" || each.rollout_state === "paused");
  const ended = busy.length ? [`${many(busy.length, "rollout")} of the arms still at work ${busy.length === 1 ? "is" : "are"} aborted.`] : [];
  if (!taken) return ["Every device keeps what it runs now.", ...ended, "The figures stay here; the experiment cannot go on."];
  return [
    `${many(all - taken.on_version, "device")} of ${all} get ${taken.package} ${taken.version} by a new rollout: a tenth of them first, then the rest.`,
    ...ended,
    "The figures stay here; the experiment cannot go on.",
  ];
}
