import { describe, expect, it } from "vitest";
import type { FieldRow, ModelDetail } from "~/api/types";
import { cardRows, comparisons, textOf } from "~/models/card";
import { compare } from "~/models/compare";

const model = (more: Record<string, unknown> = {}): ModelDetail =>
  ({
    length_bytes: 4_000_000,
    variants: [{ name: "cpu", length_bytes: 4_000_000, runtimes: ["litert"] }],
    golden_count: 3,
    labels: ["a", "b"],
    head: { family: "ssd" },
    epoch: 1,
    running_on: 0,
    card: {},
    ...more,
  }) as unknown as ModelDetail;
const field = (p95: number | null): FieldRow =>
  ({ profile: "coral-usb", latency_p95_median_ms: p95, fps_mean: 29.97, dropped_per_s_mean: 0 }) as unknown as FieldRow;

describe("a card", () => {
  const card = {
    licence: "Apache-2.0",
    training_data: { pictures: 12_000, sites: ["lyon", "turin"] },
    accuracy: { cpu: { map_50: 0.412345678 }, tpu: { map_50: 0.4, note: "int8" } },
  };

  it("has rows, and tables that are compared side by side", () => {
    expect(cardRows(card)).toEqual([
      ["licence", "Apache-2.0"],
      ["training data · pictures", "12,000"],
      ["training data · sites", "lyon, turin"],
    ]);
    expect(comparisons(card)).toEqual([
      {
        name: "accuracy",
        columns: ["cpu", "tpu"],
        rows: [
          { name: "map 50", values: ["0.41235", "0.4"] },
          { name: "note", values: ["–", "int8"] },
        ],
      },
    ]);
    expect([comparisons({}), comparisons({ a: {} }), comparisons({ a: { b: 1 } })]).toEqual([[], [], []]);
  });

  it("has small numbers with five digits, and large ones in groups", () => {
    expect([textOf(0.1 + 0.2), textOf(-9.9999999), textOf(1234.5), textOf([1, "x"]), textOf(true)]).toEqual([
      "0.3",
      "-10",
      "1,234.5",
      "1, x",
      "true",
    ]);
  });
});

describe("two versions", () => {
  it("differ where their facts do, with the change of numbers", () => {
    const { differences, equal } = compare(
      model(),
      model({ length_bytes: 3_000_000, epoch: 2, head: { family: "yolox" }, card: { map: 0.5 } }),
      [[field(20)], [field(22.22)]],
    );
    expect(differences).toEqual([
      { name: "Size", before: "4 MB", after: "3 MB", change: "−25 %" },
      { name: "Head", before: "ssd", after: "yolox", change: "" },
      { name: "Epoch", before: "1", after: "2", change: "+100 %" },
      { name: "map", before: "–", after: "0.5", change: "" },
      { name: "Field · coral-usb · latency p95, ms", before: "20", after: "22.22", change: "+11.1 %" },
    ]);
    expect(equal).toBe(7);
  });

  it("have a change of nothing where there is nothing to compare with", () => {
    const { differences } = compare(model({ epoch: 0 }), model({ epoch: 3 }), [[], [field(null)]]);
    expect(differences.map(({ name, change }) => [name, change])).toEqual([
      ["Epoch", ""],
      ["Field · coral-usb · frames/s", ""],
      ["Field · coral-usb · dropped/s", ""],
    ]);
    expect(compare(model(), model(), [[], []]).differences).toEqual([]);
  });
});
