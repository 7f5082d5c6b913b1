import type { DeviceFact, DeviceRow, DeviceStatus, SlotRow } from "~/api/types";
import type { Tone } from "./tones";

interface Word {
  text: string;
  tone: Tone;
  help: string;
}

export const DEVICE_STATUS: Record<DeviceStatus, Word> = {
  online: { text: "Online", tone: "ok", help: "Connected now" },
  updating: { text: "Updating", tone: "busy", help: "Fetching, checking or trying another version" },
  attention: { text: "Attention", tone: "bad", help: "Something here needs a person" },
  offline: { text: "Offline", tone: "off", help: "Not connected; it goes on working and reports when it is back" },
};

/** What a list can be narrowed to. A device may be several of these at once. */
export const DEVICE_FACT: Record<DeviceFact, Word> = {
  on_target: { text: "On target", tone: "ok", help: "Every slot that something is assigned to runs that" },
  updating: DEVICE_STATUS.updating,
  degraded: { text: "Degraded", tone: "warn", help: "Connected, and its latest sample says that it does not do its work as it should: a camera that stalls, few frames looked at, too hot, no room on its disk" },
  offline: DEVICE_STATUS.offline,
  flapping: { text: "Flapping", tone: "warn", help: "Comes and goes again and again: a bad line, a bad power supply, or crashes" },
  attention: { text: "Needs attention", tone: "bad", help: "Something here needs a person" },
  online: DEVICE_STATUS.online,
  off_target: { text: "Off target", tone: "warn", help: "Runs something else than it shall" },
  pinned: { text: "Pinned", tone: "off", help: "A slot stays as it is, whatever is rolled out" },
};
export const FACTS = Object.keys(DEVICE_FACT) as DeviceFact[];
/** The six numbers of the health strip. */
export const STRIP = ["on_target", "updating", "degraded", "offline", "flapping", "attention"] as const;

const STAGES: Record<string, Word> = {
  absent: { text: "Nothing yet", tone: "off", help: "No package was ever active in this slot" },
  fetching: { text: "Fetching", tone: "busy", help: "Blocks of the package arrive and are verified one by one" },
  fetched: { text: "Fetched", tone: "busy", help: "All bytes are here" },
  verified: { text: "Verified", tone: "busy", help: "Every byte has the hash that the package promises" },
  staged: { text: "Staged", tone: "busy", help: "Tried in a process of its own, on golden samples" },
  waiting_window: { text: "Waits for its window", tone: "warn", help: "Ready; it switches when its maintenance window opens" },
  trial: { text: "On trial", tone: "busy", help: "Runs on live frames, not trusted yet" },
  committed: { text: "Trusted", tone: "ok", help: "Passed its trial" },
  rolled_back: { text: "Rolled back", tone: "bad", help: "The new version failed; the device runs the earlier one" },
  refused: { text: "Refused", tone: "bad", help: "The device would not take this version; it runs what it had" },
  rollback_failed: { text: "Rollback failed", tone: "bad", help: "The device is not on a version that it trusts" },
};

export const stageLabel = (stage: string): Word => STAGES[stage] ?? { text: stage.replaceAll("_", " "), tone: "off", help: "" };

/** The word of a row: an online device that runs what it shall run says so. */
export function statusLabel(device: DeviceRow): Word {
  const settled = device.status === "online" && device.slots.length > 0 && device.slots.every((slot) => slot.on_target && slot.running);
  return settled ? { text: "On target", tone: "ok", help: "Connected, and runs what it shall run" } : DEVICE_STATUS[device.status];
}

/** The slot that a list shows: the one that is busy or in trouble, else the detector, else the first. */
export function mainSlot(device: DeviceRow): SlotRow | undefined {
  const models = device.slots.filter(({ slot }) => !pipelineOf(slot));
  return device.slots.find((slot) => !slot.on_target || isMoving(slot)) ?? models.find((slot) => slot.slot === "detector") ?? models[0];
}

const PIPELINE = "pipeline-";

/** The pipeline that lives in a slot; nothing for a slot of models. */
export const pipelineOf = (slot: string): string | undefined => (slot.startsWith(PIPELINE) ? slot.slice(PIPELINE.length) : undefined);

export const isMoving = (slot: SlotRow): boolean => stageLabel(slot.stage).tone === "busy" || slot.stage === "waiting_window";

/** The slot that a candidate's slot stands beside; nothing for any other slot. */
export const shadowed = (slot: string): string | undefined => (slot.startsWith("shadow-") ? slot.slice("shadow-".length) : undefined);
