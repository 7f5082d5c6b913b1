import { bytes } from "~/format/numbers";
import type { FieldRow, ModelDetail } from "~/api/types";
import { textOf, type Card } from "./card";

export interface Difference {
  name: string;
  before: string;
  after: string;
  /** Relative change of a number, e.g. "+3.1 %"; empty for other values. */
  change: string;
}

type Leaves = Map<string, unknown>;

function leavesOf(card: Card, before = ""): [string, unknown][] {
  return Object.entries(card).flatMap(([key, value]): [string, unknown][] => {
    const name = (before ? `${before} · ` : "") + key.replaceAll("_", " ");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? leavesOf(value as Card, name) : [[name, value]];
  });
}

/** Properties of a version: sizes, runtimes, model card and field metrics. */
function factsOf(model: ModelDetail, field: readonly FieldRow[]): Leaves {
  return new Map<string, unknown>([
    ["Size", model.length_bytes],
    ...model.variants.map((variant): [string, unknown] => [`Size · ${variant.name}`, variant.length_bytes]),
    ...model.variants.map((variant): [string, unknown] => [`Runtimes · ${variant.name}`, variant.runtimes]),
    ["Golden samples", model.golden_count],
    ["Labels", model.labels.length],
    ["Head", model.head.family],
    ["Epoch", model.epoch],
    ["Running on", model.running_on],
    ...leavesOf(model.card),
    ...field.flatMap(fieldFacts),
  ]);
}

const ms = (value: number | null): number | undefined => (value === null ? undefined : Math.round(value * 100) / 100);

/** Current field metrics of one profile. */
function fieldFacts(row: FieldRow): [string, unknown][] {
  const facts: [string, number | undefined][] = [
    ["latency p95, ms", ms(row.latency_p95_median_ms)],
    ["frames/s", ms(row.fps_mean)],
    ["dropped/s", ms(row.dropped_per_s_mean)],
  ];
  return facts.flatMap(([name, value]): [string, unknown][] => (value === undefined ? [] : [[`Field · ${row.profile} · ${name}`, value]]));
}

const show = (name: string, value: unknown): string => (value === undefined ? "–" : name.startsWith("Size") ? bytes(Number(value)) : textOf(value));

function changeOf(before: unknown, after: unknown): string {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return "";
  const percent = (100 * (after - before)) / Math.abs(before);
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`;
}

/** Facts that differ between two versions, and the number of equal ones. */
export function compare(before: ModelDetail, after: ModelDetail, fields: readonly [readonly FieldRow[], readonly FieldRow[]]): { differences: Difference[]; equal: number } {
  const [old, fresh] = [factsOf(before, fields[0]), factsOf(after, fields[1])];
  const names = [...new Set([...fresh.keys(), ...old.keys()])];
  const differences = names
    .filter((name) => textOf(old.get(name)) !== textOf(fresh.get(name)))
    .map((name) => ({ name, before: show(name, old.get(name)), after: show(name, fresh.get(name)), change: changeOf(old.get(name), fresh.get(name)) }));
  return { differences, equal: names.length - differences.length };
}
