import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { eventListQuery, eventQuery, writeReviews, type Verdict } from "~/api/events";
import type { EventRow } from "~/api/types";
import { evidenceFile } from "~/events/evidence";
import { cell, COLUMNS, headOf, linesOf } from "~/events/exporting";
import { backOf, marksText, neighbour, stretch, toggled } from "~/events/marks";

const row = (id: number, verdict: Verdict | null = null): EventRow => ({
  id,
  device: "line-7",
  received_at: 50.5,
  event: { kind: "line", at: 50, label: "gear", rule: "out", score: 0.9, count: 3 },
  evidence: [],
  review: verdict && { verdict, by: "ada", at: 60 },
});

describe("marks of events", () => {
  it("go back to what each event had, one request for each mark", () => {
    expect(backOf([row(1), row(2, "seen"), row(3), row(4, "confirmed")])).toEqual(
      new Map<Verdict | null, number[]>([
        [null, [1, 3]],
        ["seen", [2]],
        ["confirmed", [4]],
      ]),
    );
  });

  it("are removed by the same mark again, if all events have it", () => {
    expect([toggled([row(1), row(2, "seen")], "seen"), toggled([row(1, "seen"), row(2, "seen")], "seen")]).toEqual([
      "seen",
      null,
    ]);
  });

  it("are named", () => {
    expect([marksText(1, "false_alarm"), marksText(3, null)]).toEqual(["1 event marked as false alarm", "3 events unmarked"]);
  });

  it("are written into the lists and the open event, and nowhere else", () => {
    const client = new QueryClient();
    const query = eventListQuery({ device: "line-7" });
    client.setQueryData(query.queryKey, { pages: [{ items: [row(2), row(1)], next_before_id: null }], pageParams: [undefined] });
    client.setQueryData(eventQuery(2).queryKey, row(2));
    client.setQueryData(eventQuery(9).queryKey, null);
    client.setQueryData(["events", {}], { pages: [{ items: [row(2)] }] });
    const review = { verdict: "seen", by: "ada", at: 70 } as const;
    writeReviews(client, new Map([[2, review]]));
    expect(client.getQueryData(query.queryKey)?.pages[0]?.items.map((each) => each.review)).toEqual([review, null]);
    expect(client.getQueryData(eventQuery(2).queryKey)?.review).toEqual(review);
    expect(client.getQueryData(eventQuery(9).queryKey)).toBeNull();
    expect(client.getQueryData(["events", {}])).toEqual({ pages: [{ items: [row(2)] }] });
  });
});

describe("places in the list", () => {
  it("are moved through without leaving it", () => {
    const ids = [9, 7, 5];
    expect([neighbour(ids, undefined, 1), neighbour(ids, 9, 1), neighbour(ids, 5, 1), neighbour(ids, 9, -1)]).toEqual([
      9, 7, 5, 9,
    ]);
    expect([neighbour(ids, 4, 1), neighbour([], 4, 1)]).toEqual([9, undefined]);
  });

  it("between two are a stretch, in either direction", () => {
    expect([stretch([9, 7, 5, 3], 7, 3), stretch([9, 7, 5, 3], 5, 9), stretch([9, 7], 1, 7)]).toEqual([
      [7, 5, 3],
      [9, 7, 5],
      [7],
    ]);
  });
});

describe("exported events", () => {
  it("have the columns of the command, and a name of their own for evidence", () => {
    expect(headOf("csv")).toBe(
      "id,device,at,received_at,pipeline,kind,phase,label,rule,zone,line,direction,track_id,count,score,coverage,review,reviewed_by\n",
    );
    const [line] = linesOf([row(4, "seen")], "csv").split("\n");
    expect(line).toBe("4,line-7,50,50.5,,line,,gear,out,,,,,3,0.9,,seen,ada");
    expect(line?.split(",")).toHaveLength(COLUMNS.length);
    expect(headOf("jsonl")).toBe("");
    expect(JSON.parse(linesOf([row(4)], "jsonl"))).toEqual(row(4));
    expect(evidenceFile({ ...row(4), device: "line 7/a" }, "clip")).toBe("line_7_a-event-4.mp4");
  });

  it.each([
    [null, ""],
    [0, "0"],
    [-1, "-1"],
    ["=1+1", "'=1+1"],
    ["@x", "'@x"],
    ['a "b", c', '"a ""b"", c"'],
    ["a\nb", '"a\nb"'],
  ])("hold %j as %j", (value, text) => {
    expect(cell(value)).toBe(text);
  });
});
