import type { BulkRequest } from "~/api/types";
import { many } from "~/format/numbers";

export type ActionKey = "label" | "group" | "pin" | "unpin" | "release" | "restart" | "block" | "decommission";

export interface BulkAction {
  key: ActionKey;
  text: string;
  /** Consequences for this number of devices, shown before confirmation. */
  consequences: (devices: number) => string[];
  isDestructive?: boolean;
  /** The minimum role. */
  role: "operator" | "admin";
  max?: number;
}

const REMOVED_MAX = 500;

export const ACTIONS: readonly BulkAction[] = [
  {
    key: "label",
    text: "Labels",
    role: "operator",
    consequences: (devices) => [`${many(devices, "device gets", "devices get")} the labels below; other labels stay.`, "Groups and rollouts that include late joiners select by labels: devices may join them."],
  },
  {
    key: "group",
    text: "Add to group",
    role: "operator",
    consequences: (devices) => [`${many(devices, "device is", "devices are")} added to the group by name, independent of labels.`],
  },
  {
    key: "pin",
    text: "Pin",
    role: "operator",
    consequences: (devices) => [`The slot of ${many(devices, "device")} stays at its running version; rollouts skip it until it is unpinned.`, "Devices that run nothing in that slot are skipped and listed."],
  },
  {
    key: "unpin",
    text: "Unpin",
    role: "operator",
    consequences: (devices) => [`The slot of ${many(devices, "device")} follows rollouts again, starting with the next one.`, "Nothing changes on a device now."],
  },
  {
    key: "release",
    text: "Release",
    role: "operator",
    consequences: (devices) => [`Ends the exclusion of ${many(devices, "device")}: rollouts retry immediately.`],
  },
  {
    key: "restart",
    text: "Restart the worker",
    role: "operator",
    consequences: (devices) => [`Every pipeline of ${many(devices, "device")} stops for about two seconds.`, "Offline devices execute it if they reconnect within five minutes."],
  },
  {
    key: "block",
    text: "Block",
    role: "operator",
    isDestructive: true,
    max: REMOVED_MAX,
    consequences: (devices) => [`The certificates of ${many(devices, "device")} are revoked, their sessions end, and they cannot enrol until they are unblocked.`, "They keep running their models but no longer report.", "Devices are unblocked one by one, and each must enrol again."],
  },
  {
    key: "decommission",
    text: "Decommission",
    role: "admin",
    isDestructive: true,
    max: REMOVED_MAX,
    consequences: (devices) => [`${many(devices, "device is", "devices are")} removed from the fleet: certificates are revoked; telemetry, events, labels and history are deleted.`, "This cannot be undone. To return, a device must enrol again with a new token."],
  },
];

export interface Details {
  labels: string[];
  removed: string[];
  group: string;
  slot: string;
  reason: string;
}

/** The first missing input; empty if the form is complete. */
export function missingInput(action: BulkAction, details: Details): string {
  if (action.key === "label" && !details.labels.length && !details.removed.length) return "Enter a label to set or remove.";
  if (action.key === "group" && !/^[a-z0-9][a-z0-9_.-]*$/.test(details.group)) return "Enter a group name: lower case letters, digits, dashes.";
  return (action.key === "pin" || action.key === "unpin") && !details.slot ? "Enter the slot." : "";
}

type Body = Pick<BulkRequest, "action"> & Partial<BulkRequest>;

/** The request body of an action; adding to a group uses another request. */
export function bodyOf(action: ActionKey, { labels, removed, slot, reason }: Details): Body {
  if (action === "restart" || action === "group") return { action: "command", op: "restart" };
  if (action === "label") {
    const set = Object.fromEntries(labels.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
    return { action, labels: { ...Object.fromEntries(removed.map((name) => [name, null])), ...set } };
  }
  return action === "release" || action === "decommission" ? { action } : { action, slot: action === "block" ? null : slot, reason };
}
