import { textIn, type RawSearch } from "~/search";

/** What the address of the rollout wizard holds: choices made on the page that links to it. */
export interface WizardSearch {
  package?: string;
  version?: string;
  group?: string;
  slot?: string;
}

export const wizardSearch = (raw: RawSearch): WizardSearch => ({
  package: textIn(raw.package),
  version: textIn(raw.version),
  group: textIn(raw.group),
  slot: textIn(raw.slot),
});
