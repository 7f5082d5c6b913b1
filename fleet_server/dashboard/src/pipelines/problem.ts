import type { PipelineProblem } from "~/api/pipelines";

/** The error at `path` or within it; undefined if it is elsewhere. */
export function problemAt(problem: PipelineProblem | null | undefined, ...path: (string | number)[]): string | undefined {
  if (!problem || path.length > problem.path.length) return undefined;
  return path.every((part, index) => problem.path[index] === part) ? problem.text : undefined;
}
