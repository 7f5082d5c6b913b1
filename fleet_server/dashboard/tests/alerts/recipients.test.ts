import { describe, expect, it } from "vitest";
import { browserName, bytesOf, describeRecipient, FIELDS, NEW_RECIPIENT, recipientRequest } from "~/alerts/recipients";
import type { Recipient } from "~/api/recipients";

const recipient = (more: Partial<Recipient>): Recipient => ({
  id: 1,
  name: "on call",
  kind: "slack",
  url: "",
  secret: "(hidden)",
  emails: [],
  topic: "",
  key: "",
  groups: [],
  severities: [],
  enabled: true,
  created_at: 0,
  created_by: "",
  ...more,
});

describe("a recipient of alerts", () => {
  it.each<[Partial<Recipient>, string]>([
    [{}, "Slack, all severities, all devices"],
    [{ kind: "email", emails: ["a@b", "c@d"], severities: ["critical"] }, "Email, a@b, c@d, critical, all devices"],
    [{ kind: "ntfy", topic: "fleet", groups: ["lyon", "osaka"] }, "ntfy, fleet, all severities, groups lyon, osaka"],
    [{ kind: "push", severities: ["warning", "critical"], groups: ["lyon"] }, "Browser, warning and critical, group lyon"],
  ])("%j is a sentence", (more, text) => {
    expect(describeRecipient(recipient(more))).toBe(text);
  });

  it("sends only what its kind has", () => {
    const filled = { ...NEW_RECIPIENT, name: " on call ", url: "https://x", secret: "s", topic: "t", emails: ["a@b"] };
    expect(recipientRequest({ ...filled, kind: "slack" })).toMatchObject({
      name: "on call",
      url: "",
      secret: "s",
      topic: "",
      emails: [],
    });
    expect(recipientRequest({ ...filled, kind: "email" })).toMatchObject({ url: "", secret: "", topic: "", emails: ["a@b"] });
    expect(recipientRequest({ ...filled, kind: "ntfy" })).toMatchObject({
      url: "https://x",
      secret: "s",
      topic: "t",
      emails: [],
    });
    expect(Object.keys(FIELDS)).not.toContain("push");
  });

  it("is named after the browser", () => {
    expect(browserName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox on Linux");
    expect(browserName("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0")).toBe(
      "Edge on Windows",
    );
    expect(browserName("")).toBe("Browser");
  });

  it("has keys in base64url", () => {
    expect([...bytesOf("BP4-_w")]).toEqual([4, 254, 62, 255]);
  });
});
