import type {
  GateSpec,
  PreviewRequest,
  RegressionSpec,
  RolloutDefaults,
  RolloutRequest,
  RolloutTemplate,
  Selector,
  TermsSpec,
  WaveSpec,
} from "~/api/types";
import { splitPair } from "~/format/labels";

export type Who = "all" | "labels" | "query" | "group" | "ids";

/** A wave as it is edited: a number and what it counts, or labels. The last wave takes the remaining devices; its size is ignored. */
export interface WaveDraft {
  id: number;
  name: string;
  amount: number;
  unit: "percent" | "count" | "labels";
  labels: string[];
  /** Requires approval before it starts. */
  approval: boolean;
}

/** The gate as it is edited, with the server's defaults filled in. */
export interface GateDraft {
  error_percent_max: number;
  tolerated_percent: number;
  confidence_percent: number;
  reported_min: number;
  soak_s: number;
  offline_s: number;
  test: NonNullable<GateSpec["test"]>;
  frames_required: boolean;
}

export interface RegressionDraft {
  on: boolean;
  latency_percent: number;
  dropped_points: number;
  confidence_points: number;
  temperature_c: number;
  detections_factor: number;
  class_mix_percent: number;
  memory_percent: number;
  memory_mb_per_hour: number;
  samples_min: number;
}

export interface TermsDraft {
  tries_max: number;
  back_off_s: number;
  back_off_factor: number;
  ramp: boolean;
  per_minute: number;
  ramp_factor: number;
  grow_after: number;
  per_minute_max: number;
  window: boolean;
  window_start: string;
  window_end: string;
  window_days: string[];
  timezone: string;
  follow: boolean;
  prestage: boolean;
}

export interface Plan {
  package: string;
  version: string;
  slot: string;
  who: Who;
  labels: string[];
  group: string;
  query: string;
  ids: string[];
  template: string | null;
  waves: WaveDraft[];
  gate: GateDraft;
  regressions: RegressionDraft;
  terms: TermsDraft;
  trial_s: number;
  trial_frames_min: number;
  shadow_s: number;
  shadow_agreement_percent_min: number;
  wave_timeout_s: number;
  priority: number;
  name: string;
}

let lastId = 0;
export function wave(name: string, amount: number, unit: WaveDraft["unit"], more: Partial<WaveDraft> = {}): WaveDraft {
  lastId += 1;
  return { id: lastId, name, amount, unit, labels: [], approval: false, ...more };
}

function draftOf(spec: WaveSpec): WaveDraft {
  const labels = Object.entries(spec.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const approval = spec.approval ?? false;
  if (labels.length) return wave(spec.name, 10, "labels", { labels, approval });
  return spec.count
    ? wave(spec.name, spec.count, "count", { approval })
    : wave(spec.name, spec.percent ?? 10, "percent", { approval });
}

const limitsOf = ({ agreement_percent_min: _, ...limits }: Partial<RegressionSpec>): Partial<RegressionDraft> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value != null));

/** The limits of a template; those that it does not name are the server's defaults, which a switched off check has as well. */
const regressionsOf = (given: GateSpec["regressions"], usual: GateSpec["regressions"]): RegressionDraft =>
  ({ ...limitsOf(usual ?? {}), ...limitsOf(given ?? {}), on: given !== null }) as RegressionDraft;

function gateOfTemplate(gate: Partial<GateSpec>, usual: GateSpec): Pick<Plan, "gate" | "regressions"> {
  const { regressions, tolerated_percent, ...numbers } = { ...usual, ...gate };
  const tolerated = tolerated_percent ?? Math.min(1, numbers.error_percent_max);
  return {
    gate: { ...numbers, tolerated_percent: tolerated, frames_required: numbers.frames_required ?? false },
    regressions: regressionsOf(regressions, usual.regressions),
  };
}

/** The terms as they are edited. What is switched off has values to begin with. */
function termsOfTemplate({ rate, window, follow, prestage, retry }: TermsSpec): TermsDraft {
  return {
    tries_max: retry.tries_max,
    back_off_s: retry.back_off_s,
    back_off_factor: retry.factor,
    ramp: Boolean(rate),
    per_minute: rate?.per_minute ?? 50,
    ramp_factor: rate?.factor ?? 2,
    grow_after: rate?.grow_after ?? 200,
    per_minute_max: rate?.per_minute_max ?? 1000,
    window: Boolean(window),
    window_start: window?.start ?? "22:00",
    window_end: window?.end ?? "05:00",
    window_days: (window?.days ?? []).map(String),
    timezone: window?.timezone ?? "UTC",
    follow,
    prestage,
  };
}

/** The editable plan of a template; what it leaves out is the server's default. */
export function fromTemplate({ name, waves, gate, policy, terms }: RolloutTemplate, usual: RolloutDefaults): Partial<Plan> {
  return {
    ...strategyOf({ ...usual, waves, policy: { ...usual.policy, ...policy }, terms: { ...usual.terms, ...terms } }, gate),
    template: name,
  };
}

const strategyOf = (usual: RolloutDefaults, gate: Partial<GateSpec> = {}) => ({
  ...gateOfTemplate(gate, usual.gate),
  ...usual.policy,
  waves: usual.waves.map(draftOf),
  terms: termsOfTemplate(usual.terms),
  wave_timeout_s: usual.wave_timeout_s,
});

/** The choice of devices. */
export type Chosen = Pick<Plan, "who" | "labels" | "query" | "group" | "ids">;

export const emptyPlan = (usual: RolloutDefaults, name = "", version = "", group = ""): Plan => ({
  ...strategyOf(usual),
  package: name,
  version,
  slot: "detector",
  who: group ? "group" : "all",
  labels: [],
  group,
  query: "",
  ids: [],
  template: null,
  priority: usual.priority,
  name: "",
});

export function selectorOf(plan: Chosen): Selector {
  const none = { all: false, ids: [], labels: {} };
  if (plan.who === "all") return { ...none, all: true };
  if (plan.who === "ids") return { ...none, ids: plan.ids };
  if (plan.who === "group") return { ...none, group: plan.group };
  if (plan.who === "query") return { ...none, query: plan.query.trim() };
  return { ...none, labels: Object.fromEntries(plan.labels.map(splitPair)) };
}

const wavesOf = ({ waves }: Plan): WaveSpec[] =>
  waves.map(({ name, amount, unit, labels, approval }, at) => {
    const size =
      unit === "percent"
        ? { percent: amount }
        : unit === "count"
          ? { count: amount }
          : { labels: Object.fromEntries(labels.map(splitPair)) };
    return { name, approval, labels: {}, ...(at === waves.length - 1 ? {} : size) };
  });

function termsOf({ terms }: Plan): TermsSpec {
  return {
    retry: { tries_max: terms.tries_max, back_off_s: terms.back_off_s, factor: terms.back_off_factor },
    rate: terms.ramp
      ? {
          per_minute: terms.per_minute,
          factor: terms.ramp_factor,
          grow_after: terms.grow_after,
          per_minute_max: terms.per_minute_max,
        }
      : null,
    window: terms.window
      ? { start: terms.window_start, end: terms.window_end, days: terms.window_days.map(Number), timezone: terms.timezone }
      : null,
    follow: terms.follow,
    prestage: terms.prestage,
  };
}

function gateOf({ gate, regressions: { on, ...limits } }: Plan): GateSpec {
  return { ...gate, regressions: on ? limits : null };
}

export function previewOf(plan: Plan): PreviewRequest {
  const { package: name, version, slot, trial_s, trial_frames_min, shadow_s, shadow_agreement_percent_min } = plan;
  return {
    package: name,
    version,
    slot,
    selector: selectorOf(plan),
    waves: wavesOf(plan),
    gate: gateOf(plan),
    policy: { trial_s, trial_frames_min, shadow_s, shadow_agreement_percent_min },
    terms: termsOf(plan),
  };
}

export const titleOf = (plan: Plan): string => plan.name.trim() || `${plan.package} ${plan.version}`;

export function requestOf(plan: Plan, start: boolean): RolloutRequest {
  const { wave_timeout_s, priority } = plan;
  const { gate, policy, terms, ...what } = previewOf(plan);
  return {
    ...what,
    gate: gate ?? gateOf(plan),
    policy: policy ?? {},
    terms: terms ?? termsOf(plan),
    name: titleOf(plan),
    priority,
    wave_timeout_s,
    start,
  } as RolloutRequest;
}

const CLOCK = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

/** The first missing input up to a step; empty if complete. */
export function missing(plan: Plan, step: number): string {
  if (step === 0) return !plan.package || !plan.version ? "Choose a model and a version." : plan.slot ? "" : "Enter a slot.";
  if (step === 1) return missingWho(plan);
  return step === 2 ? missingTerms(plan) : "";
}

/** The first missing input of a choice of devices; empty if complete. */
export function missingWho({ who, labels, query, group, ids }: Chosen): string {
  if (who === "labels" && !labels.length) return "Enter at least one label.";
  if (who === "query" && !query.trim()) return "Enter a query.";
  if (who === "group" && !group) return "Choose a group.";
  return who === "ids" && !ids.length ? "Enter at least one device." : "";
}

function missingTerms({ waves, terms }: Plan): string {
  if (!waves.length) return "Add at least one wave.";
  if (waves.some(({ name }) => !name.trim())) return "Enter a name for every wave.";
  if (new Set(waves.map(({ name }) => name.trim())).size !== waves.length) return "Wave names must be unique.";
  const sized = waves.slice(0, -1);
  const bare = sized.find(({ unit, labels }) => unit === "labels" && !labels.length);
  if (bare) return `Enter the labels of wave ${bare.name}.`;
  if (sized.reduce((sum, { amount, unit }) => sum + (unit === "percent" ? amount : 0), 0) >= 100)
    return "The waves before the last one must take less than 100 % of the devices.";
  if (terms.window && !(CLOCK.test(terms.window_start) && CLOCK.test(terms.window_end)))
    return "Enter the window's times as HH:MM, e.g. 22:00.";
  return "";
}
