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
    consequences: (devices) => [
      `${many(devices, "device gets", "devices get")} the labels below; other labels are kept.`,
      "The devices may join groups and rollouts (with late joiners) that select by these labels.",
    ],
  },
  {
    key: "group",
    text: "Add to group",
    role: "operator",
    consequences: (devices) => [
      `${many(devices, "device is", "devices are")} added to the group by ID, regardless of their labels.`,
    ],
  },
  {
    key: "pin",
    text: "Pin",
    role: "operator",
    consequences: (devices) => [
      `The slot of ${many(devices, "device")} stays on its running version. Rollouts skip it until it is unpinned.`,
      "Devices with an empty slot are skipped and listed.",
    ],
  },
  {
    key: "unpin",
    text: "Unpin",
    role: "operator",
    consequences: (devices) => [
      `The slot of ${many(devices, "device")} follows rollouts again, starting with the next one.`,
      "Running versions do not change now.",
    ],
  },
  {
    key: "release",
    text: "Release",
    role: "operator",
    consequences: (devices) => [`Ends the exclusion of ${many(devices, "device")}. Rollouts retry immediately.`],
  },
  {
    key: "restart",
    text: "Restart worker",
    role: "operator",
    consequences: (devices) => [
      `All pipelines of ${many(devices, "device")} stop for about 2 seconds.`,
      "Offline devices restart if they reconnect within 5 minutes.",
    ],
  },
  {
    key: "block",
    text: "Block device",
    role: "operator",
    isDestructive: true,
    max: REMOVED_MAX,
    consequences: (devices) => [
      `The certificates of ${many(devices, "device")} are revoked, their sessions end, and they cannot enroll until they are unblocked.`,
      "They keep running their models but no longer report.",
      "Each device must be unblocked individually and must enroll again.",
    ],
  },
  {
    key: "decommission",
    text: "Decommission",
    role: "admin",
    isDestructive: true,
    max: REMOVED_MAX,
    consequences: (devices) => [
      `${many(devices, "device is", "devices are")} removed from the fleet: certificates are revoked; telemetry, events, labels and history are deleted.`,
      "This cannot be undone. To rejoin, a device must enroll again with a new token.",
    ],
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
  if (action.key === "group" && !/^[a-z0-9][a-z0-9_.-]*$/.test(details.group))
    return "Enter a group name: lowercase letters, digits, ., _ and -.";
  return (action.key === "pin" || action.key === "unpin") && !details.slot ? "Enter a slot." : "";
}

type Body = Pick<BulkRequest, "action"> & Partial<BulkRequest>;

/** The request body of an action; adding to a group uses another request. */
export function bodyOf(action: ActionKey, { labels, removed, slot, reason }: Details): Body {
  if (action === "restart" || action === "group") return { action: "command", op: "restart" };
  if (action === "label") {
    const set = Object.fromEntries(labels.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
    return { action, labels: { ...Object.fromEntries(removed.map((name) => [name, null])), ...set } };
  }
  return action === "release" || action === "decommission"
    ? { action }
    : { action, slot: action === "block" ? null : slot, reason };
}
