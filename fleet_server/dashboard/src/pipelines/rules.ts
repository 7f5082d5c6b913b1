/** What each kind of rule tells, and which of its keys a form shows. The defaults are the contract's. */

export type RuleField = "zone" | "line" | "labels" | "mode" | "min_s" | "gap_s" | "after_s" | "every_s" | "limit" | "limit_kmh" | "anchor";

export interface RuleKind {
  kind: string;
  text: string;
  fields: readonly RuleField[];
}

export const RULE_KINDS: readonly RuleKind[] = [
  { kind: "line", text: "Goes over a line", fields: ["line", "labels", "mode", "anchor"] },
  { kind: "zone", text: "Is in a zone", fields: ["zone", "labels", "min_s", "gap_s", "anchor"] },
  { kind: "loiter", text: "Stays in a zone", fields: ["zone", "labels", "after_s", "min_s", "gap_s", "anchor"] },
  { kind: "visit", text: "Was in the picture", fields: ["labels", "min_s", "gap_s"] },
  { kind: "count", text: "How many so far", fields: ["zone", "labels", "every_s"] },
  { kind: "occupancy", text: "How many are there", fields: ["zone", "labels", "min_s", "anchor"] },
  { kind: "crowd", text: "More than a limit at once", fields: ["zone", "labels", "limit", "min_s", "anchor"] },
  { kind: "speed", text: "Faster than a limit", fields: ["zone", "labels", "limit_kmh", "min_s"] },
];

export const ZONE_NEEDED: ReadonlySet<string> = new Set(["zone", "loiter"]);

export interface NumberField {
  label: string;
  unit: string;
  usual: number;
  least: number;
  most: number;
}

export const NUMBERS: Partial<Record<RuleField, NumberField>> = {
  min_s: { label: "At least", unit: " s", usual: 0.6, least: 0, most: 86_400 },
  gap_s: { label: "Gaps up to", unit: " s", usual: 0.6, least: 0, most: 86_400 },
  after_s: { label: "Stays for", unit: " s", usual: 30, least: 0, most: 86_400 },
  every_s: { label: "Told every", unit: " s", usual: 10, least: 0, most: 86_400 },
  limit: { label: "More than", unit: "", usual: 1, least: 1, most: 10_000 },
  limit_kmh: { label: "Faster than", unit: " km/h", usual: 30, least: 1, most: 1_000 },
};

export const MODES = [
  { value: "strict", label: "strict: clearly over, between the two ends" },
  { value: "balanced", label: "balanced: gets clear of the line" },
  { value: "loose", label: "loose: every change of sides" },
];
export const ANCHORS = [
  { value: "bottom", label: "bottom of the box" },
  { value: "center", label: "middle of the box (camera looks straight down)" },
];
