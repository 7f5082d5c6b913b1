import { textIn, type RawSearch } from "~/search";

/** What the address of the page holds: the text in names, or one component with a filter of its versions. */
export interface ComponentsSearch {
  text?: string;
  name?: string;
  version?: string;
  ended?: string;
}

export const componentsSearch = (raw: RawSearch): ComponentsSearch => ({
  text: textIn(raw.text),
  name: textIn(raw.name),
  version: textIn(raw.version),
  ended: textIn(raw.ended),
});
