/** Code or styles of a page that the server did not give. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super("Failed to load a part of the dashboard: the server has another version of it now, or does not answer.", { cause });
    this.name = "MissingPart";
  }
}

/**
 * Fetches a part of the dashboard. What was missing once stays so until the document is loaded anew: browsers and the bundler's
 * loader remember failures, and a second try may find the code of a page without its styles.
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

const YOUNG_MS = 60_000;

/** True for a document that was loaded anew a moment ago: to do it once more by itself would be a loop. */
export function isJustReloaded(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded instanceof PerformanceNavigationTiming && loaded.type === "reload" && performance.now() < YOUNG_MS;
}
