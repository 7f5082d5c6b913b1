/** Number of colours `--class-0`, `--class-1`… of the theme. */
export const CLASS_COLOURS = 10;

/** The colour of a class of objects, as a value of CSS: the same on every page, in every browser and for every model that has the
 * class. Two classes may share one, so that it never stands without the name. */
export function classColour(label: string): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const unit of label) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `var(--class-${((hash ^ (hash >>> 16)) >>> 0) % CLASS_COLOURS})`;
}
