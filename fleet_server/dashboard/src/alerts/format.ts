import type { Alert, Figure, RuleBody } from "~/api/alerts";
import type { Tone } from "~/format/tones";
import { bytes, count, short } from "~/format/numbers";
import { span } from "~/format/time";

export const FIGURES: Record<Figure, { text: string; unit: string }> = {
  fps: { text: "frames/s", unit: "" },
  latency_p95_ms: { text: "latency p95", unit: " ms" },
  dropped_per_s: { text: "dropped frames/s", unit: "" },
  dropped_percent: { text: "dropped frames", unit: " %" },
  temperature_c: { text: "temperature", unit: " °C" },
  cpu_percent: { text: "CPU", unit: " %" },
  disk_free_bytes: { text: "free disk space", unit: " bytes" },
  confidence: { text: "detection confidence", unit: " %" },
  memory_bytes: { text: "agent memory", unit: " bytes" },
  memory_growth_percent: { text: "memory growth in a day", unit: " %" },
  detections_per_hour: { text: "detections per hour", unit: "" },
  coverage_percent: { text: "analyzed frames", unit: " %" },
};

/** Metrics that threshold rules (latest sample) and anomaly rules (aggregates) support. */
export const LATEST: readonly Figure[] = [
  "fps",
  "latency_p95_ms",
  "dropped_per_s",
  "temperature_c",
  "cpu_percent",
  "disk_free_bytes",
  "memory_bytes",
  "memory_growth_percent",
];
export const SUMMED: readonly Figure[] = [
  "fps",
  "latency_p95_ms",
  "dropped_percent",
  "temperature_c",
  "cpu_percent",
  "confidence",
  "memory_bytes",
];
export const OF_CAMERA: readonly Figure[] = ["detections_per_hour", "coverage_percent"];

/** Metrics of a kind of rule; none: it has no metric. */
export const figuresOf = (kind: RuleBody["kind"]): readonly Figure[] =>
  kind === "threshold" ? LATEST : kind === "anomaly" ? SUMMED : kind === "blind_camera" ? OF_CAMERA : [];

export const SEVERITY: Record<Alert["severity"], { tone: Tone; text: string }> = {
  info: { tone: "off", text: "Info" },
  warning: { tone: "warn", text: "Warning" },
  critical: { tone: "bad", text: "Critical" },
};

/** True for rules about rollouts; all others are about devices. */
export const isOfRollouts = (kind: RuleBody["kind"]): boolean => kind.startsWith("rollout_");

/** Describes a rule: "temperature above 80 °C for 1 min". */
export function describe(rule: RuleBody): string {
  const figure = rule.figure ? FIGURES[rule.figure] : { text: "", unit: "" };
  const amount = (value: number) => (figure.unit === " bytes" ? bytes(value) : `${short(value)}${figure.unit}`);
  const camera = rule.pipeline ? ` of pipeline ${rule.pipeline}` : "";
  const where = rule.group ? `, group ${rule.group}` : "";
  switch (rule.kind) {
    case "threshold":
      return `${figure.text} ${rule.above != null ? `above ${amount(rule.above)}` : `below ${amount(rule.below ?? 0)}`} for ${span(rule.for_s)}${where}`;
    case "absence":
      return `offline for ${span(rule.for_s)}${where}`;
    case "rate":
      return `${bounds(rule)} ${[rule.event_label, rule.event_kind, "events"].filter(Boolean).join(" ")}${rule.event_rule ? ` of rule ${rule.event_rule}` : ""}${camera} in ${span(rule.window_s)}${where}`;
    case "anomaly":
      return `${figure.text} more than ${short(rule.deviations)} standard deviations from its daily baseline${where}`;
    case "blind_camera":
      return `${figure.text}${camera} below ${amount(rule.below ?? 0)}${lasting(rule)}${where}`;
    case "memory":
      return `worker over its memory ceiling${lasting(rule)}${where}`;
    case "rollout_failed":
      return "rollout aborted or rolled back";
    case "rollout_paused":
      return `rollout paused by a gate${lasting(rule)}`;
    case "rollout_approval":
      return `rollout awaiting approval${lasting(rule)}`;
  }
}

const bounds = ({ above, below }: RuleBody): string =>
  [above != null ? `more than ${count(above)}` : "", below != null ? `fewer than ${count(below)}` : ""]
    .filter(Boolean)
    .join(" or ");

const lasting = (rule: RuleBody): string => (rule.for_s ? ` for ${span(rule.for_s)}` : "");
