import type { Verdict } from "~/api/events";
import type { EventRow } from "~/api/types";
import { many } from "~/format/numbers";
import type { Tone } from "~/format/tones";

export const VERDICTS: readonly Verdict[] = ["seen", "confirmed", "false_alarm"];

/** `does`: the button, `key`: its key. */
export const VERDICT: Record<Verdict, { text: string; does: string; key: string; tone: Tone }> = {
  seen: { text: "Seen", does: "Seen", key: "s", tone: "off" },
  confirmed: { text: "Confirmed", does: "Confirm", key: "c", tone: "bad" },
  false_alarm: { text: "False alarm", does: "False alarm", key: "f", tone: "ok" },
};

export type Review = EventRow["review"];

/** The marks of a step back, as few requests: verdict (null: none) → events. */
export function backOf(rows: readonly EventRow[]): Map<Verdict | null, number[]> {
  const found = new Map<Verdict | null, number[]>();
  for (const { id, review } of rows) {
    const verdict = review?.verdict ?? null;
    found.set(verdict, [...(found.get(verdict) ?? []), id]);
  }
  return found;
}

/** "3 events marked as confirmed" */
export const marksText = (count: number, verdict: Verdict | null): string =>
  verdict ? `${many(count, "event")} marked as ${VERDICT[verdict].text.toLowerCase()}` : `${many(count, "event")} unmarked`;

/** The mark that a key sets: the same one twice removes it. */
export const toggled = (rows: readonly EventRow[], verdict: Verdict): Verdict | null =>
  rows.every(({ review }) => review?.verdict === verdict) ? null : verdict;

/** Ids from `one` to `other` in the order of the list, both included. */
export function stretch(ids: readonly number[], one: number, other: number): number[] {
  const [from, to] = [ids.indexOf(one), ids.indexOf(other)];
  if (from < 0 || to < 0) return [other];
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** The event `step` places on; the first one if `current` is not in the list, the same one at its ends. */
export function neighbour(ids: readonly number[], current: number | undefined, step: number): number | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  if (at < 0) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}
