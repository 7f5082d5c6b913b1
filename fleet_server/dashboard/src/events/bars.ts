/** A part of a histogram. */
export const PARTS = 60;

/** Chosen bars of a histogram: from `from` to before `to`. */
export interface Bars {
  from: number;
  to: number;
}

/** The bar below a pointer `x` pixels from the left. */
export const barAt = (x: number, width: number, parts: number): number =>
  Math.min(parts - 1, Math.max(0, Math.floor((x / Math.max(width, 1)) * parts)));

export const between = (one: number, other: number): Bars => ({ from: Math.min(one, other), to: Math.max(one, other) + 1 });

/** Moves one end of the chosen bars by a key; undefined for other keys. At least one bar stays chosen. */
export function moved(bars: Bars, end: "from" | "to", key: string, parts: number): Bars | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -10,
    PageUp: 10,
    Home: -parts,
    End: parts,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  if (end === "from") return { ...bars, from: Math.min(bars.to - 1, Math.max(0, bars.from + step)) };
  return { ...bars, to: Math.max(bars.from + 1, Math.min(parts, bars.to + step)) };
}

interface Period {
  since_at: number;
  until_at: number;
}

/** The time at which bar `at` begins. */
export const timeOf = (at: number, parts: number, { since_at, until_at }: Period): number =>
  since_at + ((until_at - since_at) * at) / parts;
