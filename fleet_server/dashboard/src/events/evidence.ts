import type { EventRow } from "~/api/types";

export type EvidenceKind = EventRow["evidence"][number];

/** URL of a snapshot or clip of an event. */
export const evidenceUrl = ({ device, event }: EventRow, kind: EvidenceKind): string =>
  `/api/v1/devices/${encodeURIComponent(device)}/events/${encodeURIComponent(String(event.id))}/${kind}`;

const ENDINGS: Record<EvidenceKind, string> = { snapshot: "jpg", clip: "mp4" };

/** Name of a downloaded snapshot or clip. */
export const evidenceFile = ({ device, id }: EventRow, kind: EvidenceKind): string =>
  `${device.replaceAll(/[^\w.-]+/g, "_")}-event-${id}.${ENDINGS[kind]}`;
