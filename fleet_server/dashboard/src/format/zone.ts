/** The time zone of all times: the browser's, or UTC where the viewer chose it; remembered by this browser. All seconds are Unix time. */

const KEY = "edgefleet-times";

function stored(): string | null {
  try {
    return globalThis.localStorage?.getItem(KEY) ?? null;
  } catch {
    return null; // the browser forbids storage
  }
}

export const isUtc = stored() === "utc";
/** For `Intl`; undefined = the browser's. */
export const timeZone = isUtc ? "UTC" : undefined;

/** Whether the choice can be remembered. */
export function chooseZone(utc: boolean): boolean {
  try {
    if (utc) localStorage.setItem(KEY, "utc");
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}

/** A moment as the viewer's clock shows it. `month`: 1 to 12. */
export interface Clock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

export function clockOf(at: number): Clock {
  const day = new Date(at * 1000);
  return isUtc
    ? {
        year: day.getUTCFullYear(),
        month: day.getUTCMonth() + 1,
        day: day.getUTCDate(),
        hour: day.getUTCHours(),
        minute: day.getUTCMinutes(),
      }
    : { year: day.getFullYear(), month: day.getMonth() + 1, day: day.getDate(), hour: day.getHours(), minute: day.getMinutes() };
}

/** The moment at which the viewer's clock shows this; days beyond a month's end are of the next one. */
export function momentAt({ year, month, day, hour, minute }: Clock): number {
  return (isUtc ? Date.UTC(year, month - 1, day, hour, minute) : new Date(year, month - 1, day, hour, minute).getTime()) / 1000;
}

/** "2026-11-27T14:05": the value of a field of date and time. */
export function fieldText(at: number): string {
  const { year, month, day, hour, minute } = clockOf(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** The moment of such a value; undefined if it is empty or not whole. */
export function fieldTime(text: string): number | undefined {
  const at = new Date(isUtc ? `${text}Z` : text).getTime() / 1000;
  return text && Number.isFinite(at) ? at : undefined;
}
