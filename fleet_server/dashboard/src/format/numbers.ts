/** Shown for a number that is missing: null in JSON, or the result of a division by zero. */
export const NONE = "–";

/** A format of finite numbers. */
function finite(digits: number): { format: (value: number) => string } {
  const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: digits });
  return { format: (value) => (Number.isFinite(value) ? numbers.format(value) : NONE) };
}

const whole = finite(0);
const oneDigit = finite(1);
const twoDigits = finite(2);
const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

export const count = (value: number): string => whole.format(value);

/** "1 device", "12 devices" */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : more}`;

/** Three significant figures, at most: 4.21, 31.5, 248. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  if (Math.abs(value) >= 100) return whole.format(value);
  return Math.abs(value) >= 10 ? oneDigit.format(value) : twoDigits.format(Math.abs(value) < 0.005 ? 0 : value);
}

export function bytes(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  let rest = value;
  let unit = 0;
  while (rest >= 999.5 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? whole.format(rest) : short(rest)} ${UNITS[unit] ?? "TB"}`;
}

/** A share that is not 0 % unless nothing, and not 100 % unless all. */
export function percent(part: number, all: number): string {
  if (all === 0) return "0 %";
  const exact = (100 * part) / all;
  if (!Number.isFinite(exact)) return NONE;
  if (exact > 0 && exact < 1) return "< 1 %";
  if (exact > 99 && exact < 100) return "> 99 %";
  return `${whole.format(exact)} %`;
}

/** A number with its unit, which a missing one does not have. */
const inUnit = (value: number, unit: string): string => (Number.isFinite(value) ? `${short(value)} ${unit}` : NONE);
export const percentOf = (value: number): string => inUnit(value, "%");
export const milliseconds = (value: number): string => inUnit(value, "ms");

/** A temperature. */
export const degrees = (value: number | null | undefined): string =>
  value !== null && value !== undefined && Number.isFinite(value) ? `${Math.round(value)} °C` : NONE;

/** With a fixed number of digits: scores, seconds, frames a second. */
export const fixed = (value: number | null | undefined, digits: number): string =>
  value !== null && value !== undefined && Number.isFinite(value) ? value.toFixed(digits) : NONE;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
