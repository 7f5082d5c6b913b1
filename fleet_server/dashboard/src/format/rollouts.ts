import type { AttemptRow, AttemptState, Outcomes, Rollout, RolloutState, Wave } from "~/api/types";
import type { Tone } from "./tones";

interface StateLabel {
  text: string;
  tone: Tone;
}

export const ROLLOUT_STATE: Record<RolloutState, StateLabel> = {
  draft: { text: "Draft", tone: "off" },
  awaiting_approval: { text: "Awaiting approval", tone: "warn" },
  running: { text: "Running", tone: "busy" },
  paused: { text: "Paused", tone: "warn" },
  completed: { text: "Completed", tone: "ok" },
  aborting: { text: "Aborting", tone: "warn" },
  aborted: { text: "Aborted", tone: "off" },
  rolling_back: { text: "Rolling back", tone: "warn" },
  rolled_back: { text: "Rolled back", tone: "bad" },
};

export const WAVE_STATE: Record<Wave["state"], StateLabel> = {
  pending: { text: "Pending", tone: "off" },
  running: { text: "Running", tone: "busy" },
  soaking: { text: "Soaking", tone: "busy" },
  passed: { text: "Passed", tone: "ok" },
  failed: { text: "Stopped by gate", tone: "bad" },
  skipped: { text: "Skipped", tone: "off" },
};

export const ATTEMPT_STATE: Record<AttemptState, StateLabel> = {
  queued: { text: "Queued", tone: "off" },
  offered: { text: "Offered", tone: "busy" },
  accepted: { text: "Accepted", tone: "busy" },
  fetching: { text: "Fetching", tone: "busy" },
  verified: { text: "Verified", tone: "busy" },
  staged: { text: "Staged", tone: "busy" },
  waiting_window: { text: "Waiting for window", tone: "warn" },
  trial: { text: "On trial", tone: "busy" },
  committed: { text: "Succeeded", tone: "ok" },
  regressed: { text: "Regressed", tone: "bad" },
  already_installed: { text: "Already installed", tone: "ok" },
  rejected: { text: "Rejected", tone: "bad" },
  rolled_back: { text: "Rolled back", tone: "bad" },
  rollback_failed: { text: "Rollback failed", tone: "bad" },
  timed_out: { text: "Timed out", tone: "bad" },
  incompatible: { text: "Incompatible", tone: "warn" },
  superseded: { text: "Superseded", tone: "off" },
  cancelled: { text: "Cancelled", tone: "off" },
};

export const attemptLabel = (state: string): StateLabel =>
  ATTEMPT_STATE[state as AttemptState] ?? { text: state.replaceAll("_", " "), tone: "off" };

/** Segments of a progress bar, in the order of an update: what the server counts the devices as. */
export const PHASES: readonly { key: string; text: string; outcomes: readonly (keyof Outcomes)[]; fill: string }[] = [
  { key: "done", text: "succeeded", outcomes: ["succeeded", "already_installed"], fill: "var(--ok-fill)" },
  {
    key: "untried",
    text: "not tried on frames",
    outcomes: ["untried", "unproven"],
    fill: "color-mix(in srgb, var(--ok-fill) 50%, var(--panel))",
  },
  { key: "trial", text: "on trial", outcomes: ["trial"], fill: "color-mix(in srgb, var(--busy-fill) 100%, transparent)" },
  { key: "staged", text: "staged", outcomes: ["staged"], fill: "color-mix(in srgb, var(--busy-fill) 70%, var(--panel))" },
  { key: "fetching", text: "fetching", outcomes: ["fetching"], fill: "color-mix(in srgb, var(--busy-fill) 42%, var(--panel))" },
  { key: "failed", text: "failed", outcomes: ["failed"], fill: "var(--bad-fill)" },
  { key: "faulted", text: "with faults of their own", outcomes: ["faulted"], fill: "var(--warn-fill)" },
  { key: "restored", text: "rolled back", outcomes: ["restored"], fill: "color-mix(in srgb, var(--off-fill) 70%, var(--panel))" },
  { key: "left", text: "skipped", outcomes: ["superseded", "cancelled", "incompatible"], fill: "var(--off-fill)" },
  { key: "queued", text: "queued", outcomes: ["queued"], fill: "var(--line-strong)" },
];

export function phaseCounts(counts: Outcomes | undefined): { key: string; text: string; fill: string; value: number }[] {
  return PHASES.map(({ key, text, outcomes, fill }) => ({
    key,
    text,
    fill,
    value: outcomes.reduce((sum, outcome) => sum + (counts?.[outcome] ?? 0), 0),
  }));
}

/** Devices that run the version, and nothing speaks against it. */
export const doneOf = ({ outcomes }: Pick<Rollout, "outcomes">): number =>
  outcomes ? outcomes.succeeded + outcomes.untried + outcomes.unproven + outcomes.already_installed : 0;

/** Whose fault a reason is. */
export const FAULTS: Record<NonNullable<AttemptRow["against"]>, string> = {
  version: "Failed",
  device: "Device fault",
  line: "Transfer fault",
  operator: "Set-up fault",
};

/** Label of an attempt: its state, or whose fault it was if it says nothing about the version. */
export function resultLabel({ state, outcome, against }: Pick<AttemptRow, "state" | "outcome" | "against">): StateLabel {
  if (outcome === "untried" || outcome === "unproven") return { text: "Not tried on frames", tone: "warn" };
  if (outcome === "restored") return { text: "Restored", tone: "off" };
  return outcome === "faulted" && against ? { text: FAULTS[against], tone: "warn" } : attemptLabel(state);
}

export const isLive = (state: RolloutState): boolean => ["running", "aborting", "rolling_back"].includes(state);

const PART_PHASE: Record<AttemptRow["parts"][string], string> = {
  absent: "not started",
  fetching: "fetching",
  fetched: "fetched",
  verified: "verified",
  staged: "staged, waiting for trial",
  waiting_window: "waiting for wave",
  trial: "on trial",
  committed: "committed",
  rolled_back: "rolled back",
  refused: "rejected",
  rollback_failed: "rollback failed",
  other: "another package",
};

/** Phase of a bundle part on a device. */
export const partPhaseLabel = (phase: AttemptRow["parts"][string]): string => PART_PHASE[phase];
