import type { EventRow } from "~/api/types";

export type EvidenceKind = EventRow["evidence"][number];

/** URL of a snapshot or clip of an event. */
export const evidenceUrl = ({ device, event }: EventRow, kind: EvidenceKind): string =>
  `/api/v1/devices/${encodeURIComponent(device)}/events/${encodeURIComponent(String(event.id))}/${kind}`;
