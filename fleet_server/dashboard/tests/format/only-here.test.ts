import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const UNITS = `%|ns|ms|s|min|h|d|°C|bytes|B|kB|MB|GB|Mbit/s`;
/** How a page would format by itself: digits of one language, or a value before its unit. */
const OWN_FORMATS = [
  /\.(?:toFixed|toPrecision|toLocale\w*)\(/,
  /\bIntl\.\w*Format\b/,
  /\.get(?:FullYear|Month|Date|Day|Hours|Minutes|TimezoneOffset)\(/,
  new RegExp(String.raw`\}\s(?:${UNITS})(?=[\s\`"<.,;)]|$)`),
];

/** Made by a program; and one duration with a fixed number of digits, which is in seconds in any language. */
const LEFT_OUT = new Set(["api/schema.d.ts", "events/event.ts"]);

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" }).filter(
  (path) => /\.tsx?$/.test(path) && !path.startsWith("format/") && !LEFT_OUT.has(path),
);

it("numbers, durations and times are formatted in src/format only", () => {
  const found = files.flatMap((path) =>
    readFileSync(join(SOURCE, path), "utf-8")
      .split("\n")
      .flatMap((line, at) =>
        !/^\s*(?:\/?\*|\/\/)/.test(line) && OWN_FORMATS.some((own) => own.test(line))
          ? [`${path}:${at + 1}: ${line.trim()}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(200);
});
