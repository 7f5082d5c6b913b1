import type { EventRow } from "~/api/types";
import { fixed } from "~/format/numbers";

/** A device's event record, parsed leniently: newer agents may add keys. */
export interface DeviceEvent {
  kind: string;
  at: number;
  phase: string;
  pipeline: string;
  rule: string;
  label: string;
  track: number | null;
  zone: string;
  line: string;
  direction: string;
  count: number | null;
  score: number | null;
  box: number[] | null;
  coverage: number | null;
  start_s: number | null;
  end_s: number | null;
  model: string;
  digest: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

export function eventOf({ event, received_at }: EventRow): DeviceEvent {
  const box =
    Array.isArray(event.box) && event.box.length === 4 && event.box.every((each) => typeof each === "number")
      ? (event.box as number[])
      : null;
  return {
    kind: text(event.kind) || "event",
    at: number(event.at) ?? received_at,
    phase: text(event.phase),
    pipeline: text(event.pipeline),
    rule: text(event.rule),
    label: text(event.label),
    track: number(event.track_id),
    zone: text(event.zone),
    line: text(event.line),
    direction: text(event.direction),
    count: number(event.count),
    score: number(event.score),
    box,
    coverage: number(event.coverage),
    start_s: number(event.start_s),
    end_s: number(event.end_s),
    model: text(event.model),
    digest: text(event.model_digest),
  };
}

/** "gear crossed exit, forward, #12", "3 × washer", "dent in belt" */
export function sentence({ kind, label, zone, line, direction, count, start_s, end_s }: DeviceEvent): string {
  const what = label.replaceAll("_", " ") || "object";
  if (line) return `${what} crossed ${line}${direction && `, ${direction}`}${count === null ? "" : `, #${count}`}`;
  if (count !== null) return `${count} × ${what}${zone && ` in ${zone}`}`;
  if (zone) return `${what} in ${zone}`;
  if (kind === "visit" && start_s !== null && end_s !== null) return `${what} for ${fixed(end_s - start_s, 1)} s`;
  return what;
}
