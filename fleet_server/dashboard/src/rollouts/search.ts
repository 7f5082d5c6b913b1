import { ATTEMPT_STATES, type AttemptState } from "~/api/types";
import { numberIn, oneOf, textIn, type RawSearch } from "~/search";

/** States that the list of rollouts can be filtered by. */
export const ROLLOUT_FILTERS = ["running", "paused", "draft", "completed", "aborted", "rolled_back"] as const;

/** What the address of the list of rollouts holds. */
export interface RolloutsSearch {
  state?: (typeof ROLLOUT_FILTERS)[number];
  page?: number;
}

export const rolloutsSearch = (raw: RawSearch): RolloutsSearch => ({
  state: oneOf(raw.state, ROLLOUT_FILTERS),
  page: numberIn(raw.page),
});

/** What the address of a rollout's page holds: the filter of its devices. */
export interface RolloutSearch {
  wave?: number;
  state?: AttemptState;
  device?: string;
  page?: number;
}

export const rolloutSearch = (raw: RawSearch): RolloutSearch => ({
  wave: numberIn(raw.wave, 0),
  state: oneOf(raw.state, ATTEMPT_STATES),
  device: textIn(raw.device),
  page: numberIn(raw.page),
});
