import { describe, expect, it } from "vitest";
import type { DeviceRow, SlotRow } from "~/api/types";
import { isMoving, mainSlot, phaseLabel, pipelineOf, shadowed, statusLabel } from "~/format/devices";
import { isPair, splitPair } from "~/format/labels";

const slot = (name: string, more: Partial<SlotRow> = {}): SlotRow =>
  ({ slot: name, on_target: true, phase: "committed", running: { version: "1.0.0" }, ...more }) as SlotRow;
const device = (status: DeviceRow["status"], ...slots: SlotRow[]): DeviceRow =>
  ({ id: "line-7", status, slots }) as unknown as DeviceRow;

describe("the status of a device", () => {
  it("is on target only if it is online and every slot runs its target", () => {
    expect(statusLabel(device("online", slot("detector"), slot("pipeline-a"))).text).toBe("On target");
    expect(statusLabel(device("online", slot("detector"), slot("b", { on_target: false }))).text).toBe("Online");
    expect(statusLabel(device("online", slot("detector", { running: null }))).text).toBe("Online");
    expect(statusLabel(device("online")).text).toBe("Online");
    expect(statusLabel(device("offline", slot("detector"))).text).toBe("Offline");
  });
});

describe("the slot of a list", () => {
  it("is one that moves or is off target, else the detector, else the first model", () => {
    const [moving, off, detector, other, pipeline] = [
      slot("z", { phase: "trial" }),
      slot("y", { on_target: false }),
      slot("detector"),
      slot("pump"),
      slot("pipeline-a"),
    ];
    expect(mainSlot(device("online", pipeline, detector, moving))).toBe(moving);
    expect(mainSlot(device("online", detector, off))).toBe(off);
    expect(mainSlot(device("online", pipeline, other, detector))).toBe(detector);
    expect(mainSlot(device("online", pipeline, other))).toBe(other);
    expect([mainSlot(device("online", pipeline)), mainSlot(device("online"))]).toEqual([undefined, undefined]);
  });

  it("moves while it is updated, and while it waits for its window", () => {
    expect(
      ["fetching", "staged", "trial", "waiting_window", "committed", "rolled_back"].map((phase) =>
        isMoving(slot("a", { phase: phase as SlotRow["phase"] })),
      ),
    ).toEqual([true, true, true, true, false, false]);
    expect(phaseLabel("of_a_newer_agent")).toEqual({ text: "of a newer agent", tone: "off", help: "" });
  });

  it("of a pipeline or a shadow has the name of that", () => {
    expect([pipelineOf("pipeline-entrance"), pipelineOf("detector"), shadowed("shadow-detector"), shadowed("detector")]).toEqual([
      "entrance",
      undefined,
      "detector",
      undefined,
    ]);
  });
});

describe("labels", () => {
  it.each([
    ["site=lyon", true],
    [" site = lyon ", false],
    ["site= lyon", true],
    ["=lyon", false],
    ["site=", false],
    ["site= ", false],
    ["site", false],
    ["a=b=c", true],
  ])("%j is a pair: %s", (text, is) => {
    expect(isPair(text)).toBe(is);
  });

  it("are split at the first =", () => {
    expect([splitPair("a=b=c"), splitPair(" site = lyon ")]).toEqual([
      ["a", "b=c"],
      ["site", "lyon"],
    ]);
  });
});
