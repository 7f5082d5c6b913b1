import { textIn, type RawSearch } from "~/search";

/** What the address of the audit log holds. */
export interface AuditSearch {
  actor?: string;
  action?: string;
}

export const auditSearch = (raw: RawSearch): AuditSearch => ({ actor: textIn(raw.actor), action: textIn(raw.action) });
