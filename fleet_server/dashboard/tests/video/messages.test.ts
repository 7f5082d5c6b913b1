import { describe, expect, it } from "vitest";
import { aheadBy, partOf, turned } from "~/video/messages";
import { cameraOf, wallSearch } from "~/video/search";

describe("a part of a live video", () => {
  it("has a head of kind and time before its boxes", () => {
    const message = new ArrayBuffer(12);
    const view = new DataView(message);
    view.setUint8(0, 1);
    view.setFloat64(1, 1_800_000_000.25);
    view.setUint8(11, 7);
    const { kind, at, data } = partOf(message);
    expect([kind, at, [...data]]).toEqual([1, 1_800_000_000.25, [0, 0, 7]]);
  });

  it("is compared with the clock of the server, half a round trip after the question", () => {
    expect(aheadBy(100, 100.4, 105.2)).toBeCloseTo(5);
  });
});

describe("a turned video", () => {
  it("fills a box of its upright shape", () => {
    const format = { type: "format" as const, mime: "", width: 640, height: 360 };
    expect(turned(format).box).toEqual({ aspectRatio: "640 / 360" });
    expect(turned(format).video.width).toBe("100%");
    const sideways = turned({ ...format, matrix: [0, 1, -1, 0] });
    expect(sideways.box).toEqual({ aspectRatio: "360 / 640" });
    expect(sideways.video.transform).toBe("translate(-50%, -50%) matrix(0, 1, -1, 0, 0, 0)");
    expect(Number.parseFloat(sideways.video.width)).toBeCloseTo((640 / 360) * 100);
  });
});

describe("the address of a wall", () => {
  it("keeps cameras and columns, and leaves out what is neither", () => {
    expect(wallSearch({ camera: ["a/one", "broken", "b/two/three"], columns: "3" })).toEqual({ camera: ["a/one"], columns: 3 });
    expect(wallSearch({ columns: "9" })).toEqual({ camera: undefined, columns: undefined });
    expect(wallSearch({ camera: Array.from({ length: 40 }, (_, number) => `d/${number}`) }).camera).toHaveLength(16);
    expect(cameraOf("oslo-1/dock")).toEqual({ device: "oslo-1", pipeline: "dock" });
  });
});
