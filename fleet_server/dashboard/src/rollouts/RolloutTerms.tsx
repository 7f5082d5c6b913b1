import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Rollout } from "~/api/types";
import { Facts } from "~/components/States";
import { many, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "~/wizard/TermsFields";

/** The settings that the rollout was started with. */
export function RolloutTerms({ rollout }: { rollout: Rollout }) {
  const { gate, policy, terms } = rollout;
  const { retry, rate, window: hours } = terms;
  const regressions = gate.regressions;
  const limits = regressions && [
    ...(regressions.latency_percent ? [`${percentOf(regressions.latency_percent)} slower`] : []),
    ...(regressions.dropped_points ? [`${short(regressions.dropped_points)} points more drops`] : []),
    ...(regressions.confidence_points ? [`${short(regressions.confidence_points)} points less confident`] : []),
    ...(regressions.temperature_c ? [`${short(regressions.temperature_c)} °C warmer`] : []),
  ];
  const rows: [string, ReactNode][] = [
    ["devices", whoOf(rollout)],
    ["max failure rate of a wave", gate.test === "sequential" ? "none" : `${percentOf(gate.error_percent_max ?? 0)} (min. ${many(gate.reported_min ?? 1, "result")})`],
    ["tolerated failure rate", gate.test === "threshold" ? "not tested" : percentOf(gate.tolerated_percent ?? Math.min(1, gate.error_percent_max ?? 1))],
    ["soak time", span(gate.soak_s ?? 0)],
    ["offline is a failure after", span(gate.offline_s ?? 0)],
    ["regression is a failure", limits?.length ? `over ${limits.join(", ")}` : "no"],
    ...(regressions?.agreement_percent_min != null ? ([["shadow agreement", `at least ${percentOf(regressions.agreement_percent_min)}`]] as [string, ReactNode][]) : []),
    ["trial on the device", `${span(policy.trial_s ?? 0)}, ${many(policy.trial_frames_min ?? 0, "frame")}`],
    ["wave timeout", span(rollout.wave_timeout_s)],
    ["max attempts", retry ? `${retry.tries_max ?? 3}, initial delay ${span(retry.back_off_s ?? 60)}` : "1"],
    ["maintenance window", hours ? `${hours.start} to ${hours.end}, ${hours.days?.length ? hours.days.map((day) => DAYS[day]).join(" ") : "every day"}, ${hours.timezone ?? "UTC"}` : "none"],
    ["rate limit", rate ? `${many(rate.per_minute, "device")} per minute, up to ${rate.per_minute_max ?? 1000}` : "none"],
    ["download", terms.prestage ? "prestaged on all devices" : "when the wave starts"],
    ["late joiners", terms.follow ? "included" : "excluded"],
    ["priority", rollout.priority],
    ["created by", rollout.created_by || "the command line on the server"],
    ...(rollout.approved_by ? ([["approved by", rollout.approved_by]] as [string, ReactNode][]) : []),
  ];
  return <Facts rows={rows} />;
}

function whoOf({ selector }: Rollout): ReactNode {
  if (selector.group) {
    return (
      <>
        group{" "}
        <Link to="/" search={{ group: selector.group }} className="link">
          {selector.group}
        </Link>
      </>
    );
  }
  const parts = [
    ...(selector.all ? ["every device"] : []),
    ...Object.entries(selector.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(selector.ids?.length ? [many(selector.ids.length, "device by id", "devices by id")] : []),
  ];
  return parts.join(", ") || "none";
}
