import { describe, expect, it } from "vitest";
import { auditSearch } from "~/admin/search";
import { alertsSearch } from "~/alerts/search";
import { deviceSearch } from "~/device/search";
import { conditionsOf, eventsSearch, narrowedBy, sharedSearch } from "~/events/search";
import { filterOf, fleetSearch } from "~/fleet/search";
import { pipelineSearch } from "~/pipelines/search";
import { rolloutSearch, rolloutsSearch } from "~/rollouts/search";
import { numberIn, parseSearch, stringifySearch, textsIn } from "~/search";

describe("addresses", () => {
  it.each([
    ["?status=offline&view=map&label=site=lyon&label=ring=main&page=2"],
    ["?search=line-7&sort=-last_seen_at&page=3&size=100"],
    ["?package=conveyor_inspector&version=1.1.0&slot=detector"],
    ["?group=a%2Bb&label=site=r%26d"],
    [""],
  ])("%s survives reading and writing", (text) => {
    expect(stringifySearch(fleetSearch(parseSearch(text)) as Record<string, unknown>)).toBe(text);
  });

  it("read a repeated name as a list, a single one as text", () => {
    expect(parseSearch("?a=1&b=2&a=3&a=4")).toEqual({ a: ["1", "3", "4"], b: "2" });
    expect(parseSearch("?a=%2Fx%3Dy+z")).toEqual({ a: "/x=y z" });
  });

  it("leave out what is not set, and keep = / @ readable", () => {
    expect(stringifySearch({ a: undefined, b: null, c: "", d: [], e: 0, f: false })).toBe("?e=0&f=false");
    expect(stringifySearch({ label: ["site=lyon"], user: "ada@example.com", path: "a/b", text: "x&y z" })).toBe(
      "?label=site=lyon&user=ada@example.com&path=a/b&text=x%26y+z",
    );
  });
});

describe("what an address may hold", () => {
  it.each([
    ["2", 1, 2],
    [2, 1, 2],
    ["0", 1, undefined],
    ["0", 0, 0],
    ["-1", 0, undefined],
    ["1.5", 1, undefined],
    ["x", 1, undefined],
    ["", 0, undefined],
    [null, 0, undefined],
    [["3"], 1, undefined],
  ])("%j is no other number than a whole one from %d on", (value, min, number) => {
    expect(numberIn(value, min)).toBe(number);
  });

  it("is a list of texts that are not empty", () => {
    expect([textsIn("a=b"), textsIn(["a=b", "", 3]), textsIn([]), textsIn(undefined)]).toEqual([
      ["a=b"],
      ["a=b"],
      undefined,
      undefined,
    ]);
  });

  it("is a known word where there are only some", () => {
    expect(fleetSearch({ status: "offline", sort: "fps", view: "map" })).toMatchObject({
      status: "offline",
      sort: "fps",
      view: "map",
    });
    expect(fleetSearch({ status: "asleep", sort: "; drop table", view: "globe", page: "-3" })).toEqual(fleetSearch({}));
    expect(deviceSearch({ tab: "live", range: "6h", pipeline: "entrance" })).toEqual({
      tab: "live",
      range: "6h",
      pipeline: "entrance",
    });
    expect(deviceSearch({ tab: "x", range: "7h", pipeline: "" })).toEqual({});
    expect(eventsSearch({ view: "pictures", device: "line-7", kind: "line" })).toEqual({
      view: "pictures",
      device: "line-7",
      kind: "line",
    });
    expect(eventsSearch({ range: "8d", since: "1.5", until: "7", marked: "maybe", event: "0", site: "lyon" })).toEqual({
      until: 7,
      site: "lyon",
    });
    expect(rolloutsSearch({ state: "aborting", page: "3" })).toEqual({ page: 3 });
    expect(rolloutSearch({ wave: "0", state: "timed_out", device: "line", page: "0" })).toEqual({
      wave: 0,
      state: "timed_out",
      device: "line",
    });
    expect([alertsSearch({ past: "true" }), alertsSearch({ past: true }), alertsSearch({ past: "no" })]).toEqual([
      { past: true },
      { past: true },
      {},
    ]);
    expect(auditSearch({ actor: "ada", action: 7 })).toEqual({ actor: "ada" });
    expect(pipelineSearch({ version: "2", against: ["1"] })).toEqual({ version: "2" });
  });

  it("gives the list of devices its defaults", () => {
    expect(filterOf(fleetSearch({ view: "map", label: "site=lyon" }))).toMatchObject({
      label: ["site=lyon"],
      page: 1,
      size: 25,
      sort: "id",
    });
    expect(filterOf(fleetSearch({ view: "map" }))).not.toHaveProperty("view");
    expect(filterOf(fleetSearch({ page: "4", size: "100", sort: "fps" }))).toMatchObject({ page: 4, size: 100, sort: "fps" });
  });

  it("has the conditions of events, and for other people the times in place of a preset", () => {
    const search = eventsSearch({ range: "7d", site: "lyon", marked: "no", event: "12", view: "pictures" });
    expect(conditionsOf(search)).toEqual({ site: "lyon", reviewed: false });
    expect([narrowedBy(search), narrowedBy({}), conditionsOf({ marked: "yes" }).reviewed]).toEqual([2, 0, true]);
    expect(eventsSearch(parseSearch(sharedSearch(search, 100.5, 200.5)))).toEqual({
      site: "lyon",
      marked: "no",
      event: 12,
      view: "pictures",
      since: 100,
      until: 201,
    });
  });
});
