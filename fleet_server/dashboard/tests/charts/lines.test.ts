import { describe, expect, it } from "vitest";
import type { TelemetryPoint } from "~/api/types";
import { dropLines, HUES, latencyLines, memoryLines, rateLines } from "~/charts/lines";

const point = {
  at: 1,
  window_s: 5,
  worker_rss_bytes: 130_000_000,
  pipelines: {
    belt: { process_fps: 12.5, camera_fps: 25, latency: { infer: { p50_ms: 8, p95_ms: 11 } }, dropped: { late: 10 } },
  },
} as unknown as TelemetryPoint;
const picked = (lines: readonly { pick: (of: TelemetryPoint) => number | null | undefined }[]) =>
  lines.map((line) => line.pick(point));

describe("the lines of a chart", () => {
  it("take their values from the pipeline's gauges", () => {
    expect([picked(rateLines("belt")), picked(latencyLines("belt", ["infer"]))]).toEqual([
      [12.5, 25],
      [8, 11],
    ]);
    expect(picked(memoryLines())).toEqual([130, 0]);
  });

  it("have no value for a pipeline or a stage that is not there", () => {
    expect([picked(rateLines("gone")), picked(latencyLines("belt", ["track"]))]).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("of dropped frames are rates; a cause without any is 0, a pipeline without samples nothing", () => {
    expect([picked(dropLines("belt", ["late", "queue_full"])), picked(dropLines("gone", ["late"]))]).toEqual([
      [2, 0],
      [undefined],
    ]);
    expect(dropLines("belt", ["queue_full"])[0]?.text).toBe("Queue full");
  });

  it("have a colour each, again from the first when all are used", () => {
    expect(new Set(HUES).size).toBe(HUES.length);
    expect(latencyLines("belt", [..."abcdefg"]).at(-1)?.colour).toBe(HUES[0]);
  });
});
