import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Rollout } from "~/api/types";
import { Facts } from "~/components/States";
import { many, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "~/wizard/TermsFields";

/** What was agreed to when it was started: everything that the wizard asked. */
export function Terms({ rollout }: { rollout: Rollout }) {
  const { gate, policy, terms } = rollout;
  const { retry, rate, window: hours } = terms;
  const regressions = gate.regressions;
  const limits = regressions && [
    ...(regressions.latency_percent ? [`${percentOf(regressions.latency_percent)} slower`] : []),
    ...(regressions.dropped_points ? [`${short(regressions.dropped_points)} points more dropped`] : []),
    ...(regressions.confidence_points ? [`${short(regressions.confidence_points)} points less confident`] : []),
    ...(regressions.temperature_c ? [`${short(regressions.temperature_c)} °C warmer`] : []),
  ];
  const rows: [string, ReactNode][] = [
    ["devices", whoOf(rollout)],
    ["a wave stops over", gate.test === "sequential" ? "no limit of its own" : `${percentOf(gate.error_percent_max ?? 0)} failed, from ${many(gate.reported_min ?? 1, "result")}`],
    ["proof of more than", gate.test === "threshold" ? "not looked for" : percentOf(gate.tolerated_percent ?? Math.min(1, gate.error_percent_max ?? 1))],
    ["soaks for", span(gate.soak_s ?? 0)],
    ["silence is a failure after", span(gate.offline_s ?? 0)],
    ["doing worse is a failure", limits?.length ? `over ${limits.join(", ")}` : "no"],
    ...(regressions?.agreement_percent_min != null ? ([["agreement with what runs", `at least ${percentOf(regressions.agreement_percent_min)}`]] as [string, ReactNode][]) : []),
    ["trial on the device", `${span(policy.trial_s ?? 0)}, ${many(policy.trial_frames_min ?? 0, "frame")}`],
    ["a wave may take", span(rollout.wave_timeout_s)],
    ["tries", retry ? `${retry.tries_max ?? 3}, first pause ${span(retry.back_off_s ?? 60)}` : "1"],
    ["window", hours ? `${hours.start} to ${hours.end}, ${hours.days?.length ? hours.days.map((day) => DAYS[day]).join(" ") : "every day"}, ${hours.timezone ?? "UTC"}` : "any hour"],
    ["pace", rate ? `${many(rate.per_minute, "device")} a minute, up to ${rate.per_minute_max ?? 1000}` : "as fast as they can"],
    ["fetched", terms.prestage ? "by all at once, switched wave by wave" : "when their wave begins"],
    ["devices that match later", terms.follow ? "get it, too" : "are not part of it"],
    ["weight", rollout.weight],
    ["ordered by", rollout.created_by || "somebody on the server's machine"],
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
