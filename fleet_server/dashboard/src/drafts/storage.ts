/** Drafts of forms in the storage of this tab, which outlives a reload and that no other tab sees. */

const PREFIX = "edgefleet-draft:";

/** The storage of the tab; null if the browser forbids it. */
function storage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** The draft `name` of `of`; undefined if there is none, or one of something else. */
export function readDraft(name: string, of: string): unknown {
  const text = storage()?.getItem(PREFIX + name);
  if (!text) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return isObject(found) && found.of === of ? found.value : undefined;
  } catch {
    return undefined;
  }
}

/** Does nothing if the storage is full or forbidden: the draft then is on the page only. */
export function writeDraft(name: string, of: string, value: unknown): void {
  try {
    storage()?.setItem(PREFIX + name, JSON.stringify({ of, value }));
  } catch {
    removeDraft(name);
  }
}

export const removeDraft = (name: string): void => storage()?.removeItem(PREFIX + name);

/** Removes all drafts of this tab. */
export function removeDrafts(): void {
  const all = storage();
  for (const key of Object.keys(all ?? {})) if (key.startsWith(PREFIX)) all?.removeItem(key);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True if a stored value has the form of a new one: that of an older dashboard may not. A null says nothing about the form. */
export function fits(stored: unknown, fresh: unknown): boolean {
  if (stored === null || fresh === null) return stored !== undefined && fresh !== undefined;
  if (Array.isArray(fresh)) return Array.isArray(stored);
  if (!isObject(fresh)) return typeof stored === typeof fresh;
  if (!isObject(stored)) return false;
  const keys = Object.keys(fresh);
  return keys.length === Object.keys(stored).length && keys.every((key) => key in stored && fits(stored[key], fresh[key]));
}
