import { oneOf, textIn, type RawSearch } from "~/search";

/** The steps, by their names in the address. The first one has none there. */
export const STEP_NAMES = ["version", "devices", "strategy", "review"] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** What the address of the rollout wizard holds: choices made on the page that links to it, and the step. */
export interface WizardSearch {
  package?: string;
  version?: string;
  group?: string;
  slot?: string;
  step?: StepName;
}

export const wizardSearch = (raw: RawSearch): WizardSearch => ({
  package: textIn(raw.package),
  version: textIn(raw.version),
  group: textIn(raw.group),
  slot: textIn(raw.slot),
  step: oneOf(raw.step, STEP_NAMES),
});

/** The choices of the link alone, as text: what a draft is of. */
export const linkOf = ({ step: _, ...link }: WizardSearch): string => JSON.stringify(link);
