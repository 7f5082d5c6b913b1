/** Shown for a number that is missing: null in JSON, or the result of a division by zero. */
export const NONE = "–";

/** A format of finite numbers. */
function finite(digits: number, more: Intl.NumberFormatOptions = {}): { format: (value: number) => string } {
  const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: digits, ...more });
  return { format: (value) => (Number.isFinite(value) ? numbers.format(value) : NONE) };
}

const whole = finite(0);
const oneDigit = finite(1);
const twoDigits = finite(2);
const threeFigures = finite(6, { maximumSignificantDigits: 3 });
const exact = finite(5);
const brief = finite(0, { notation: "compact" });
const fixedDigits = [0, 1, 2, 3].map((digits) => finite(digits, { minimumFractionDigits: digits }));
const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

const parts = new Intl.NumberFormat(undefined).formatToParts(-1_234_567.5);
const markOf = (type: Intl.NumberFormatPartTypes): string | undefined => parts.find((part) => part.type === type)?.value;
/** The marks of numbers in the viewer's language, for inputs. */
export const MARKS = { thousandSeparator: markOf("group") ?? " ", decimalSeparator: markOf("decimal") ?? "." } as const;

export const count = (value: number): string => whole.format(value);

/** "1 device", "12 devices" */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : more}`;

/** Three significant figures, of small numbers too: 0.00312. */
export const figures = (value: number): string => threeFigures.format(value);

/** All of a number that people enter or read: up to five decimals. */
export const plain = (value: number): string => exact.format(value);

/** A large number on a small place: 12k. */
export const compact = (value: number): string => (value > 9_999 ? brief : whole).format(value);

/** A difference, with its sign. */
export const signed = (value: number): string =>
  Number.isFinite(value) ? `${value > 0 ? "+" : value < 0 ? "−" : "±"}${short(Math.abs(value))}` : NONE;

/** Without the traces of binary fractions: 0.3, not 0.30000000000000004. */
export const rounded = (value: number): number => Number(value.toPrecision(12));

/** A coordinate of a drawing, which has no language. */
export const coordinate = (value: number): string => value.toFixed(1);

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

/** A share that is not 0 % unless nothing, and not 100 % unless all. Nothing has no share of nothing. */
export function percent(part: number, all: number): string {
  if (all === 0) return NONE;
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
export const celsius = (value: number): string => inUnit(value, "°C");
export const signedPercent = (value: number): string => (Number.isFinite(value) ? `${signed(value)} %` : NONE);
export const megabytes = (value: number): string => inUnit(value, "MB");
export const megabits = (value: number): string => inUnit(value, "Mbit/s");

/** A temperature. */
export const degrees = (value: number | null | undefined): string =>
  value !== null && value !== undefined && Number.isFinite(value) ? `${whole.format(value)} °C` : NONE;

/** With a fixed number of digits: scores, seconds, frames a second. */
export const fixed = (value: number | null | undefined, digits: 0 | 1 | 2 | 3): string =>
  value !== null && value !== undefined ? (fixedDigits[digits]?.format(value) ?? NONE) : NONE;

/** A delay with tenths of a second. */
export const tenths = (seconds: number): string => `${fixed(seconds, 1)} s`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
