import type { Setting } from "~/api/server";
import { bytes, capital, count, megabits, percentOf } from "~/format/numbers";
import { span } from "~/format/time";

export type Edit = NonNullable<Setting["edit"]>;

const DAY_S = 86_400;
const MBIT = 125_000;

const UNITS: Record<Setting["unit"], (value: number) => string> = {
  "": count,
  s: span,
  bytes,
  bytes_per_s: (value) => megabits(value / MBIT),
  per_minute: (value) => `${count(value)} per minute`,
  rows: count,
  days: (value) => span(value * DAY_S),
  percent: percentOf,
  frames: (value) => `${count(value)} frames`,
};

/** Formats the value of a setting. */
export function formatValue({ unit, edit }: Setting, value: Setting["value"]): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return (value === 0 && edit?.zero && capital(edit.zero)) || UNITS[unit](value);
  if (edit?.kind === "choice") return capital(value.replaceAll("-", " "));
  return value || "None";
}

/** Input unit of a number that is no duration: its size in the setting's own unit, and its name. */
export function inputUnit({ unit }: Pick<Setting, "unit">): { size: number; name: string } {
  if (unit === "bytes_per_s") return { size: MBIT, name: " Mbit/s" };
  return { size: 1, name: { percent: " %", days: " d", per_minute: " per minute", rows: " rows" }[unit as string] ?? "" };
}

/** Validation error of a number; empty if valid. */
export function validationError(setting: Setting, value: number): string {
  const { low, high } = setting.edit ?? { low: 0, high: 0 };
  return value < low || value > high ? `Allowed: ${bounds(setting)}` : "";
}

export function bounds(setting: Setting): string {
  const { low, high, zero } = setting.edit ?? { low: 0, high: 0, zero: "" };
  return `${low === 0 && zero ? `0 (${zero})` : formatValue(setting, low)} to ${formatValue(setting, high)}`;
}
