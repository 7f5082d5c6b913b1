/** Code or styles of a page could not be loaded. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super("Failed to load a part of the dashboard: the server was updated or is not responding.", { cause });
    this.name = "MissingPart";
  }
}

/**
 * Loads a part of the dashboard. A failed load stays failed until the document is reloaded: browsers and the bundler's loader
 * cache failures, and a retry may load the code of a page without its styles.
 */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let missing: MissingPart | undefined;
  return async () => {
    if (missing) throw missing;
    try {
      return await load();
    } catch (cause) {
      missing = new MissingPart(cause);
      throw missing;
    }
  };
}

const RECENT_RELOAD_MS = 60_000;

/** True if the document was reloaded within the last minute: another automatic reload would loop. */
export function isJustReloaded(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded instanceof PerformanceNavigationTiming && loaded.type === "reload" && performance.now() < RECENT_RELOAD_MS;
}
