import type { Setting } from "~/api/server";
import { bytes, capital, count } from "~/format/numbers";
import { span } from "~/format/time";

export type Edit = NonNullable<Setting["edit"]>;

const HOUR_S = 3_600;
const DAY_S = 86_400;
const MBIT = 125_000;

const UNITS: Record<Setting["unit"], (value: number) => string> = {
  "": count,
  s: span,
  bytes,
  bytes_per_s: (value) => `${count(value / MBIT)} Mbit/s`,
  per_minute: (value) => `${count(value)} per minute`,
  rows: count,
  days: (value) => `${count(value)} d`,
  percent: (value) => `${value} %`,
  frames: (value) => `${count(value)} frames`,
};

/** Formats the value of a setting. */
export function formatValue({ unit, edit }: Setting, value: Setting["value"]): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return (value === 0 && edit?.zero && capital(edit.zero)) || UNITS[unit](value);
  if (edit?.kind === "choice") return capital(value.replaceAll("-", " "));
  return value || "None";
}

/** Input unit of a number: its size in the setting's own unit, and its name. */
export function inputUnit({ unit, value, edit }: Setting): { size: number; name: string } {
  if (unit === "s") {
    if (typeof value === "number" && value >= 2 * DAY_S) return { size: DAY_S, name: " d" };
    return (edit?.low ?? 0) >= HOUR_S ? { size: HOUR_S, name: " h" } : { size: 1, name: " s" };
  }
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
