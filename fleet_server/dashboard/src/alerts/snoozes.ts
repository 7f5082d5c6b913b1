import type { Snooze } from "~/api/snoozes";

/** Describes what a snooze holds back: "Hot, group lyon". */
export const describeSnooze = ({ rule_name, group, device }: Pick<Snooze, "rule_name" | "group" | "device">): string =>
  [rule_name && `Rule ${rule_name}`, group && `Group ${group}`, device && `Device ${device}`].filter(Boolean).join(", ");

/** The value of an input of date and time for a moment, in local time: "2026-11-27T06:00". */
export function localInput(at: number): string {
  const local = new Date((at - new Date(at * 1000).getTimezoneOffset() * 60) * 1000);
  return local.toISOString().slice(0, 16);
}

/** The moment of such a value in seconds since 1970; null if it is none, or not after `now`. */
export function momentOf(value: string, now: number): number | null {
  const at = new Date(value).getTime() / 1000;
  return Number.isFinite(at) && at > now ? at : null;
}
