import { DEVICE_SORTS, type DeviceFact, type DeviceSort } from "~/api/types";
import { FACTS } from "~/format/devices";
import { numberIn, oneOf, textIn, textsIn, type RawSearch } from "~/search";

/** What the address of the fleet page holds. */
export interface FleetSearch {
  search?: string;
  status?: DeviceFact;
  package?: string;
  version?: string;
  slot?: string;
  group?: string;
  query?: string;
  view?: "map";
  label?: string[];
  sort?: DeviceSort;
  page?: number;
  size?: number;
}

export const fleetSearch = (raw: RawSearch): FleetSearch => ({
  search: textIn(raw.search),
  status: oneOf(raw.status, FACTS),
  package: textIn(raw.package),
  version: textIn(raw.version),
  slot: textIn(raw.slot),
  group: textIn(raw.group),
  query: textIn(raw.query),
  view: oneOf(raw.view, ["map"]),
  label: textsIn(raw.label),
  sort: oneOf(raw.sort, DEVICE_SORTS),
  page: numberIn(raw.page),
  size: numberIn(raw.size),
});

/** The device filter of an address, with the defaults of the list. */
export const filterOf = ({ view: _, ...filter }: FleetSearch) => ({
  ...filter,
  page: filter.page ?? 1,
  size: filter.size ?? 25,
  sort: filter.sort ?? "id",
});
