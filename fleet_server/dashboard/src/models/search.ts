import { textIn, type RawSearch } from "~/search";

/** What the address of a model's page holds: the version to compare with. */
export interface ModelSearch {
  against?: string;
}

export const modelSearch = (raw: RawSearch): ModelSearch => ({ against: textIn(raw.against) });
