import { clockOf, momentAt } from "~/format/zone";

/** The period of a page: presets, or two times. All times are Unix seconds. */
const HOUR_S = 3_600;
const DAY_S = 86_400;
const NIGHT = { from: 22, to: 6 };
export const SHORTEST_S = 10;

export const PRESET_TEXT = {
  "1h": "Last hour",
  night: "Last night",
  "24h": "24 h",
  "7d": "7 days",
  "30d": "30 days",
  "6mo": "6 months",
} as const;
export type Preset = keyof typeof PRESET_TEXT;
export const DEFAULT_PRESET: Preset = "24h";
const SPAN_S: Partial<Record<Preset, number>> = {
  "1h": HOUR_S,
  "24h": DAY_S,
  "7d": 7 * DAY_S,
  "30d": 30 * DAY_S,
  "6mo": 183 * DAY_S,
};

/** Times as an address has them: a preset, or two times. */
export interface Times {
  range?: Preset;
  since?: number;
  until?: number;
}

/** `until` null: up to now, and on. */
export interface Range {
  since: number;
  until: number | null;
}

/** From 22:00 of yesterday to 06:00 of today, in the zone of the page. */
export function lastNight(now: number): Range & { until: number } {
  const today = clockOf(now);
  const at = (days: number, hour: number): number => momentAt({ ...today, day: today.day + days, hour, minute: 0 });
  return { since: at(-1, NIGHT.from), until: at(0, NIGHT.to) };
}

/** The period that an address names. */
export function rangeOf({ range, since, until }: Times, now: number): Range {
  if (since !== undefined && (until === undefined || until > since)) return { since, until: until ?? null };
  if (range === "night") return lastNight(now);
  return { since: now - (SPAN_S[range ?? DEFAULT_PRESET] ?? DAY_S), until: null };
}

/** The preset that is shown; undefined = times of its own. */
export const presetOf = ({ range, since, until }: Times): Preset | undefined =>
  since !== undefined && (until === undefined || until > since) ? undefined : (range ?? DEFAULT_PRESET);

/** The address of a period; whole seconds around it. */
export const timesOf = (since: number, until: number) => ({
  range: undefined,
  since: Math.max(0, Math.floor(since)),
  until: Math.ceil(until),
});

/** Twice the period around the same middle, but not beyond now. */
export function wider({ since, until }: Range, now: number): { since: number; until: number } {
  const end = Math.min(until ?? now, now);
  const half = Math.max((end - since) / 2, SHORTEST_S);
  const last = Math.min(now, end + half);
  return { since: Math.max(0, last - 4 * half), until: last };
}

/** Whether data may still come into a period. */
export const isOpen = ({ until }: Range, now: number): boolean => until === null || until > now;
