import type { FigureHistory, HistoryFigure, UpdateMark } from "~/api/history";
import { HUES } from "~/charts/lines";
import { clockShort, date, dateTime, dayShort, dayTime, monthShort, utcDate } from "~/format/time";
import { attemptLabel } from "~/format/rollouts";
import { clockOf } from "~/format/zone";
import { scaled } from "./figures";

const DAY_S = 86_400;
/** Lines differ in their dashes, too: in pixels, a line and a gap in turns. */
const DASHES: readonly number[][] = [[], [9, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 3, 2, 3, 2, 3]];

/** One figure of one device. Values in the unit that is shown; null where there was no sample. */
export interface Curve {
  device: string;
  colour: string;
  dash: number[];
  mean: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

/** The curves of a figure, in the order of the devices; devices without it have none. */
export function curvesOf({ devices }: FigureHistory, name: HistoryFigure): Curve[] {
  return devices.flatMap(({ device, figures }, at) => {
    const found = figures.find((figure) => figure.name === name);
    if (!found) return [];
    const shown = (values: (number | null)[]) => values.map((value) => scaled(name, value));
    return [
      {
        device,
        colour: HUES[at % HUES.length] ?? "#7a8699",
        dash: DASHES[at % DASHES.length] ?? [],
        mean: shown(found.mean),
        low: shown(found.low),
        high: shown(found.high),
      },
    ];
  });
}

/** The places of values with no value beside them: a line has no length there. */
export function alone(values: ArrayLike<number | null | undefined>): number[] {
  const places = Array.from(values, (value, at) => (value != null && values[at - 1] == null && values[at + 1] == null ? at : -1));
  return places.filter((at) => at >= 0);
}

/** The smallest and largest value with a margin; from 0, unless values are far from it. */
export function bounds(low: number | null | undefined, high: number | null | undefined): [number, number] {
  if (low == null || high == null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (low === 0 && high === 0) return [0, 1];
  const room = Math.max(high - low, Math.abs(high) * 0.02, 1e-9) * 0.12;
  const isFar = low > 0 && high - low < low * 0.5;
  return [low < 0 || isFar ? low - room : 0, high <= 0 ? 0 : high + room];
}

const isMidnight = (at: number): boolean => {
  const { hour, minute } = clockOf(at);
  return hour === 0 && minute === 0;
};

/** Times of an axis in the viewer's zone: hours, and days where one begins. `step_s`: between two of them. */
export const tickText = (at: number, step_s: number): string => {
  if (step_s >= 27 * DAY_S) return monthShort(at);
  return step_s >= DAY_S || isMidnight(at) ? dayShort(at) : clockShort(at);
};

/** The span that began at `at`: of a minute its time, of an hour both, of a day its date, which is in UTC. */
export function spanText(at: number, span_s: number): string {
  if (span_s >= DAY_S) return `${utcDate(at)} (UTC)`;
  if (span_s > 60) return `${dayTime(at)} – ${clockShort(at + span_s)}`;
  return date(at) === date(Date.now() / 1000) ? clockShort(at) : dayTime(at);
}

const SPAN_TEXT: Record<number, string> = { 60: "minute", 3600: "hour", 86400: "day" };
export const spanName = (span_s: number): string => SPAN_TEXT[span_s] ?? "span";

export interface Mark extends UpdateMark {
  device: string;
}

/** The updates of all devices in the order of their time. */
export const marksOf = ({ devices }: FigureHistory): Mark[] =>
  devices.flatMap(({ device, updates }) => updates.map((each) => ({ ...each, device }))).sort((a, b) => a.at - b.at);

/** "spotter 1.1.0 offered" */
export const markText = ({ package: name, version, state }: UpdateMark): string =>
  `${name} ${version}: ${attemptLabel(state).text.toLowerCase()}`;

export const markTime = (mark: UpdateMark): string => dateTime(mark.at);

/** Half of the period around a time, or as near to it as the period has room. */
export function nearer(at: number, since: number, until: number): { since: number; until: number } {
  const length = (until - since) / 2;
  const from = Math.min(Math.max(at - length / 2, since), until - length);
  return { since: from, until: from + length };
}
