import type { DeviceLog, LogLevel, LogRecord } from "~/api/diagnosis";
import { dateTime } from "~/format/time";
import type { Tone } from "~/format/tones";

/** Lines that the page keeps; older ones are dropped while it follows the log. */
export const LINES_MAX = 2000;
/** Following ends by itself after this time, or when so much text has come. */
export const FOLLOW_MS_MAX = 600_000;
export const FOLLOW_CHARS_MAX = 2_000_000;

export const LEVELS: readonly { value: LogLevel; label: string }[] = [
  { value: "debug", label: "All levels" },
  { value: "info", label: "Info and above" },
  { value: "warning", label: "Warnings and errors" },
  { value: "error", label: "Errors" },
];

export const TONES: Record<LogLevel, Tone> = { debug: "off", info: "busy", warning: "warn", error: "bad" };

/** What the page shows. `lost`: lines that were dropped on their way. `chars`: of the text that came since following began. */
export interface Shown {
  log: DeviceLog;
  records: readonly LogRecord[];
  lost: number;
  chars: number;
}

export const first = (log: DeviceLog): Shown => ({ log, records: log.records, lost: log.lost, chars: 0 });

/** The lines before, and those of the next answer. */
export function followed(shown: Shown, next: DeviceLog): Shown {
  const all = [...shown.records, ...next.records];
  return {
    log: next,
    records: all.slice(-LINES_MAX),
    lost: shown.lost + next.lost,
    chars: shown.chars + next.records.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** Why following ends now; empty if it goes on. */
export function endOf(startedMs: number, nowMs: number, chars: number): string {
  if (nowMs - startedMs > FOLLOW_MS_MAX) return "Stopped after 10 minutes. Follow again to continue.";
  if (chars > FOLLOW_CHARS_MAX) return "Stopped after 2 MB of text. Choose a higher level or a filter, then follow again.";
  return "";
}

/** Time in the viewer's zone; a dash if the device gave none. */
export const timeOf = ({ at }: LogRecord): string => (at > 0 ? dateTime(at) : "–");

/** A line as text, its time in UTC: for a file or the clipboard. */
export const textOf = (record: LogRecord): string =>
  [
    record.at > 0 ? new Date(record.at * 1000).toISOString() : "-",
    record.level.toUpperCase(),
    [record.source, record.logger].filter(Boolean).join("/"),
    record.text,
  ].join(" ");

export const fileOf = (records: readonly LogRecord[]): string => records.map((record) => `${textOf(record)}\n`).join("");
