import type { ExperimentRequest, FigureName, RolloutTemplate } from "~/api/types";
import { type Chosen, missingWho, selectorOf } from "~/wizard/plan";
import { many, percentOf } from "~/format/numbers";
import { FIGURE } from "./format";

/** One version as it is edited. `value`: of the label that splits; `share`: of the devices, against the other shares. */
export interface ArmDraft {
  name: string;
  version: string;
  share: number;
  value: string;
}

/** An experiment as it is edited. */
export interface Draft extends Chosen {
  package: string;
  slot: string;
  arms: ArmDraft[];
  split: "hash" | "label";
  label_key: string;
  compared: FigureName[];
  review_after_days: number;
  template: string;
  name: string;
}

export const ARMS_MAX = 4;
const DAY_S = 86_400;
const NAMES = ["a", "b", "c", "d"] as const;
export const FIGURES = Object.keys(FIGURE) as FigureName[];

export const armOf = (at: number, version = ""): ArmDraft => ({
  name: NAMES[at] ?? `arm-${at + 1}`,
  version,
  share: 1,
  value: "",
});

export const emptyDraft = (): Draft => ({
  package: "",
  slot: "detector",
  arms: [armOf(0), armOf(1)],
  who: "all",
  labels: [],
  group: "",
  query: "",
  ids: [],
  split: "hash",
  label_key: "",
  compared: FIGURES,
  review_after_days: 7,
  template: "",
  name: "",
});

export const titleOf = ({ name, package: model, arms }: Draft): string =>
  name.trim() || `${model} ${arms.map(({ version }) => version).join(" vs. ")}`.slice(0, 120);

/** The first missing input up to a step; empty if complete. */
export function missing(draft: Draft, step: number): string {
  const { arms } = draft;
  if (step === 0) {
    if (!draft.package || arms.some(({ version }) => !version)) return "Choose a model and a version for every arm.";
    if (new Set(arms.map(({ version }) => version)).size < arms.length) return "The arms must have different versions.";
    if (arms.some(({ name }) => !/^[a-z0-9][a-z0-9._-]*$/.test(name)))
      return "Enter a name for every arm: lowercase letters, digits, ., _ and -.";
    if (new Set(arms.map(({ name }) => name)).size < arms.length) return "Arm names must be unique.";
    return draft.slot ? "" : "Enter a slot.";
  }
  if (step === 1) {
    if (missingWho(draft)) return missingWho(draft);
    if (draft.split === "hash") return "";
    if (!draft.label_key.trim()) return "Enter the label to split by.";
    if (arms.some(({ value }) => !value.trim())) return "Enter a label value for every arm.";
    return new Set(arms.map(({ value }) => value.trim())).size < arms.length ? "The arms must have different label values." : "";
  }
  return step === 2 && !draft.compared.length ? "Choose at least one metric." : "";
}

export function requestOf(draft: Draft, template: RolloutTemplate | undefined): ExperimentRequest {
  const byLabel = draft.split === "label";
  return {
    name: titleOf(draft),
    slot: draft.slot,
    selector: selectorOf(draft),
    arms: draft.arms.map(({ name, version, share, value }) => ({
      name,
      package: draft.package,
      version,
      share: byLabel ? 1 : share,
      value: byLabel ? value.trim() : "",
    })),
    split: draft.split,
    label_key: byLabel ? draft.label_key.trim() : null,
    compared: draft.compared.length === FIGURES.length ? [] : draft.compared,
    review_after_s: draft.review_after_days * DAY_S,
    ...(template ? { waves: template.waves, gate: template.gate, policy: template.policy } : {}),
  } as ExperimentRequest;
}

/** Summary of the experiment in sentences. */
export function sentencesOf(draft: Draft, template: RolloutTemplate | undefined): { title: string; lines: string[] }[] {
  const [first, ...others] = draft.arms;
  const whole = draft.arms.reduce((sum, { share }) => sum + share, 0);
  const part = ({ share, value }: ArmDraft) =>
    draft.split === "hash"
      ? `${percentOf((100 * share) / whole)} of the devices`
      : `devices with ${draft.label_key.trim()}=${value.trim()}`;
  return [
    {
      title: "Versions",
      lines: draft.arms.map((arm) => `Arm ${arm.name}: ${draft.package} ${arm.version} in slot ${draft.slot}, on ${part(arm)}.`),
    },
    {
      title: "Split",
      lines: [
        draft.split === "hash"
          ? "A stable hash of experiment name and device ID assigns each device to an arm at the start; the assignment does not change."
          : "The label assigns each device to an arm at the start; the assignment does not change. Other differences between these devices can bias the result.",
        "Devices that cannot run every version are excluded.",
      ],
    },
    {
      title: "Evaluation",
      lines: [
        `${draft.compared.map((name) => FIGURE[name]?.text ?? name).join(", ")}: ${others.map(({ name }) => name).join(", ")} compared with ${first?.name ?? ""}; each device counts once. Simultaneous 95 % confidence intervals for a single evaluation.`,
        `Planned evaluation after ${many(draft.review_after_days, "day")}. The experiment does not end automatically; its page shows when it is ready to evaluate.`,
      ],
    },
    {
      title: "Rollouts",
      lines: [
        `One rollout per arm with devices to update${template ? `, with template ${template.name}` : ""}; its gate stops a failing version.`,
      ],
    },
  ];
}
