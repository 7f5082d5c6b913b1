import type { RawSearch } from "~/search";

/** What the address of the alerts page holds: `past` shows closed alerts, too. */
export interface AlertsSearch {
  past?: true;
}

export const alertsSearch = (raw: RawSearch): AlertsSearch => ({ past: raw.past === true || raw.past === "true" || undefined });
