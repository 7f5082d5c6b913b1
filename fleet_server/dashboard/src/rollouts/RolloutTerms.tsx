import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Rollout } from "~/api/types";
import { Facts } from "~/components/States";
import { celsius, count, many, megabytes, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "~/wizard/TermsFields";

/** The settings that the rollout was started with. */
export function RolloutTerms({ rollout }: { rollout: Rollout }) {
  const { gate, policy, terms } = rollout;
  const { retry, rate, window: hours } = terms;
  const regressions = gate.regressions;
  const limits = regressions && [
    ...(regressions.latency_percent ? [`${percentOf(regressions.latency_percent)} higher latency`] : []),
    ...(regressions.dropped_points ? [`${short(regressions.dropped_points)} points more dropped frames`] : []),
    ...(regressions.confidence_points ? [`${short(regressions.confidence_points)} points lower confidence`] : []),
    ...(regressions.temperature_c ? [`${celsius(regressions.temperature_c)} higher temperature`] : []),
    ...(regressions.detections_factor ? [`${short(regressions.detections_factor)} times the detections, or as few`] : []),
    ...(regressions.class_mix_percent ? [`${percentOf(regressions.class_mix_percent)} of boxes of another class`] : []),
    ...(regressions.memory_percent ? [`${percentOf(regressions.memory_percent)} more memory`] : []),
    ...(regressions.memory_mb_per_hour ? [`growth of ${megabytes(regressions.memory_mb_per_hour)} per hour`] : []),
  ];
  const rows: [string, ReactNode][] = [
    ["Devices", whoOf(rollout)],
    [
      gate.test === "both" ? "Small steps above" : "Max failure rate per wave",
      gate.test === "sequential"
        ? "None"
        : `${percentOf(gate.error_percent_max ?? 0)} (minimum sample ${count(gate.reported_min ?? 1)})`,
    ],
    [
      "Tolerated failure rate",
      gate.test === "threshold" ? "Not tested" : percentOf(gate.tolerated_percent ?? Math.min(1, gate.error_percent_max ?? 1)),
    ],
    ["Frames in the trial", gate.frames_required ? "Required" : "Not required"],
    ["Soak time", span(gate.soak_s ?? 0)],
    ["Offline timeout", span(gate.offline_s ?? 0)],
    ["Regression limits", limits?.length ? limits.join(", ") : "None"],
    ...(regressions?.agreement_percent_min != null
      ? ([["Shadow agreement", `At least ${percentOf(regressions.agreement_percent_min)}`]] as [string, ReactNode][])
      : []),
    ["Trial", `${span(policy.trial_s ?? 0)}, ${many(policy.trial_frames_min ?? 0, "frame")}`],
    [
      "Shadow before the trial",
      policy.shadow_s
        ? `First wave, ${span(policy.shadow_s)}, at least ${percentOf(policy.shadow_agreement_percent_min ?? 0)} agreement`
        : "None",
    ],
    ["Wave timeout", span(rollout.wave_timeout_s)],
    ["Max attempts", retry ? `${retry.tries_max ?? 3}, initial delay ${span(retry.back_off_s ?? 60)}` : "1"],
    [
      "Maintenance window",
      hours
        ? `${hours.start} to ${hours.end}, ${hours.days?.length ? hours.days.map((day) => DAYS[day]).join(" ") : "every day"}, ${hours.timezone ?? "UTC"}`
        : "None",
    ],
    ["Rate limit", rate ? `${many(rate.per_minute, "device")} per minute, up to ${count(rate.per_minute_max ?? 1000)}` : "None"],
    ["Download", terms.prestage ? "Prestaged on all devices" : "When the wave starts"],
    ["Late joiners", terms.follow ? "Included" : "Excluded"],
    ["Priority", rollout.priority],
    ["Created by", rollout.created_by || "Local command on the server"],
    ...(rollout.approved_by ? ([["Approved by", rollout.approved_by]] as [string, ReactNode][]) : []),
  ];
  return <Facts rows={rows} />;
}

function whoOf({ selector }: Rollout): ReactNode {
  if (selector.group) {
    return (
      <>
        Group{" "}
        <Link to="/" search={{ group: selector.group }} className="link">
          {selector.group}
        </Link>
      </>
    );
  }
  const parts = [
    ...(selector.all ? ["All devices"] : []),
    ...Object.entries(selector.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(selector.query ? [selector.query] : []),
    ...(selector.ids?.length ? [many(selector.ids.length, "device by ID", "devices by ID")] : []),
  ];
  return parts.join(", ") || "None";
}
