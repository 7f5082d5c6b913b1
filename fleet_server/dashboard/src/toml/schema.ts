import { isComment, namesOf, nearest, stringOf, tableAt, tablesOf, type Table } from "./document";

/** The part of JSON Schema (draft 7) that the references of edgefleet use. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: { if: Schema; then: Schema }[];
  default?: unknown;
  required?: string[];
  definitions?: Record<string, Schema>;
}

/** A suggestion. `text` takes the place of everything from `from` up to the cursor. */
export interface Suggestion {
  kind: "table" | "key" | "value";
  label: string;
  text: string;
  detail: string;
  info: string;
}

export interface Suggestions {
  from: number;
  items: Suggestion[];
}

/** Keys whose values are names of other tables of the document. */
const REFERENCES: Record<string, string> = {
  zone: "zones",
  line: "lines",
  from: "stages",
  of: "stages",
  stage: "stages",
  rules: "rules",
};
const KEY = /^\s*([\w-]*)$/;
const OPENING = /^\s*\[{1,2}[\w.-]*$/;
const PAIR = /^\s*([\w-]+)\s*=\s*(.*)$/s;
const OPEN_VALUE = /(?:"[^"]*|'[^']*|[\w.-]*)$/;

/** Everything that a place in a text is judged by. */
interface Place {
  root: Schema;
  tables: Table[];
  number: number;
}

const followed = (root: Schema, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref ? root.definitions?.[schema.$ref.replace("#/definitions/", "")] : schema;

/** The schema of a table: that of its items if there are several of it. */
const tableOf = (root: Schema, schema: Schema | undefined): Schema | undefined => {
  const found = followed(root, schema);
  return found?.type === "array" ? followed(root, found.items) : found;
};

/** The schema of `key` in a table; options depend on the table's `kind`. */
function propertyOf(holder: Schema | undefined, key: string, kind: string | undefined): Schema | undefined {
  const special = holder?.allOf?.find((each) => each.if.properties?.kind?.const === kind)?.then.properties?.[key];
  return special ?? holder?.properties?.[key];
}

const isTable = (root: Schema, schema: Schema): boolean => tableOf(root, schema)?.properties !== undefined;
const isList = (root: Schema, schema: Schema): boolean => followed(root, schema)?.type === "array";

/** The schema of the table at `path`, as seen from the place. */
function schemaAt({ root, tables, number }: Place, path: readonly string[]): Schema | undefined {
  let here: Schema | undefined = root;
  for (const [depth, key] of path.entries()) {
    const kind = stringOf(nearest(tables, number, path.slice(0, depth))?.entries.get("kind"));
    here = tableOf(root, propertyOf(here, key, kind));
  }
  return here;
}

const textOf = (root: Schema, schema: Schema): string => schema.description ?? followed(root, schema)?.description ?? "";

function typeOf(root: Schema, schema: Schema): string {
  const found = followed(root, schema) ?? schema;
  const choices = found.enum ?? found.anyOf?.flatMap((each) => each.enum ?? []);
  if (choices?.length) return "choice";
  if (found.type === "array") return "list";
  return found.type === "object" ? "table" : (found.type ?? "");
}

/** Headers of tables at the top and one level below. */
function headers({ root }: Place): Suggestion[] {
  const found: Suggestion[] = [];
  const add = (path: string, schema: Schema) => {
    const header = isList(root, schema) ? `[[${path}]]` : `[${path}]`;
    found.push({ kind: "table", label: header, text: header, detail: "table", info: textOf(root, schema) });
  };
  for (const [key, schema] of Object.entries(root.properties ?? {})) {
    if (!isTable(root, schema)) continue;
    add(key, schema);
    for (const [inner, below] of Object.entries(tableOf(root, schema)?.properties ?? {}))
      if (isTable(root, below) || inner === "options") add(`${key}.${inner}`, below);
  }
  return found;
}

/** Keys of `holder` that are not `taken`; those that are needed first. */
function keys(root: Schema, holder: Schema | undefined, taken: ReadonlySet<string>): Suggestion[] {
  const needed = new Set(holder?.required);
  return Object.entries(holder?.properties ?? {})
    .filter(([key, schema]) => !taken.has(key) && !isTable(root, schema) && key !== "options")
    .map(([key, schema]) => ({
      kind: "key" as const,
      label: key,
      text: `${key} = `,
      detail: needed.has(key) ? "required" : typeOf(root, schema),
      info: textOf(root, schema),
    }))
    .sort((one, other) => Number(needed.has(other.label)) - Number(needed.has(one.label)));
}

/** Values that a key can have: those of its schema, and names of the document. */
function values({ root, tables }: Place, key: string, schema: Schema | undefined): Suggestion[] {
  const own = followed(root, schema);
  const one = own?.type === "array" ? followed(root, own.items) : own;
  const info = schema ? textOf(root, schema) : "";
  const choices = one?.enum ?? one?.anyOf?.flatMap((each) => each.enum ?? []) ?? [];
  const names = REFERENCES[key] ? namesOf(tables, REFERENCES[key]) : [];
  const plain = one?.type === "boolean" ? [true, false] : [];
  const written = own?.default;
  const standard = typeof written === "number" || (typeof written === "string" && written && !choices.length) ? [written] : [];
  return [...choices, ...names, ...plain, ...standard].map((value) => ({
    kind: "value" as const,
    label: String(value),
    text: typeof value === "string" ? `"${value}"` : String(value),
    detail: value === written ? "default" : names.includes(String(value)) ? (REFERENCES[key] ?? "").slice(0, -1) : "",
    info,
  }));
}

/** Suggestions within the value of `key`; an inline table has keys and values of its own. */
function within(place: Place, key: string, schema: Schema | undefined, rest: string, from: number): Suggestions | null {
  const opened = rest.lastIndexOf("{");
  if (opened < 0 || rest.includes("}", opened)) {
    const start = OPEN_VALUE.exec(rest)?.index ?? rest.length;
    return { from: from + start, items: values(place, key, schema) };
  }
  const begin = Math.max(opened, rest.lastIndexOf(",")) + 1;
  const part = rest.slice(begin);
  const holder = tableOf(place.root, schema);
  const pair = PAIR.exec(part);
  const bare = KEY.exec(part);
  if (pair) {
    const inner = pair[2] ?? "";
    return within(place, pair[1] ?? "", holder?.properties?.[pair[1] ?? ""], inner, from + rest.length - inner.length);
  }
  const taken = new Set(Array.from(rest.slice(opened).matchAll(/([\w-]+)\s*=/g), (found) => found[1] ?? ""));
  return bare ? { from: from + rest.length - (bare[1]?.length ?? 0), items: keys(place.root, holder, taken) } : null;
}

function placeAt(root: Schema, text: string, position: number): Place & { head: string; table: Table } {
  const before = text.slice(0, position).split("\n");
  const tables = tablesOf(text);
  const number = Math.max(0, tableAt(tables, before.length - 1));
  const table = tables[number] ?? { path: [], line: 0, entries: new Map<string, string>() };
  return { root, tables, number, table, head: before.at(-1) ?? "" };
}

/** What can be written at a position of a text. */
export function suggestionsAt(root: Schema, text: string, position: number): Suggestions | null {
  const place = placeAt(root, text, position);
  const { head, table } = place;
  if (isComment(head)) return null;
  if (OPENING.test(head)) return { from: position - head.trimStart().length, items: headers(place) };
  const holder = schemaAt(place, table.path);
  const key = KEY.exec(head);
  if (key) {
    const items = [...keys(root, holder, new Set(table.entries.keys())), ...headers(place)];
    return { from: position - (key[1]?.length ?? 0), items };
  }
  const pair = PAIR.exec(head);
  if (!pair) return null;
  const [, name = "", rest = ""] = pair;
  const kind = stringOf(table.entries.get("kind"));
  return within(place, name, propertyOf(holder, name, kind), rest, position - rest.length);
}

/** The description of the key or table at a position; empty if there is none. */
export function describedAt(root: Schema, text: string, position: number): string {
  const end = text.indexOf("\n", position);
  const place = placeAt(root, text, position);
  const line = place.head + text.slice(position, end < 0 ? undefined : end);
  const key = /^\s*([\w-]+)\s*=/.exec(line);
  if (/^\s*\[/.test(line)) {
    const found = schemaAt(place, place.table.path);
    return found && place.table.path.length ? textOf(root, found) : "";
  }
  if (!key || place.head.length > key[0].length) return "";
  const holder = schemaAt(place, place.table.path);
  const schema = propertyOf(holder, key[1] ?? "", stringOf(place.table.entries.get("kind")));
  return schema ? textOf(root, schema) : "";
}
