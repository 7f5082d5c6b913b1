import { describe, expect, it } from "vitest";
import type { RuleBody } from "~/api/alerts";
import { describe as sentence, FIGURES, isOfRollouts, LATEST, OF_CAMERA, SUMMED } from "~/alerts/format";

const rule = (kind: RuleBody["kind"], more: Partial<RuleBody> = {}): RuleBody =>
  ({ kind, for_s: 60, window_s: 3_600, ...more }) as RuleBody;

describe("a rule of alerts", () => {
  it.each<[RuleBody, string]>([
    [rule("threshold", { figure: "temperature_c", above: 80 }), "temperature above 80 °C for 1 min"],
    [rule("threshold", { figure: "fps", below: 5, group: "pilots" }), "frames/s below 5 for 1 min, group pilots"],
    [rule("threshold", { figure: "cpu_percent", above: 0 }), "CPU above 0 % for 1 min"],
    [rule("absence", { for_s: 7_260 }), "offline for 2 h 1 min"],
    [rule("rate", { above: 5, event_label: "person", event_kind: "line" }), "more than 5 person line events in 1 h"],
    [
      rule("rate", { below: 5, event_label: "person", event_rule: "gate", pipeline: "hall" }),
      "fewer than 5 person events of rule gate of pipeline hall in 1 h",
    ],
    [
      rule("blind_camera", { figure: "coverage_percent", below: 50, group: "lyon" }),
      "analyzed frames below 50 % for 1 min, group lyon",
    ],
    [
      rule("blind_camera", { figure: "detections_per_hour", below: 9, pipeline: "door", for_s: 0 }),
      "detections per hour of pipeline door below 9",
    ],
    [rule("rollout_failed", { for_s: 0 }), "rollout aborted or rolled back"],
    [rule("rate", { above: 5 }), "more than 5 events in 1 h"],
    [
      rule("anomaly", { figure: "confidence", deviations: 3 }),
      "detection confidence more than 3 standard deviations from its daily baseline",
    ],
    [rule("rollout_paused", { for_s: 0 }), "rollout paused by a gate"],
    [rule("rollout_approval"), "rollout awaiting approval for 1 min"],
  ])("%j is a sentence", (of, text) => {
    expect(sentence(of)).toBe(text);
  });

  it("is about rollouts or devices, and its metrics have names", () => {
    expect([isOfRollouts("rollout_paused"), isOfRollouts("rollout_approval"), isOfRollouts("absence")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([...LATEST, ...SUMMED, ...OF_CAMERA].every((figure) => FIGURES[figure].text)).toBe(true);
  });
});
