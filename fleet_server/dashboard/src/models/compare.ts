import { bytes, signedPercent } from "~/format/numbers";
import type { FieldRow, ModelDetail } from "~/api/types";
import { textOf, type Card } from "./card";

export interface Difference {
  name: string;
  before: string;
  after: string;
  /** Relative change of a number, e.g. "+3.1 %"; empty for other values. */
  change: string;
}

interface Fact {
  value: unknown;
  /** The value as it is displayed. */
  text: string;
}

type NamedFact = [name: string, fact: Fact];

const fact = (name: string, value: unknown): NamedFact => [name, { value, text: textOf(value) }];

const size = (name: string, value: number): NamedFact => [name, { value, text: bytes(value) }];

function leavesOf(card: Card, before = ""): NamedFact[] {
  return Object.entries(card).flatMap(([key, value]): NamedFact[] => {
    const name = (before ? `${before} · ` : "") + key.replaceAll("_", " ");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? leavesOf(value as Card, name)
      : [fact(name, value)];
  });
}

/** Properties of a version: sizes, runtimes, model card and field metrics. */
function factsOf(model: ModelDetail, field: readonly FieldRow[]): Map<string, Fact> {
  return new Map<string, Fact>([
    size("Size", model.length_bytes),
    ...model.variants.map((variant) => size(`Size · ${variant.name}`, variant.length_bytes)),
    ...model.variants.map((variant) => fact(`Runtimes · ${variant.name}`, variant.runtimes)),
    fact("Golden samples", model.golden_count),
    fact("Labels", model.labels.length),
    fact("Head", model.head.family),
    fact("Epoch", model.epoch),
    fact("Running on", model.running_on),
    ...leavesOf(model.card),
    ...field.flatMap(fieldFacts),
  ]);
}

const ms = (value: number | null): number | undefined => (value === null ? undefined : Math.round(value * 100) / 100);

/** Current field metrics of one profile. */
function fieldFacts(row: FieldRow): NamedFact[] {
  const facts: [string, number | undefined][] = [
    ["latency p95, ms", ms(row.latency_p95_median_ms)],
    ["frames/s", ms(row.fps_mean)],
    ["dropped/s", ms(row.dropped_per_s_mean)],
  ];
  return facts.flatMap(([name, value]): NamedFact[] =>
    value === undefined ? [] : [fact(`Field · ${row.profile} · ${name}`, value)],
  );
}

function changeOf(before: unknown, after: unknown): string {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return "";
  return signedPercent((100 * (after - before)) / Math.abs(before));
}

/** Facts that differ between two versions, and the number of equal ones. */
export function compare(
  before: ModelDetail,
  after: ModelDetail,
  fields: readonly [readonly FieldRow[], readonly FieldRow[]],
): { differences: Difference[]; equal: number } {
  const [old, fresh] = [factsOf(before, fields[0]), factsOf(after, fields[1])];
  const names = [...new Set([...fresh.keys(), ...old.keys()])];
  const differences = names
    .map((name) => ({ name, was: old.get(name), is: fresh.get(name) }))
    .filter(({ was, is }) => textOf(was?.value) !== textOf(is?.value))
    .map(({ name, was, is }) => ({
      name,
      before: was?.text ?? "–",
      after: is?.text ?? "–",
      change: changeOf(was?.value, is?.value),
    }));
  return { differences, equal: names.length - differences.length };
}
