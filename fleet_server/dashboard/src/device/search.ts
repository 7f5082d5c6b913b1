import { PERIODS } from "~/history/search";
import type { Times } from "~/range/times";
import { numberIn, oneOf, textIn, type RawSearch } from "~/search";

const TABS = ["live", "history", "pipelines", "updates", "events", "logs", "configuration", "diagnostics", "about"] as const;
/** Time spans of the charts. */
export const RANGES = ["5m", "30m", "6h", "24h"] as const;

/** What the address of a device's page holds. */
export interface DeviceSearch {
  tab?: (typeof TABS)[number];
  range?: (typeof RANGES)[number];
  pipeline?: string;
  /** The period of the history. */
  period?: Times["range"];
  since?: number;
  until?: number;
}

export const deviceSearch = (raw: RawSearch): DeviceSearch => ({
  tab: oneOf(raw.tab, TABS),
  range: oneOf(raw.range, RANGES),
  pipeline: textIn(raw.pipeline),
  period: oneOf(raw.period, PERIODS),
  since: numberIn(raw.since, 0),
  until: numberIn(raw.until, 1),
});
