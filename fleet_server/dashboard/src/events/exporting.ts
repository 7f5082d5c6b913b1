/** Events as files, with the columns of `edgefleet event export`. */
import type { EventRow } from "~/api/types";

export type ExportFormat = "csv" | "jsonl";
const FIELDS = [
  "pipeline",
  "kind",
  "phase",
  "label",
  "rule",
  "zone",
  "line",
  "direction",
  "track_id",
  "count",
  "score",
  "coverage",
] as const;
export const COLUMNS = ["id", "device", "at", "received_at", ...FIELDS, "review", "reviewed_by"] as const;
/** First characters of texts that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A field of a CSV file (RFC 4180). */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvLine({ id, device, received_at, event, review }: EventRow): string {
  const values = [id, device, event.at, received_at, ...FIELDS.map((name) => event[name]), review?.verdict, review?.by];
  return values.map(cell).join(",");
}

export const headOf = (format: ExportFormat): string => (format === "csv" ? `${COLUMNS.join(",")}\n` : "");

export const linesOf = (rows: readonly EventRow[], format: ExportFormat): string =>
  rows.map((row) => `${format === "csv" ? csvLine(row) : JSON.stringify(row)}\n`).join("");

export const TYPES: Record<ExportFormat, string> = { csv: "text/csv", jsonl: "application/jsonl" };
