import type { Snooze } from "~/api/snoozes";
import { fieldTime } from "~/format/zone";

/** Describes what a snooze holds back: "Hot, group lyon". */
export const describeSnooze = ({ rule_name, group, device }: Pick<Snooze, "rule_name" | "group" | "device">): string =>
  [rule_name && `Rule ${rule_name}`, group && `Group ${group}`, device && `Device ${device}`].filter(Boolean).join(", ");

/** The moment of an input's value; null if it is none, or not after `now`. */
export function momentOf(value: string, now: number): number | null {
  const at = fieldTime(value);
  return at !== undefined && at > now ? at : null;
}
