import { plain } from "~/format/numbers";
/** A card is free-form TOML. Plain values are rows; tables of tables are compared side by side, one column each. */
export type Card = Record<string, unknown>;

export interface Comparison {
  name: string;
  columns: string[];
  rows: { name: string; values: string[] }[];
}

const isTable = (value: unknown): value is Card => typeof value === "object" && value !== null && !Array.isArray(value);
const readable = (key: string): string => key.replaceAll("_", " ");

export function textOf(value: unknown): string {
  if (typeof value === "number") return plain(value);
  return Array.isArray(value) ? value.map(textOf).join(", ") : String(value);
}

/** Rows of values that are not compared side by side: nested tables become "table · key". */
export function cardRows(card: Card, before = ""): [string, string][] {
  return Object.entries(card).flatMap(([key, value]): [string, string][] => {
    if (!before && isCompared(value)) return [];
    const name = before ? `${before} · ${readable(key)}` : readable(key);
    return isTable(value) ? cardRows(value, name) : [[name, textOf(value)]];
  });
}

export function comparisons(card: Card): Comparison[] {
  return Object.entries(card).flatMap(([key, value]) => {
    if (!isCompared(value)) return [];
    const columns = Object.keys(value);
    const cells = columns.map((column) => new Map(cardRows(value[column] as Card, " ")));
    const names = [...new Set(cells.flatMap((cell) => [...cell.keys()]))];
    const rows = names.map((name) => ({ name: name.replace(/^[ ·]+/, ""), values: cells.map((cell) => cell.get(name) ?? "–") }));
    return [{ name: readable(key), columns: columns.map(readable), rows }];
  });
}

function isCompared(value: unknown): value is Record<string, Card> {
  return isTable(value) && Object.keys(value).length > 0 && Object.values(value).every(isTable);
}
