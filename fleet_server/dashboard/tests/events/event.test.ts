import { describe, expect, it } from "vitest";
import type { EventRow } from "~/api/types";
import { eventOf, sentence } from "~/events/event";
import { evidenceUrl } from "~/events/evidence";

const row = (event: Record<string, unknown>): EventRow =>
  ({ id: 1, device: "line 7/a", received_at: 50, event, evidence: [] }) as unknown as EventRow;
const sentenceOf = (event: Record<string, unknown>): string => sentence(eventOf(row(event)));

describe("an event of a device", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ kind: "line", label: "gear", line: "exit", direction: "forward", count: 12 }, "gear crossed exit, forward, #12"],
    [{ kind: "line", label: "gear", line: "exit" }, "gear crossed exit"],
    [{ kind: "count", label: "washer", count: 3, zone: "belt" }, "3 × washer in belt"],
    [{ kind: "count", count: 0 }, "0 × object"],
    [{ kind: "zone", label: "fork_lift", zone: "gate" }, "fork lift in gate"],
    [{ kind: "visit", label: "person", start_s: 1, end_s: 4.25 }, "person for 3.3 s"],
    [{ kind: "visit", label: "person", start_s: 1 }, "person"],
    [{}, "object"],
  ])("%j is a sentence", (event, text) => {
    expect(sentenceOf(event)).toBe(text);
  });

  it("is parsed leniently: what has another type is not there", () => {
    expect(eventOf(row({ kind: 7, at: "now", track_id: Number.NaN, box: [1, 2, 3], score: "0.5", label: null }))).toMatchObject({
      kind: "event",
      at: 50,
      track: null,
      box: null,
      score: null,
      label: "",
    });
    expect(eventOf(row({ kind: "line", at: 12.5, track_id: 3, box: [0, 0.1, 0.2, 0.3], score: 0.9 }))).toMatchObject({
      kind: "line",
      at: 12.5,
      track: 3,
      box: [0, 0.1, 0.2, 0.3],
      score: 0.9,
    });
    expect(eventOf(row({ box: [0, "1", 2, 3] })).box).toBeNull();
  });

  it("has an address for its evidence in which names are quoted", () => {
    expect(evidenceUrl(row({ id: "a?b" }), "snapshot")).toBe("/api/v1/devices/line%207%2Fa/events/a%3Fb/snapshot");
  });
});
