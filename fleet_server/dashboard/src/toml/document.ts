/** What a TOML text says about the place of the cursor. Lists over several lines are taken for text between keys. */

const HEADER = /^\s*(\[\[?)\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*\]/;
const ENTRY = /^\s*([\w-]+)\s*=\s*(.*)$/;
const STRING = /^(?:"([^"]*)"|'([^']*)')/;

/** One table: its path, its number of the first line, and its single-line entries as they are written. */
export interface Table {
  path: string[];
  line: number;
  entries: Map<string, string>;
}

/** All tables, in order; the first one is the top of the document. */
export function tablesOf(text: string): Table[] {
  let table: Table = { path: [], line: 0, entries: new Map() };
  const tables = [table];
  for (const [line, each] of text.split("\n").entries()) {
    const header = HEADER.exec(each);
    const entry = ENTRY.exec(each);
    if (header) {
      table = { path: (header[2] ?? "").split(".").map((part) => part.trim()), line, entries: new Map() };
      tables.push(table);
    } else if (entry) table.entries.set(entry[1] ?? "", entry[2] ?? "");
  }
  return tables;
}

/** The string that an entry begins with; undefined if it is none. */
export const stringOf = (entry: string | undefined): string | undefined => {
  const found = STRING.exec(entry ?? "");
  return found ? (found[1] ?? found[2]) : undefined;
};

/** The number of the table that `line` belongs to. */
export const tableAt = (tables: readonly Table[], line: number): number => tables.findLastIndex((table) => table.line <= line);

/** The nearest table of `path` at or before table number `from`. */
export const nearest = (tables: readonly Table[], from: number, path: readonly string[]): Table | undefined =>
  tables.slice(0, from + 1).findLast((table) => table.path.join(".") === path.join("."));

/** Names of all tables `[[kind]]`, without those of single devices. */
export const namesOf = (tables: readonly Table[], kind: string): string[] => [
  ...new Set(
    tables.flatMap(({ path, entries }) => (path.length === 1 && path[0] === kind ? (stringOf(entries.get("name")) ?? []) : [])),
  ),
];

/** True if the text up to the cursor ends within a comment. */
export const isComment = (head: string): boolean => head.replaceAll(/"[^"]*"|'[^']*'/g, "").includes("#");
