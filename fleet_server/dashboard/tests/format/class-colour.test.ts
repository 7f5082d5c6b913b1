import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLASS_COLOURS, classColour } from "~/format/classColour";

const TOKENS = readFileSync(new URL("../../src/theme/tokens.css", import.meta.url), "utf8");

/** The variables of a scheme, by name. */
function scheme(selector: string): Map<string, string> {
  const block = TOKENS.slice(TOKENS.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return new Map(Array.from(block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g), ([, name = "", value = ""]) => [name, value]));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, as in WCAG. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe("the colour of a class", () => {
  it("is always the same, and classes spread over all colours", () => {
    expect([classColour("person"), classColour("car")]).toEqual([classColour("person"), classColour("car")]);
    const seen = new Set(Array.from({ length: 400 }, (_, at) => classColour(`class ${at}`)));
    expect(seen.size).toBe(CLASS_COLOURS);
  });

  it.each([":root", ':root[data-mantine-color-scheme="dark"]'])("can be seen on every surface of %s", (selector) => {
    const tokens = scheme(selector);
    for (let at = 0; at < CLASS_COLOURS; at += 1)
      for (const surface of ["panel", "page", "raised"])
        expect(contrast(tokens.get(`class-${at}`) ?? "", tokens.get(surface) ?? ""), `${at} on ${surface}`).toBeGreaterThan(4.5);
  });
});
