/** Search parameters that stay readable: `?status=offline&label=site=lyon&label=ring=main&page=2`. */

export type RawSearch = Record<string, unknown>;

export function parseSearch(text: string): RawSearch {
  const found: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const had = found[key];
    found[key] = had === undefined ? value : [...(Array.isArray(had) ? had : [had]), value];
  }
  return found;
}

export function stringifySearch(search: RawSearch): string {
  const written = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") written.append(key, String(each));
    }
  }
  const text = written.toString().replaceAll("%3D", "=").replaceAll("%2F", "/").replaceAll("%40", "@");
  return text && `?${text}`;
}

export const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export function textsIn(value: unknown): string[] | undefined {
  const all = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string" && each !== "");
  return all.length ? all : undefined;
}

export function numberIn(value: unknown, min = 1): number | undefined {
  const number = typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= min ? number : undefined;
}

export const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => each === value);
