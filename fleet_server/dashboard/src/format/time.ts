import { NONE } from "./numbers";
import { timeZone } from "./zone";

const STEPS: readonly (readonly [number, string])[] = [
  [86_400 * 365, "y"],
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long", timeZone });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone });
const dayAndSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", timeZone });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", timeZone });
const hourAndMinute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone,
});

const dayOfMonth = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone });
const monthOfYear = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone });
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

export const now_s = (): number => Date.now() / 1000;

/** A duration in its largest unit, with the next one if the first is small: "48 s", "3 min", "1 h 20 min", "12 d". */
export function span(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  const total = Math.max(0, Math.round(seconds));
  for (const [at, [size, unit]] of STEPS.entries()) {
    if (total < size) continue;
    const first = Math.floor(total / size);
    const next = STEPS[at + 1];
    const rest = next ? Math.floor((total - first * size) / next[0]) : 0;
    return first < 3 && next && rest && size > 60 ? `${first} ${unit} ${rest} ${next[1]}` : `${first} ${unit}`;
  }
  return "0 s";
}

/** Units of durations that are entered. */
export const DURATION_UNITS = ["s", "min", "h", "d"];
export const sizeOf = (unit: string): number => STEPS.find(([, name]) => name === unit)?.[0] ?? 1;

/** The number of units, if it has two decimals at most. */
export function inUnit(seconds: number, unit: string): number | undefined {
  const found = seconds / sizeOf(unit);
  return Math.abs(found * 100 - Math.round(found * 100)) < 1e-6 ? found : undefined;
}

/** The largest unit of which a duration has a whole number. */
export const unitOf = (seconds: number): string =>
  (seconds > 0 && DURATION_UNITS.findLast((unit) => Number.isInteger(seconds / sizeOf(unit)))) || "s";

export const ago = (at: number, now: number): string => (now - at < 2 ? "now" : `${span(now - at)} ago`);

/** In the zone of the page, which is named. */
export const absolute = (at: number): string => full.format(at * 1000);
/** A time of today, or a day and a time. */
export const clockTime = (at: number, now = now_s()): string =>
  (date(at) === date(now) ? clock : dayAndSeconds).format(at * 1000);
export const date = (at: number): string => day.format(at * 1000);
export const clockShort = (at: number): string => hourAndMinute.format(at * 1000);
/** Of an axis: "Nov 27", "Nov 2026". */
export const dayShort = (at: number): string => dayOfMonth.format(at * 1000);
export const monthShort = (at: number): string => monthOfYear.format(at * 1000);
/** The date in UTC. */
export const utcDate = (at: number): string => utcDay.format(at * 1000);
export const dayTime = (at: number): string => dayAndClock.format(at * 1000);
/** A day with its year, and a time with seconds. */
export const dateTime = (at: number): string => dayAndSeconds.format(at * 1000);
