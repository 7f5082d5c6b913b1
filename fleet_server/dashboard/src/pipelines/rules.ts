/** Kinds of rules, and the keys that their forms show. Defaults are those of the contract. */

export type RuleField =
  | "zone"
  | "line"
  | "labels"
  | "mode"
  | "min_s"
  | "gap_s"
  | "after_s"
  | "every_s"
  | "limit"
  | "limit_kmh"
  | "anchor";

export interface RuleKind {
  kind: string;
  text: string;
  fields: readonly RuleField[];
}

export const RULE_KINDS: readonly RuleKind[] = [
  { kind: "line", text: "Line crossing", fields: ["line", "labels", "mode", "anchor"] },
  { kind: "zone", text: "Zone presence", fields: ["zone", "labels", "min_s", "gap_s", "anchor"] },
  { kind: "loiter", text: "Loitering", fields: ["zone", "labels", "after_s", "min_s", "gap_s", "anchor"] },
  { kind: "visit", text: "Visit", fields: ["labels", "min_s", "gap_s"] },
  { kind: "count", text: "Count", fields: ["zone", "labels", "every_s"] },
  { kind: "occupancy", text: "Occupancy", fields: ["zone", "labels", "min_s", "anchor"] },
  { kind: "crowd", text: "Crowd", fields: ["zone", "labels", "limit", "min_s", "anchor"] },
  { kind: "speed", text: "Speed", fields: ["zone", "labels", "limit_kmh", "min_s"] },
];

export const ZONE_NEEDED: ReadonlySet<string> = new Set(["zone", "loiter"]);

export interface NumberField {
  label: string;
  unit: string;
  initial: number;
  min: number;
  max: number;
}

export const NUMBERS: Partial<Record<RuleField, NumberField>> = {
  min_s: { label: "Min duration", unit: " s", initial: 0.6, min: 0, max: 86_400 },
  gap_s: { label: "Max gap", unit: " s", initial: 0.6, min: 0, max: 86_400 },
  after_s: { label: "Loitering time", unit: " s", initial: 30, min: 0, max: 86_400 },
  every_s: { label: "Report interval", unit: " s", initial: 10, min: 0, max: 86_400 },
  limit: { label: "More than", unit: "", initial: 1, min: 1, max: 10_000 },
  limit_kmh: { label: "Speed threshold", unit: " km/h", initial: 30, min: 1, max: 1_000 },
};

export const MODES = [
  { value: "strict", label: "Strict: crosses completely, between the end points" },
  { value: "balanced", label: "Balanced: moves clear of the line" },
  { value: "loose", label: "Loose: every change of side" },
];
export const ANCHORS = [
  { value: "bottom", label: "Bottom of the box" },
  { value: "center", label: "Center of the box (top-down camera)" },
];
