import { describe, expect, it } from "vitest";
import type { DeviceLog, LogRecord } from "~/api/diagnosis";
import { endOf, FOLLOW_CHARS_MAX, FOLLOW_MS_MAX, fileOf, first, followed, LINES_MAX, timeOf } from "~/diagnosis/lines";

const record = (text: string, at = 1_700_000_000): LogRecord => ({
  at,
  level: "warning",
  source: "service",
  logger: "link",
  text,
});
const log = (records: LogRecord[], lost = 0): DeviceLog => ({
  device: "d",
  source: "service",
  pipeline: "",
  level: "debug",
  search: "",
  received_at: 1,
  records,
  cursor: "c",
  lost,
  limited: false,
});

describe("lines of a log that is followed", () => {
  it("are bounded, and dropped ones are counted", () => {
    const many = Array.from({ length: LINES_MAX }, (_, number) => record(`line ${number}`));
    const shown = followed(followed(first(log([record("first")])), log(many, 7)), log([record("last")], 2));
    expect(shown.records).toHaveLength(LINES_MAX);
    expect(shown.records.at(-1)?.text).toBe("last");
    expect(shown.lost).toBe(9);
    expect(shown.chars).toBe(many.reduce((sum, { text }) => sum + text.length, 0) + 4);
  });

  it("end by themselves after a time and a length", () => {
    expect(endOf(0, FOLLOW_MS_MAX, 0)).toBe("");
    expect(endOf(0, FOLLOW_MS_MAX + 1, 0)).toContain("10 minutes");
    expect(endOf(0, 0, FOLLOW_CHARS_MAX + 1)).toContain("2 MB");
  });

  it("are a file with times in UTC", () => {
    expect(fileOf([record("a"), record("b", 0)])).toBe(
      "2023-11-14T22:13:20.000Z WARNING service/link a\n- WARNING service/link b\n",
    );
    expect(timeOf(record("b", 0))).toBe("–");
  });
});
