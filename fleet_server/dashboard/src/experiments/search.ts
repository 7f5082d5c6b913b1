import { oneOf, type RawSearch } from "~/search";

/** The steps of a new experiment, by their names in the address. The first one has none there. */
export const STEP_NAMES = ["versions", "devices", "method", "review"] as const;

/** What the address of a new experiment holds: the step. */
export interface NewExperimentSearch {
  step?: (typeof STEP_NAMES)[number];
}

export const newExperimentSearch = (raw: RawSearch): NewExperimentSearch => ({ step: oneOf(raw.step, STEP_NAMES) });
