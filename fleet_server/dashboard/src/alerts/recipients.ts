import type { Recipient, RecipientKind, RecipientRequest } from "~/api/recipients";
import { SEVERITY } from "./format";

export const KINDS: Record<RecipientKind, string> = {
  email: "Email",
  slack: "Slack",
  teams: "Microsoft Teams",
  pagerduty: "PagerDuty",
  ntfy: "ntfy",
  webhook: "Webhook",
  push: "Browser",
};

/** What a person enters of a kind, beside name and routing. `secret`: its label; `needsSecret`: it cannot be without. */
interface Fields {
  url?: string;
  secret?: string;
  secretHelp?: string;
  needsSecret?: boolean;
  topic?: boolean;
  emails?: boolean;
}

export const FIELDS: Record<Exclude<RecipientKind, "push">, Fields> = {
  email: { emails: true },
  slack: { secret: "Webhook URL", secretHelp: "Of an incoming webhook: https://hooks.slack.com/services/…", needsSecret: true },
  teams: {
    secret: "Workflow URL",
    secretHelp: "Of the workflow “Post to a channel when a webhook request is received”",
    needsSecret: true,
  },
  pagerduty: {
    secret: "Integration key",
    secretHelp: "Of an Events API v2 integration, 32 characters",
    needsSecret: true,
    url: "Server",
  },
  ntfy: { topic: true, url: "Server", secret: "Access token", secretHelp: "Only if the topic is protected" },
  webhook: { url: "URL", secret: "Secret", secretHelp: "Signs the requests" },
};

/** The servers that are used where none is given. */
export const SERVERS: Partial<Record<RecipientKind, string>> = {
  pagerduty: "https://events.pagerduty.com/v2/enqueue",
  ntfy: "https://ntfy.sh",
};

export interface RecipientDraft {
  name: string;
  kind: Exclude<RecipientKind, "push">;
  url: string;
  secret: string;
  topic: string;
  emails: string[];
  groups: string[];
  severities: Recipient["severities"];
}

export const NEW_RECIPIENT: RecipientDraft = {
  name: "",
  kind: "email",
  url: "",
  secret: "",
  topic: "",
  emails: [],
  groups: [],
  severities: [],
};

/** The request of a draft: only what its kind has. */
export function recipientRequest(draft: RecipientDraft): RecipientRequest {
  const fields = FIELDS[draft.kind];
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    url: fields.url ? draft.url.trim() : "",
    secret: fields.secret ? draft.secret.trim() : "",
    topic: fields.topic ? draft.topic.trim() : "",
    emails: fields.emails ? draft.emails : [],
    key: "",
    groups: draft.groups,
    severities: draft.severities,
    enabled: true,
  };
}

/** Describes a recipient: "Slack, critical, group lyon". */
export function describeRecipient(one: Recipient): string {
  const where = one.emails.length ? one.emails.join(", ") : one.topic;
  const severities = one.severities.map((severity) => SEVERITY[severity].text.toLowerCase()).join(" and ");
  const groups = one.groups.length ? `${one.groups.length > 1 ? "groups" : "group"} ${one.groups.join(", ")}` : "";
  return [KINDS[one.kind], where, severities || "all severities", groups || "all devices"].filter(Boolean).join(", ");
}

/** Bytes of base64url, as browsers want the key of a server. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** A name for this browser: "Firefox on Linux". */
export function browserName(agent: string): string {
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((word) => agent.includes(word)) ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0];
  return `${browser === "Edg" ? "Edge" : browser}${system ? ` on ${system}` : ""}`;
}
