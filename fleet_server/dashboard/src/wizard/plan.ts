import { splitPair } from "~/words/labels";
import type { PreviewRequest, RolloutRequest, Selector, WaveSpec } from "~/api/types";

export type Who = "all" | "labels" | "ids";
export type TemplateName = "careful" | "standard" | "fast";

/** A wave as it is edited: a number and what it counts. The last wave takes the rest, whatever it says. */
export interface WaveDraft {
  id: number;
  name: string;
  amount: number;
  unit: "percent" | "count";
  /** A person has to let it begin. */
  approval: boolean;
}

export interface Plan {
  package: string;
  version: string;
  slot: string;
  who: Who;
  labels: string[];
  ids: string[];
  template: TemplateName | null;
  waves: WaveDraft[];
  error_percent_max: number;
  tolerated_percent: number;
  reported_min: number;
  soak_s: number;
  offline_s: number;
  trial_s: number;
  trial_frames_min: number;
  wave_timeout_s: number;
  name: string;
}

type Terms = Pick<
  Plan,
  "error_percent_max" | "tolerated_percent" | "reported_min" | "soak_s" | "offline_s" | "trial_s" | "trial_frames_min" | "wave_timeout_s"
>;

interface Template {
  title: string;
  text: string;
  waves: readonly Omit<WaveDraft, "id" | "approval">[];
  terms: Terms;
}

export const TEMPLATES: Record<TemplateName, Template> = {
  careful: {
    title: "Careful",
    text: "For a new architecture, or cameras that must not stop. Four waves, long soaks, stops at the first signs.",
    waves: [
      { name: "canary", amount: 2, unit: "count" },
      { name: "early", amount: 10, unit: "percent" },
      { name: "half", amount: 40, unit: "percent" },
      { name: "rest", amount: 50, unit: "percent" },
    ],
    terms: { error_percent_max: 2, tolerated_percent: 0.5, reported_min: 2, soak_s: 600, offline_s: 300, trial_s: 120, trial_frames_min: 100, wave_timeout_s: 14_400 },
  },
  standard: {
    title: "Standard",
    text: "For a retrained model of a kind that the fleet knows. Three waves and a short soak.",
    waves: [
      { name: "canary", amount: 5, unit: "percent" },
      { name: "early", amount: 25, unit: "percent" },
      { name: "rest", amount: 70, unit: "percent" },
    ],
    terms: { error_percent_max: 5, tolerated_percent: 1, reported_min: 3, soak_s: 60, offline_s: 120, trial_s: 20, trial_frames_min: 10, wave_timeout_s: 3_600 },
  },
  fast: {
    title: "Fast",
    text: "For a repair that is needed now, or a test fleet. Two waves; devices still try before they trust.",
    waves: [
      { name: "canary", amount: 10, unit: "percent" },
      { name: "rest", amount: 90, unit: "percent" },
    ],
    terms: { error_percent_max: 10, tolerated_percent: 2, reported_min: 1, soak_s: 5, offline_s: 60, trial_s: 5, trial_frames_min: 5, wave_timeout_s: 1_800 },
  },
};

let lastId = 0;
export const wave = (name: string, amount: number, unit: WaveDraft["unit"]): WaveDraft => ({ id: (lastId += 1), name, amount, unit, approval: false });

export function fromTemplate(template: TemplateName): Pick<Plan, "template" | "waves"> & Terms {
  const { waves, terms } = TEMPLATES[template];
  return { template, waves: waves.map(({ name, amount, unit }) => wave(name, amount, unit)), ...terms };
}

export const emptyPlan = (name = "", version = ""): Plan => ({
  package: name,
  version,
  slot: "detector",
  who: "all",
  labels: [],
  ids: [],
  name: "",
  ...fromTemplate("standard"),
});

export function selectorOf(plan: Plan): Selector {
  if (plan.who === "all") return { all: true, ids: [], labels: {} };
  if (plan.who === "ids") return { all: false, ids: plan.ids, labels: {} };
  return { all: false, ids: [], labels: Object.fromEntries(plan.labels.map(splitPair)) };
}

const wavesOf = (plan: Plan): WaveSpec[] =>
  plan.waves.map(({ name, amount, unit, approval }) => ({ name, approval, ...(unit === "percent" ? { percent: amount } : { count: amount }) }));

export function previewOf(plan: Plan): PreviewRequest {
  const { package: name, version, slot } = plan;
  return { package: name, version, slot, selector: selectorOf(plan), waves: wavesOf(plan) };
}

export const titleOf = (plan: Plan): string => plan.name.trim() || `${plan.package} ${plan.version}`;

/** Stop a wave over the limit, or as soon as the results of all waves prove with 99 % confidence that more fail than is tolerated. */
const EVIDENCE = { test: "both", confidence_percent: 99 } as const;

export function requestOf(plan: Plan, start: boolean): RolloutRequest {
  const { error_percent_max, tolerated_percent, reported_min, soak_s, offline_s, trial_s, trial_frames_min, wave_timeout_s } = plan;
  return {
    ...previewOf(plan),
    name: titleOf(plan),
    gate: { error_percent_max, tolerated_percent, reported_min, soak_s, offline_s, ...EVIDENCE },
    policy: { trial_s, trial_frames_min },
    wave_timeout_s,
    start,
  };
}

/** What is missing before a step can be left, in one line; empty when nothing is. */
export function missing(plan: Plan, step: number): string {
  if (step === 0) return !plan.package || !plan.version ? "Choose a model and a version." : plan.slot ? "" : "Name the slot that shall run it.";
  if (step === 1) {
    if (plan.who === "labels" && !plan.labels.length) return "Name at least one label.";
    return plan.who === "ids" && !plan.ids.length ? "Name at least one device." : "";
  }
  if (step === 2) {
    if (!plan.waves.length) return "A rollout needs at least one wave.";
    if (plan.waves.some(({ name }) => !name.trim())) return "Every wave needs a name.";
    const share = plan.waves.slice(0, -1).reduce((sum, { amount, unit }) => sum + (unit === "percent" ? amount : 0), 0);
    return share >= 100 ? "The waves before the last already take everything; leave something to the last." : "";
  }
  return "";
}
