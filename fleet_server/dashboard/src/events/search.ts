import { oneOf, textIn, type RawSearch } from "~/search";

/** What the address of the events page holds. */
export interface EventsSearch {
  view?: "pictures";
  device?: string;
  kind?: string;
  label?: string;
}

export const eventsSearch = (raw: RawSearch): EventsSearch => ({
  device: textIn(raw.device),
  kind: textIn(raw.kind),
  label: textIn(raw.label),
  view: oneOf(raw.view, ["pictures"]),
});
