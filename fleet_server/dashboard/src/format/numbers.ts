const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

export const count = (value: number): string => whole.format(value);

/** "1 device", "12 devices" */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : more}`;

/** Three significant figures, at most: 4.21, 31.5, 248. */
export function short(value: number): string {
  if (Math.abs(value) >= 100) return whole.format(value);
  return Math.abs(value) >= 10 ? oneDigit.format(value) : twoDigits.format(Math.abs(value) < 0.005 ? 0 : value);
}

export function bytes(value: number): string {
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
  if (exact > 0 && exact < 1) return "< 1 %";
  if (exact > 99 && exact < 100) return "> 99 %";
  return `${whole.format(exact)} %`;
}

export const percentOf = (value: number): string => `${short(value)} %`;
export const milliseconds = (value: number): string => `${short(value)} ms`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
