/** A pipeline as data, as parsed by the server. Keys unknown to the editor are preserved. */

export type Point = [number, number];

export interface Zone {
  name: string;
  polygon: Point[];
  fps?: number;
}
export interface Mask {
  name: string;
  polygon: Point[];
  fill?: "black" | "blur";
}
export interface Line {
  name: string;
  points: [Point, Point];
  forward?: string;
  backward?: string;
}
export interface Stage {
  name: string;
  kind: string;
  from?: string;
  model?: string;
  labels?: string[];
  min_score?: number;
  every?: number;
  options?: Record<string, unknown>;
  [other: string]: unknown;
}
export interface Rule {
  name: string;
  kind: string;
  zone?: string;
  line?: string;
  labels?: string[];
  mode?: string;
  min_s?: number;
  gap_s?: number;
  after_s?: number;
  every_s?: number;
  limit?: number;
  limit_kmh?: number;
  anchor?: string;
  [other: string]: unknown;
}
export interface Source {
  kind: string;
  uri?: string;
  fps?: number;
  credentials?: string;
  [other: string]: unknown;
}
export interface Section {
  devices: string[];
  [key: string]: unknown;
}
export interface Spec {
  name: string;
  source: Source;
  stages?: Stage[];
  zones?: Zone[];
  lines?: Line[];
  masks?: Mask[];
  rules?: Rule[];
  for?: Section[];
  [other: string]: unknown;
}

export type ShapeKind = "zones" | "lines" | "masks";
export interface ShapeRef {
  kind: ShapeKind;
  index: number;
}

export const ONE: Record<ShapeKind, string> = { lines: "line", zones: "zone", masks: "mask" };
const DIGITS = 10_000;

export const specOf = (plain: Record<string, unknown>): Spec => plain as unknown as Spec;
export const plainOf = (spec: Spec): Record<string, unknown> => spec as unknown as Record<string, unknown>;

const within = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * DIGITS) / DIGITS;
export const at = (x: number, y: number): Point => [within(x), within(y)];

/** The corners of a shape, or the ends of a line. */
export function pointsOf(spec: Spec, { kind, index }: ShapeRef): Point[] {
  return kind === "lines" ? (spec.lines?.[index]?.points ?? []) : (spec[kind]?.[index]?.polygon ?? []);
}

export function withPoints(spec: Spec, { kind, index }: ShapeRef, points: Point[]): Spec {
  const [first, second] = points;
  if (kind === "lines") {
    if (!first || !second) return spec;
    return { ...spec, lines: spec.lines?.map((line, each) => (each === index ? { ...line, points: [first, second] } : line)) };
  }
  if (kind === "zones")
    return { ...spec, zones: spec.zones?.map((zone, each) => (each === index ? { ...zone, polygon: points } : zone)) };
  return { ...spec, masks: spec.masks?.map((mask, each) => (each === index ? { ...mask, polygon: points } : mask)) };
}

export const movedPoint = (points: Point[], place: number, to: Point): Point[] =>
  points.map((point, each) => (each === place ? to : point));

/** Moves a whole shape, within the frame. */
export function shifted(points: Point[], dx: number, dy: number): Point[] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const right = Math.min(Math.max(dx, -Math.min(...xs)), 1 - Math.max(...xs));
  const down = Math.min(Math.max(dy, -Math.min(...ys)), 1 - Math.max(...ys));
  return points.map(([x, y]) => at(x + right, y + down));
}

export function freeName(taken: readonly string[], stem: string): string {
  for (let number = 1; ; number += 1) if (!taken.includes(`${stem}-${number}`)) return `${stem}-${number}`;
}

/** Adds a shape and a rule for it: a line or zone without a rule creates no events. */
export function withShape(spec: Spec, kind: ShapeKind, points: Point[]): { spec: Spec; shape: ShapeRef } {
  const name = freeName(
    (spec[kind] ?? []).map((each) => each.name),
    ONE[kind],
  );
  const shape = { kind, index: spec[kind]?.length ?? 0 };
  const [first, second] = points;
  if (kind === "masks") return { spec: { ...spec, masks: [...(spec.masks ?? []), { name, polygon: points }] }, shape };
  const about = freeName(
    (spec.rules ?? []).map((rule) => rule.name),
    kind === "lines" ? "crossing" : "stay",
  );
  if (kind === "lines" && first && second) {
    const rules = [...(spec.rules ?? []), { name: about, kind: "line", line: name }];
    return { spec: { ...spec, lines: [...(spec.lines ?? []), { name, points: [first, second] }], rules }, shape };
  }
  const rules = [...(spec.rules ?? []), { name: about, kind: "zone", zone: name }];
  return { spec: { ...spec, zones: [...(spec.zones ?? []), { name, polygon: points }], rules }, shape };
}

/** Removes a shape and the rules that use it. */
export function withoutShape(spec: Spec, { kind, index }: ShapeRef): Spec {
  const name = spec[kind]?.[index]?.name;
  const key = kind === "lines" ? "line" : "zone";
  const rules = kind === "masks" ? spec.rules : spec.rules?.filter((rule) => rule[key] !== name);
  if (kind === "lines") return { ...spec, rules, lines: spec.lines?.filter((_, each) => each !== index) };
  if (kind === "zones") return { ...spec, rules, zones: spec.zones?.filter((_, each) => each !== index) };
  return { ...spec, masks: spec.masks?.filter((_, each) => each !== index) };
}

/** Renames a shape, also in the rules that use it. */
export function renamed(spec: Spec, { kind, index }: ShapeRef, name: string): Spec {
  const old = spec[kind]?.[index]?.name;
  const key = kind === "lines" ? "line" : "zone";
  const rules = kind === "masks" ? spec.rules : spec.rules?.map((rule) => (rule[key] === old ? { ...rule, [key]: name } : rule));
  if (kind === "lines")
    return { ...spec, rules, lines: spec.lines?.map((line, each) => (each === index ? { ...line, name } : line)) };
  if (kind === "zones")
    return { ...spec, rules, zones: spec.zones?.map((zone, each) => (each === index ? { ...zone, name } : zone)) };
  return { ...spec, masks: spec.masks?.map((mask, each) => (each === index ? { ...mask, name } : mask)) };
}

const PARTS = ["source", "stages", "zones", "lines", "masks", "plane", "rules", "schedule", "evidence"] as const;

/** JSON without empty lists: a shape drawn and deleted again leaves one behind. */
const bare = (spec: Spec): string =>
  JSON.stringify(spec, (_, value: unknown) => (Array.isArray(value) && !value.length ? undefined : value));
export const isSame = (one: Spec, other: Spec): boolean => one === other || bare(one) === bare(other);

/** The fleet's document with `edited` for one device (`alone`), or for all devices. */
export function documentFor(base: Spec | null, edited: Spec, device: string, alone: boolean): Spec {
  if (!base) return edited;
  const others = (base.for ?? [])
    .map((section) => ({ ...section, devices: section.devices.filter((each) => each !== device) }))
    .filter((section) => section.devices.length);
  const sections = (own: Section[]) => (others.length + own.length ? { for: [...others, ...own] } : {});
  const { for: _, ...plain } = base;
  if (!alone) return { ...edited, ...sections([]) };
  const changed = PARTS.filter((key) => JSON.stringify(edited[key] ?? null) !== JSON.stringify(plain[key] ?? null));
  const own = changed.length
    ? [{ devices: [device], ...Object.fromEntries(changed.map((key) => [key, edited[key] ?? []])) }]
    : [];
  return { ...plain, ...sections(own) } as Spec;
}

export interface DiffLine {
  is: "same" | "removed" | "added";
  text: string;
}

/** Two texts, line by line: the longest common part stays. */
export function diff(before: string, after: string): DiffLine[] {
  const a = before.trimEnd().split("\n");
  const b = after.trimEnd().split("\n");
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ is: "same", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))) {
      lines.push({ is: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      lines.push({ is: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}
