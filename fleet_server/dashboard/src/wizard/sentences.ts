import { many, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "./TermsFields";
import type { Plan } from "./plan";

/** The whole plan in plain sentences: what somebody agrees to who starts it. */
export function sentencesOf(plan: Plan): { title: string; lines: string[] }[] {
  return [
    { title: "What and who", lines: [`${plan.package} ${plan.version} goes into slot ${plan.slot} of ${whoOf(plan)}.`, "Devices that run it already, that are pinned, or for which it has no variant are left alone."] },
    { title: "In which order", lines: wavesOf(plan) },
    { title: "On each device", lines: deviceOf(plan) },
    { title: "What stops it", lines: gateOf(plan) },
    { title: "When and how fast", lines: termsOf(plan) },
  ];
}

function whoOf({ who, labels, group, ids }: Plan): string {
  return { all: "every device of the fleet", labels: `every device with ${labels.join(" and ")}`, group: `every device of group ${group}`, ids: many(ids.length, "named device") }[who];
}

function wavesOf({ waves, gate, wave_timeout_s }: Plan): string[] {
  const named = waves.map(({ name, amount, unit, labels, approval }, at) => {
    const size = at === waves.length - 1 ? "all that are left" : unit === "percent" ? `${percentOf(amount)} of the devices` : unit === "count" ? many(amount, "device") : `devices with ${labels.join(" and ")}`;
    return `${at + 1}. ${name}: ${size}${approval ? ", once a person lets it begin" : ""}.`;
  });
  return [...named, `Each wave is watched for ${span(gate.soak_s)} after its last device is done, and may take ${span(wave_timeout_s)} in all.`];
}

function deviceOf({ trial_s, trial_frames_min, terms, regressions }: Plan): string[] {
  const retry = terms.tries_max > 1 ? `If the way to it fails, it is tried again after ${span(terms.back_off_s)}, ${many(terms.tries_max, "try", "tries")} in all; if the version fails, never.` : "It is tried once.";
  return [
    `It verifies every byte, compares golden samples, runs the version on live frames for ${span(trial_s)} and at least ${many(trial_frames_min, "frame")}, then trusts it or goes back by itself.`,
    retry,
    ...(regressions.on
      ? [`Afterwards it counts as failed if it is over ${percentOf(regressions.latency_percent)} slower, drops ${short(regressions.dropped_points)} points more frames, is ${short(regressions.confidence_points)} points less confident or ${short(regressions.temperature_c)} °C warmer than before.`]
      : ["Whether it does worse afterwards than before is not looked at."]),
  ];
}

function gateOf({ gate }: Plan): string[] {
  const limit = `A wave stops the rollout when more than ${percentOf(gate.error_percent_max)} of its devices fail, judged from ${many(gate.reported_min, "result")} on.`;
  const proof = `All waves together stop it when they prove, ${percentOf(gate.confidence_percent)} sure, that more than ${percentOf(gate.tolerated_percent)} fail.`;
  return [...(gate.test === "sequential" ? [] : [limit]), ...(gate.test === "threshold" ? [] : [proof]), `A device that falls silent for ${span(gate.offline_s)} after it took the update has failed.`, "A stopped rollout waits for a person; nothing goes back without being told to."];
}

function termsOf({ terms, weight }: Plan): string[] {
  const days = terms.window_days.length ? [...terms.window_days].sort().map((day) => DAYS[Number(day)]).join(", ") : "every day";
  return [
    terms.window ? `Devices begin only between ${terms.window_start} and ${terms.window_end}, ${days}, by the clock where they stand (${terms.timezone} where a device says nothing).` : "Devices begin at any hour.",
    terms.ramp ? `${many(terms.per_minute, "device begins", "devices begin")} a minute at most, ${short(terms.ramp_factor)} times as many each time another ${terms.grow_after} trust it, never over ${terms.per_minute_max}.` : "Within a wave all devices may begin at once.",
    terms.prestage ? "All devices fetch and verify it now, and switch when their wave begins." : "Devices fetch it when their wave begins.",
    terms.follow ? "Devices that come to match later get it too, until the rollout ends." : "Devices that come to match later are not part of it.",
    ...(weight === 500 ? [] : [`Of several rollouts for the same slot the heaviest goes first; this one weighs ${weight}.`]),
  ];
}
