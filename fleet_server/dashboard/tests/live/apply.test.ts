import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeviceRow, EventRow, TelemetryPoint } from "~/api/types";
import { CacheWriter } from "~/live/apply";
import { openSeries } from "~/live/series";

const device = (id: string, more: Record<string, unknown> = {}): DeviceRow =>
  ({ id, status: "online", fps: 10, slots: [], ...more }) as unknown as DeviceRow;
const event = (id: number, kind = "line", from = "line-7"): EventRow =>
  ({ id, device: from, event: { kind, label: "person" } }) as unknown as EventRow;
const point = (at: number): TelemetryPoint => ({ at, window_s: 1 }) as unknown as TelemetryPoint;

describe("messages of the live stream", () => {
  let client: QueryClient;
  let writer: CacheWriter;
  let reloaded: unknown[];

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    client = new QueryClient();
    writer = new CacheWriter(client);
    reloaded = [];
    vi.spyOn(client, "invalidateQueries").mockImplementation((filters) => {
      reloaded.push(filters?.queryKey);
      return Promise.resolve();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("change the rows that a list has, and no others", () => {
    const rows = [device("a"), device("b")];
    client.setQueryData(["devices", {}], { items: rows, total: 2 });
    writer.apply([
      { name: "device", data: device("b", { fps: 25 }) },
      { name: "device", data: device("c") },
    ]);
    const page = client.getQueryData<{ items: DeviceRow[] }>(["devices", {}]);
    expect(page?.items.map(({ id, fps }) => [id, fps])).toEqual([
      ["a", 10],
      ["b", 25],
    ]);
    expect(page?.items[0]).toBe(rows[0]);
    vi.advanceTimersByTime(10_000);
    expect(reloaded).toEqual([]);
  });

  it("reload a list once when devices change their status or number, however many do", () => {
    client.setQueryData(["devices", {}], { items: [device("a"), device("b")], total: 2 });
    client.setQueryData(["overview"], { devices_total: 2 });
    writer.apply([{ name: "device", data: device("a", { status: "offline" }) }]);
    writer.apply([
      { name: "device", data: device("b", { status: "offline" }) },
      { name: "overview", data: { devices_total: 3 } },
    ]);
    expect(reloaded).toEqual([]);
    vi.advanceTimersByTime(4_000);
    expect(reloaded).toEqual([["devices"]]);
    vi.advanceTimersByTime(60_000);
    expect(reloaded).toHaveLength(1);
  });

  it("reload the page of a device when a slot moves on", () => {
    client.setQueryData(["device", "a"], { ...device("a", { slots: [{ phase: "fetching" }] }), labels: { site: "lyon" } });
    writer.apply([{ name: "device", data: device("a", { slots: [{ phase: "trial" }] }) }]);
    expect(client.getQueryData(["device", "a"])).toMatchObject({ labels: { site: "lyon" }, slots: [{ phase: "trial" }] });
    vi.advanceTimersByTime(10_000);
    expect(reloaded).toEqual([["device", "a"]]);
  });

  it("add events that fit a filter, newest first and once", () => {
    client.setQueryData(["events", { kind: "line" }], { pages: [{ items: [event(5)] }], pageParams: [null] });
    client.setQueryData(["events", { device: "other" }], { pages: [{ items: [] }], pageParams: [null] });
    writer.apply([event(5), event(6), event(8, "zone"), event(7)].map((data) => ({ name: "event" as const, data })));
    const ids = (filter: object) =>
      client.getQueryData<{ pages: { items: EventRow[] }[] }>(["events", filter])?.pages[0]?.items.map(({ id }) => id);
    expect([ids({ kind: "line" }), ids({ device: "other" })]).toEqual([[7, 6, 5], []]);
    vi.advanceTimersByTime(4_000);
    expect(reloaded).toEqual([["event-new"]]);
  });

  it("keep 500 events at most", () => {
    client.setQueryData(["events", {}], { pages: [{ items: [event(1)] }], pageParams: [null] });
    writer.apply(Array.from({ length: 700 }, (_, at) => ({ name: "event" as const, data: event(at + 2) })));
    const items = client.getQueryData<{ pages: { items: EventRow[] }[] }>(["events", {}])?.pages[0]?.items;
    expect([items?.length, items?.[0]?.id]).toEqual([500, 701]);
  });

  it("of a rollout reload its timeline when its state or that of a wave changes", () => {
    const rollout = { id: 3, state: "running", waves: [{ state: "running" }], counts: { queued: 5 } };
    client.setQueryData(["rollout", 3], rollout);
    writer.apply([{ name: "rollout", data: { ...rollout, counts: { queued: 4 } } }]);
    vi.advanceTimersByTime(10_000);
    expect(reloaded).toEqual([]);
    writer.apply([{ name: "rollout", data: { ...rollout, waves: [{ state: "soaking" }] } }]);
    vi.advanceTimersByTime(10_000);
    expect(reloaded).toEqual([["timeline", 3]]);
    expect(client.getQueryData(["rollout", 3])).toMatchObject({ waves: [{ state: "soaking" }] });
  });

  it("of telemetry go to the charts of that device", () => {
    const { series, close } = openSeries("a");
    writer.apply([
      { name: "telemetry", data: { device: "a", point: point(1) } },
      { name: "telemetry", data: { device: "b", point: point(2) } },
    ]);
    close();
    writer.apply([{ name: "telemetry", data: { device: "a", point: point(3) } }]);
    expect(series.points.map(({ at }) => at)).toEqual([1]);
  });
});

describe("a series of samples", () => {
  it("is in order, whatever comes when", () => {
    const { series, close } = openSeries("x");
    const changed = vi.fn();
    const stop = series.watch(changed);
    for (const at of [10, 11, 11, 9, 12]) series.add(point(at));
    expect([series.points.map(({ at }) => at), changed.mock.calls.length]).toEqual([[10, 11, 12], 3]);
    series.load([point(8), point(9), point(11)]);
    expect(series.points.map(({ at }) => at)).toEqual([8, 9, 11, 12]);
    series.trim(9.5);
    expect(series.points.map(({ at }) => at)).toEqual([11, 12]);
    stop();
    series.add(point(13));
    expect([changed.mock.calls.length, series.latest?.at]).toEqual([4, 13]);
    close();
  });

  it("has a limit", () => {
    const { series, close } = openSeries("y");
    for (let at = 0; at < 2_000; at += 1) series.add(point(at));
    close();
    expect([series.points.length, series.points[0]?.at]).toEqual([1_800, 200]);
  });

  it("finds the newest sample with pipelines", () => {
    const { series, close } = openSeries("z");
    series.load([
      { ...point(1), pipelines: { a: {} } } as unknown as TelemetryPoint,
      point(2),
      { ...point(3), pipelines: {} } as TelemetryPoint,
    ]);
    close();
    expect([series.measured?.at, series.latest?.at]).toEqual([1, 3]);
  });
});
