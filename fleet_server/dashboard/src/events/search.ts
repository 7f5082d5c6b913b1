import type { EventConditions, FacetName } from "~/api/events";
import { numberIn, oneOf, stringifySearch, textIn, type RawSearch } from "~/search";
import { timesOf, type Preset } from "~/range/times";

export const PRESETS = ["1h", "night", "24h", "7d", "30d"] as const satisfies readonly Preset[];

/** What the address of the events page holds. `event`: the one whose details are open. */
export interface EventsSearch extends Partial<Record<FacetName, string>> {
  range?: Preset;
  since?: number;
  until?: number;
  text?: string;
  marked?: "yes" | "no";
  view?: "pictures";
  event?: number;
}

export const FACETS: readonly FacetName[] = ["device", "site", "kind", "label", "rule", "zone"];

export const eventsSearch = (raw: RawSearch): EventsSearch => ({
  range: oneOf(raw.range, PRESETS),
  since: numberIn(raw.since, 0),
  until: numberIn(raw.until, 1),
  device: textIn(raw.device),
  site: textIn(raw.site),
  kind: textIn(raw.kind),
  label: textIn(raw.label),
  rule: textIn(raw.rule),
  zone: textIn(raw.zone),
  text: textIn(raw.text),
  marked: oneOf(raw.marked, ["yes", "no"]),
  view: oneOf(raw.view, ["pictures"]),
  event: numberIn(raw.event),
});

/** An address without filters, apart from its times. */
export const NO_FILTER: EventsSearch = {
  device: undefined,
  site: undefined,
  kind: undefined,
  label: undefined,
  rule: undefined,
  zone: undefined,
  text: undefined,
  marked: undefined,
};

/** The conditions of an address, apart from its times. */
export const conditionsOf = ({ device, site, kind, label, rule, zone, text, marked }: EventsSearch): EventConditions => ({
  device,
  site,
  kind,
  label,
  rule,
  zone,
  text,
  reviewed: marked && marked === "yes",
});

/** Number of conditions. */
export const narrowedBy = (search: EventsSearch): number =>
  Object.values(conditionsOf(search)).filter((value) => value !== undefined).length;

/** The address of what is shown, for other people and later: with the times in place of a preset, which moves on. */
export const sharedSearch = (search: EventsSearch, since: number, until: number): string =>
  stringifySearch({ ...search, ...timesOf(since, until) });
