/** True if the text has the form name=value. */
export const isPair = (text: string): boolean => /^[^=\s]+=.*\S/.test(text.trim());

export function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** The key of a label, as the server accepts it. */
export const isKey = (text: string): boolean => /^[a-z0-9][a-z0-9_.-]{0,62}$/.test(text.trim());
