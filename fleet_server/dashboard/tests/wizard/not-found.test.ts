import { expect, it } from "vitest";
import { notFoundText } from "~/wizard/notFound";

const KNOWN = [{ name: "spotter", versions: [{ version: "1.0.0" }] }];

it.each([
  [{ package: "spotter", version: "1.0.0", slot: "detector" }, ""],
  [{ package: "", version: "", slot: "detector" }, ""],
  [{ package: "spotter", version: "", slot: "detector" }, ""],
  [
    { package: "spotter", version: "2.0.0", slot: "detector" },
    "Version 2.0.0 of spotter is not in the registry. Choose another version.",
  ],
  [{ package: "finder", version: "1.0.0", slot: "detector" }, "Model finder is not in the registry. Choose another model."],
  [
    { package: "pipeline-gate", version: "1", slot: "pipeline-gate" },
    "Pipeline gate is not in the registry. Choose another pipeline.",
  ],
])("%j: %s", (choice, text) => {
  expect(notFoundText(choice, KNOWN)).toBe(text);
  expect(notFoundText(choice, undefined)).toBe("");
});
