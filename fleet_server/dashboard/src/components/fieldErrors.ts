import { ApiError, type FieldProblem } from "~/api/client";
import { capital } from "~/format/numbers";

/** Errors of a request's fields, by the field of the form that shows each. `rest`: those that no field shows, for the end of the
 * form. */
export interface FieldErrors<Name extends string> {
  at: Partial<Record<Name, string>>;
  rest: Error | null;
}

/** Sorts the errors of a request into the fields of its form. places: JSON pointers of each field in the request's body; the
 * field shows the errors there and within. */
export function fieldErrors<Name extends string>(
  error: Error | null,
  places: Partial<Record<Name, string | readonly string[]>>,
): FieldErrors<Name> {
  const problems = error instanceof ApiError ? error.fields : [];
  const at: Partial<Record<Name, string>> = {};
  const shown = new Set<FieldProblem>();
  for (const name of Object.keys(places) as Name[]) {
    const own = problems.filter(({ pointer }) => [places[name] ?? []].flat().some((place) => within(pointer, place)));
    for (const each of own) shown.add(each);
    if (own.length) at[name] = own.map(textOf).join("; ");
  }
  return { at, rest: problems.length && problems.every((each) => shown.has(each)) ? null : error };
}

const within = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** "Must be at most 100" */
export const textOf = ({ text }: FieldProblem): string => capital(text);
