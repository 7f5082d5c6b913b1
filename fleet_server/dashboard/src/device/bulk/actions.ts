import type { BulkRequest } from "~/api/types";
import { many } from "~/format/numbers";

export type ActionKey = "label" | "group" | "pin" | "unpin" | "release" | "restart" | "lock" | "decommission";

export interface BulkAction {
  key: ActionKey;
  text: string;
  /** What happens to so many devices, said before it is done. */
  consequences: (devices: number) => string[];
  hard?: boolean;
  /** The least role that may do it. */
  role: "operator" | "admin";
  most?: number;
}

const OUT_MAX = 500;

export const ACTIONS: readonly BulkAction[] = [
  {
    key: "label",
    text: "Labels",
    role: "operator",
    consequences: (devices) => [`${many(devices, "device gets", "devices get")} the labels below; their other labels stay.`, "Groups and rollouts that follow choose by labels: devices may join them from now on."],
  },
  {
    key: "group",
    text: "Add to group",
    role: "operator",
    consequences: (devices) => [`${many(devices, "device is", "devices are")} named in the group, whatever their labels become.`],
  },
  {
    key: "pin",
    text: "Pin",
    role: "operator",
    consequences: (devices) => [`The slot of ${many(devices, "device stays", "devices stays")} at what it runs now, whatever is rolled out, until it is unpinned.`, "Devices that run nothing in that slot are left out, and named."],
  },
  {
    key: "unpin",
    text: "Unpin",
    role: "operator",
    consequences: (devices) => [`The slot of ${many(devices, "device follows", "devices follows")} rollouts again, from the next one on.`, "Nothing changes on a device now."],
  },
  {
    key: "release",
    text: "Release",
    role: "operator",
    consequences: (devices) => [`Failures so far of ${many(devices, "device")} count no more: rollouts that set them aside try them again at once.`],
  },
  {
    key: "restart",
    text: "Restart the worker",
    role: "operator",
    consequences: (devices) => [`Every pipeline of ${many(devices, "device")} stops for about two seconds.`, "Devices that are offline do it if they come back within five minutes."],
  },
  {
    key: "lock",
    text: "Lock out",
    role: "operator",
    hard: true,
    most: OUT_MAX,
    consequences: (devices) => [`The certificates of ${many(devices, "device")} are revoked, their sessions end, and no token lets them in until they are unlocked.`, "What they run, they go on running; you will not hear of them.", "Unlocking is done device by device, and each has to enrol again."],
  },
  {
    key: "decommission",
    text: "Decommission",
    role: "admin",
    hard: true,
    most: OUT_MAX,
    consequences: (devices) => [`${many(devices, "device leaves", "devices leave")} the fleet: certificates are revoked; telemetry, events, labels and history are deleted.`, "This cannot be undone. A new token lets a device back in, as a stranger."],
  },
];

export interface Details {
  labels: string[];
  removed: string[];
  group: string;
  slot: string;
  reason: string;
}

/** What the form lacks, in one line; empty when nothing. */
export function lacking(action: BulkAction, details: Details): string {
  if (action.key === "label" && !details.labels.length && !details.removed.length) return "Name a label to set or to remove.";
  if (action.key === "group" && !/^[a-z0-9][a-z0-9_.-]*$/.test(details.group)) return "Name the group: lower case letters, digits, dashes.";
  return (action.key === "pin" || action.key === "unpin") && !details.slot ? "Name the slot." : "";
}

type Body = Pick<BulkRequest, "action"> & Partial<BulkRequest>;

/** The request of an action; that of a group is another one. */
export function bodyOf(action: ActionKey, { labels, removed, slot, reason }: Details): Body {
  if (action === "restart" || action === "group") return { action: "command", op: "restart" };
  if (action === "label") {
    const set = Object.fromEntries(labels.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
    return { action, labels: { ...Object.fromEntries(removed.map((name) => [name, null])), ...set } };
  }
  return action === "release" || action === "decommission" ? { action } : { action, slot: action === "lock" ? null : slot, reason };
}
