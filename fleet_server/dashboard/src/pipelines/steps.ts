/** Values before and after the present one. `last`: what the last change was part of; empty if it stands alone. */
export interface Steps<Value> {
  past: readonly Value[];
  future: readonly Value[];
  last: string;
}

export const STEPS_MAX = 100;

export const noSteps = <Value>(): Steps<Value> => ({ past: [], future: [], last: "" });

/** Notes a change away from `before`. Changes of one `gesture` that follow each other are one step. */
export function noted<Value>(steps: Steps<Value>, before: Value, gesture = ""): Steps<Value> {
  const past = gesture && gesture === steps.last ? steps.past : [...steps.past, before].slice(-STEPS_MAX);
  return { past, future: [], last: gesture };
}

/** Goes one step back from `now`; null if there is none. */
export function undone<Value>({ past, future }: Steps<Value>, now: Value): { steps: Steps<Value>; value: Value } | null {
  const value = past.at(-1);
  if (value === undefined) return null;
  return { steps: { past: past.slice(0, -1), future: [now, ...future], last: "" }, value };
}

/** Goes one step forward from `now`; null if there is none. */
export function redone<Value>({ past, future }: Steps<Value>, now: Value): { steps: Steps<Value>; value: Value } | null {
  const [value, ...rest] = future;
  if (value === undefined) return null;
  return { steps: { past: [...past, now], future: rest, last: "" }, value };
}
