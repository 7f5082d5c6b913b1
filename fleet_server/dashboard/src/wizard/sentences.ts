import { celsius, count, many, megabytes, percentOf, short } from "~/format/numbers";
import { span } from "~/format/time";
import { DAYS } from "./TermsFields";
import type { Plan } from "./plan";

/** Summary of the whole plan in sentences. `rules`: what the gate does, in the server's words. */
export function sentencesOf(plan: Plan, rules: readonly string[]): { title: string; lines: readonly string[] }[] {
  return [
    {
      title: "Version and devices",
      lines: [
        `${plan.package} ${plan.version} is installed in slot ${plan.slot} of ${whoOf(plan)}.`,
        "Devices that already run this version, are pinned or have no compatible variant are skipped.",
      ],
    },
    { title: "Waves", lines: wavesOf(plan) },
    { title: "On each device", lines: deviceOf(plan) },
    { title: "Gate", lines: rules },
    { title: "Schedule and rate", lines: termsOf(plan) },
  ];
}

function whoOf({ who, labels, query, group, ids }: Plan): string {
  return {
    all: "all devices",
    labels: `all devices with ${labels.join(" and ")}`,
    query: `all devices with ${query.trim()}`,
    group: `all devices of group ${group}`,
    ids: many(ids.length, "selected device"),
  }[who];
}

function wavesOf({ waves, gate, wave_timeout_s }: Plan): string[] {
  const named = waves.map(({ name, amount, unit, labels, approval }, at) => {
    const size =
      at === waves.length - 1
        ? "all remaining devices"
        : unit === "percent"
          ? `${percentOf(amount)} of the devices`
          : unit === "count"
            ? many(amount, "device")
            : `devices with ${labels.join(" and ")}`;
    return `${at + 1}. ${name}: ${size}${approval ? ", after approval" : ""}.`;
  });
  return [
    ...named,
    `Each wave soaks for ${span(gate.soak_s)} after its last device has finished. Wave timeout: ${span(wave_timeout_s)}.`,
  ];
}

function deviceOf({ trial_s, trial_frames_min, shadow_s, shadow_agreement_percent_min, terms, regressions }: Plan): string[] {
  const retry =
    terms.tries_max > 1
      ? `Faults of the device and the transfer are retried after ${span(terms.back_off_s)}, up to ${many(terms.tries_max, "attempt")}. Failures of the version are not retried.`
      : "Failures are not retried.";
  return [
    `The device verifies all hashes, compares golden samples and runs a trial on live frames (${span(trial_s)}, at least ${many(trial_frames_min, "frame")}), then commits or rolls back automatically.`,
    ...(shadow_s
      ? [
          `On devices of the first wave the version runs beside the committed one for ${span(shadow_s)} before, on the same frames and without effect, where memory allows, and fails below ${percentOf(shadow_agreement_percent_min)} agreement.`,
        ]
      : []),
    retry,
    ...(regressions.on
      ? [
          `A device counts as failed if, compared with devices of its profile and site that were not updated (with fewer than 5 of them: with before its update), latency is over ${percentOf(regressions.latency_percent)} higher, dropped frames are over ${short(regressions.dropped_points)} points higher, confidence is over ${short(regressions.confidence_points)} points lower, temperature is over ${celsius(regressions.temperature_c)} higher, detections per frame are ${short(regressions.detections_factor)} times as many or as few, over ${percentOf(regressions.class_mix_percent)} of the boxes are of another class, or memory is over ${percentOf(regressions.memory_percent)} higher or grows by over ${megabytes(regressions.memory_mb_per_hour)} per hour.`,
        ]
      : ["Regressions after the update are not checked: a version that finds nonsense or is slow is not noticed."]),
  ];
}

function termsOf({ terms, priority }: Plan): string[] {
  const days = terms.window_days.length
    ? [...terms.window_days]
        .sort()
        .map((day) => DAYS[Number(day)])
        .join(", ")
    : "every day";
  return [
    terms.window
      ? `Updates start only between ${terms.window_start} and ${terms.window_end}, ${days}, in local time (${terms.timezone} for devices without a timezone label).`
      : "No maintenance window.",
    terms.ramp
      ? `At most ${many(terms.per_minute, "device starts", "devices start")} per minute; the rate is multiplied by ${short(terms.ramp_factor)} after every ${count(terms.grow_after)} successful updates, up to ${count(terms.per_minute_max)} per minute.`
      : "All devices of a wave may start at once.",
    terms.prestage
      ? "All devices download and verify the version now, and activate it when their wave starts."
      : "Devices download the version when their wave starts.",
    terms.follow ? "Late joiners are included until the rollout ends." : "Late joiners are excluded.",
    ...(priority === 500 ? [] : [`Priority ${priority}: of rollouts for the same slot, the highest priority runs first.`]),
  ];
}
