import type { DeviceFact, DeviceRow, DeviceStatus, SlotRow } from "~/api/types";
import type { Tone } from "./tones";

interface StateLabel {
  text: string;
  tone: Tone;
  help: string;
}

export const DEVICE_STATUS: Record<DeviceStatus, StateLabel> = {
  online: { text: "Online", tone: "ok", help: "Connected" },
  updating: { text: "Updating", tone: "busy", help: "Downloading, verifying or testing a new version" },
  attention: { text: "Attention", tone: "bad", help: "Operator action required" },
  offline: { text: "Offline", tone: "off", help: "Not connected. The device keeps running and reports when it reconnects" },
};

/** Filters of the device list. A device may match several. */
export const DEVICE_FACT: Record<DeviceFact, StateLabel> = {
  on_target: { text: "On target", tone: "ok", help: "All assigned slots run their target version" },
  updating: DEVICE_STATUS.updating,
  degraded: {
    text: "Degraded",
    tone: "warn",
    help: "Connected but unhealthy: stalled camera, low frame coverage, overheating, or full disk",
  },
  offline: DEVICE_STATUS.offline,
  flapping: { text: "Flapping", tone: "warn", help: "Reconnects repeatedly: unstable network or power, or crashes" },
  attention: { text: "Needs attention", tone: "bad", help: "Operator action required" },
  online: DEVICE_STATUS.online,
  off_target: { text: "Off target", tone: "warn", help: "At least one slot does not run its target version (drift)" },
  pinned: { text: "Pinned", tone: "off", help: "At least one slot is pinned to its current version" },
};
export const FACTS = Object.keys(DEVICE_FACT) as DeviceFact[];
/** The counts of the health strip. */
export const STRIP = ["on_target", "updating", "degraded", "offline", "flapping", "attention"] as const;

const PHASES: Record<string, StateLabel> = {
  absent: { text: "Empty", tone: "off", help: "No package has been activated in this slot" },
  fetching: { text: "Fetching", tone: "busy", help: "Downloading and verifying the package" },
  fetched: { text: "Fetched", tone: "busy", help: "Download complete" },
  verified: { text: "Verified", tone: "busy", help: "All hashes match" },
  staged: { text: "Staged", tone: "busy", help: "Passed the self-test on golden samples" },
  waiting_window: { text: "Waiting for window", tone: "warn", help: "Ready; activates when the maintenance window opens" },
  trial: { text: "On trial", tone: "busy", help: "Running on live frames; not committed yet" },
  committed: { text: "Committed", tone: "ok", help: "Passed its trial" },
  rolled_back: { text: "Rolled back", tone: "bad", help: "The new version failed; the device runs the previous version" },
  refused: { text: "Rejected", tone: "bad", help: "The device rejected this version and runs the previous version" },
  rollback_failed: { text: "Rollback failed", tone: "bad", help: "The device does not run a committed version" },
};

export const phaseLabel = (phase: string): StateLabel =>
  PHASES[phase] ?? { text: phase.replaceAll("_", " "), tone: "off", help: "" };

/** Status label of a device; "On target" if it is online and runs its targets. */
export function statusLabel(device: DeviceRow): StateLabel {
  const settled =
    device.status === "online" && device.slots.length > 0 && device.slots.every((slot) => slot.on_target && slot.running);
  return settled
    ? { text: "On target", tone: "ok", help: "Connected; all slots run their target version" }
    : DEVICE_STATUS[device.status];
}

/** The slot shown in lists: one that is updating or off target, else the detector, else the first. */
export function mainSlot(device: DeviceRow): SlotRow | undefined {
  const models = device.slots.filter(({ slot }) => !pipelineOf(slot));
  return (
    device.slots.find((slot) => !slot.on_target || isMoving(slot)) ?? models.find((slot) => slot.slot === "detector") ?? models[0]
  );
}

const PIPELINE = "pipeline-";

/** Name of the pipeline of a slot; undefined for a model slot. */
export const pipelineOf = (slot: string): string | undefined =>
  slot.startsWith(PIPELINE) ? slot.slice(PIPELINE.length) : undefined;

export const isMoving = (slot: SlotRow): boolean => phaseLabel(slot.phase).tone === "busy" || slot.phase === "waiting_window";

/** The slot whose model a shadow slot is compared with; undefined for any other slot. */
export const shadowed = (slot: string): string | undefined =>
  slot.startsWith("shadow-") ? slot.slice("shadow-".length) : undefined;
