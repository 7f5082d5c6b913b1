import type { HistoryFigure } from "~/api/history";
import { timesOf, type Preset } from "~/range/times";
import { numberIn, oneOf, stringifySearch, textsIn, type RawSearch } from "~/search";
import { NAMES } from "./figures";

/** Devices in one comparison: so many lines differ clearly. */
export const DEVICES_MAX = 6;
export const PERIODS = ["1h", "24h", "7d", "30d", "6mo"] as const satisfies readonly Preset[];

/** What the address of the comparison holds. */
export interface CompareSearch {
  device?: string[];
  figure?: HistoryFigure;
  range?: Preset;
  since?: number;
  until?: number;
}

export const compareSearch = (raw: RawSearch): CompareSearch => ({
  device: textsIn(raw.device)
    ?.filter((each, at, all) => all.indexOf(each) === at)
    .slice(0, DEVICES_MAX),
  figure: oneOf(raw.figure, NAMES),
  range: oneOf(raw.range, PERIODS),
  since: numberIn(raw.since, 0),
  until: numberIn(raw.until, 1),
});

/** The address of what is shown, with the times in place of a preset, which moves on. */
export const sharedHistory = (search: object, since: number, until: number): string =>
  stringifySearch({ ...search, period: undefined, ...timesOf(since, until) });
