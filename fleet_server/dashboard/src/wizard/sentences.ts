import { many, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "./TermsFields";
import type { Plan } from "./plan";

/** Summary of the whole plan in sentences. */
export function sentencesOf(plan: Plan): { title: string; lines: string[] }[] {
  return [
    { title: "Version and devices", lines: [`${plan.package} ${plan.version} is installed in slot ${plan.slot} of ${whoOf(plan)}.`, "Devices that already run it, are pinned, or have no compatible variant are skipped."] },
    { title: "Waves", lines: wavesOf(plan) },
    { title: "On each device", lines: deviceOf(plan) },
    { title: "Gate", lines: gateOf(plan) },
    { title: "Schedule and rate", lines: termsOf(plan) },
  ];
}

function whoOf({ who, labels, group, ids }: Plan): string {
  return { all: "every device of the fleet", labels: `every device with ${labels.join(" and ")}`, group: `every device of group ${group}`, ids: many(ids.length, "named device") }[who];
}

function wavesOf({ waves, gate, wave_timeout_s }: Plan): string[] {
  const named = waves.map(({ name, amount, unit, labels, approval }, at) => {
    const size = at === waves.length - 1 ? "all remaining devices" : unit === "percent" ? `${percentOf(amount)} of the devices` : unit === "count" ? many(amount, "device") : `devices with ${labels.join(" and ")}`;
    return `${at + 1}. ${name}: ${size}${approval ? ", after approval" : ""}.`;
  });
  return [...named, `Each wave soaks for ${span(gate.soak_s)} after its last device finishes, with a timeout of ${span(wave_timeout_s)}.`];
}

function deviceOf({ trial_s, trial_frames_min, terms, regressions }: Plan): string[] {
  const retry = terms.tries_max > 1 ? `Transport failures are retried after ${span(terms.back_off_s)}, up to ${many(terms.tries_max, "attempt")}; version failures are not retried.` : "There is one attempt, without retries.";
  return [
    `The device verifies all hashes, compares golden samples, runs a trial on live frames for ${span(trial_s)} and at least ${many(trial_frames_min, "frame")}, then commits or rolls back automatically.`,
    retry,
    ...(regressions.on
      ? [`After the update it counts as failed if it is over ${percentOf(regressions.latency_percent)} slower, drops ${short(regressions.dropped_points)} points more frames, is ${short(regressions.confidence_points)} points less confident or ${short(regressions.temperature_c)} °C warmer than before.`]
      : ["Regressions after the update are not checked."]),
  ];
}

function gateOf({ gate }: Plan): string[] {
  const limit = `A wave stops the rollout when more than ${percentOf(gate.error_percent_max)} of its devices fail, with a minimum sample of ${many(gate.reported_min, "result")}.`;
  const proof = `A sequential test over all waves stops it when the failure rate exceeds ${percentOf(gate.tolerated_percent)} with ${percentOf(gate.confidence_percent)} confidence.`;
  return [...(gate.test === "sequential" ? [] : [limit]), ...(gate.test === "threshold" ? [] : [proof]), `A device that is offline for ${span(gate.offline_s)} after accepting the update has failed.`, "A stopped rollout waits for an operator; devices are not rolled back automatically."];
}

function termsOf({ terms, priority }: Plan): string[] {
  const days = terms.window_days.length ? [...terms.window_days].sort().map((day) => DAYS[Number(day)]).join(", ") : "every day";
  return [
    terms.window ? `Devices start only between ${terms.window_start} and ${terms.window_end}, ${days}, in local time (${terms.timezone} if a device has no timezone label).` : "No maintenance window.",
    terms.ramp ? `At most ${many(terms.per_minute, "device starts", "devices start")} per minute, ${short(terms.ramp_factor)} times as many after every ${terms.grow_after} successful updates, up to ${terms.per_minute_max}.` : "Within a wave all devices may start at once.",
    terms.prestage ? "All devices download and verify it now, and switch when their wave starts." : "Devices download it when their wave starts.",
    terms.follow ? "Late joiners are included until the rollout ends." : "Late joiners are excluded.",
    ...(priority === 500 ? [] : [`Priority ${priority}: among rollouts for the same slot the highest priority goes first.`]),
  ];
}
