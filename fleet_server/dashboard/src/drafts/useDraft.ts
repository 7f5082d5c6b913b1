import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { sessionQuery } from "~/api/people";
import { fits, readDraft, removeDraft, writeDraft } from "./storage";

/** What a form holds, and what becomes of it. */
export interface Draft<Value> {
  value: Value;
  /** An edit of the user. */
  change: (next: Partial<Value> | ((old: Value) => Partial<Value>)) => void;
  /** Defaults that are known only later. They do not change a restored draft. */
  preset: (next: Partial<Value>) => void;
  isRestored: boolean;
  /** True if the user has changed something. Also outside of rendering. */
  isUnsaved: () => boolean;
  /** Back to the defaults. */
  discard: () => void;
  /** What the form holds is saved: it goes on from there. */
  settle: () => void;
}

interface Options<Value> {
  /** What the draft is of, e.g. the link that opened the form. A draft of something else is not restored. */
  of?: string;
  /** Passwords and the like: they are not stored. */
  secret?: readonly (keyof Value)[];
}

interface State<Value> {
  base: Value;
  value: Value;
  isRestored: boolean;
}

/** A form's draft, kept in this tab until it is discarded: after a reload, and after the user had to sign in again. */
export function useDraft<Value extends object>(name: string, initial: () => Value, options: Options<Value> = {}): Draft<Value> {
  const user = useQueryClient().getQueryData(sessionQuery.queryKey)?.user ?? "";
  const of = useRef(`${user} ${options.of ?? ""}`).current;
  const [state, setState] = useState<State<Value>>(() => {
    const base = initial();
    const stored = readDraft(name, of);
    const isRestored = stored !== undefined && fits(stored, base);
    return { base, value: isRestored ? (stored as Value) : base, isRestored };
  });
  const latest = useRef(state); // read by questions that are asked before the next rendering
  const secret = useRef(options.secret ?? []);
  const write = useCallback(
    (next: State<Value>) => {
      latest.current = next;
      setState(next);
      if (!isChanged(next)) removeDraft(name);
      else writeDraft(name, of, { ...next.value, ...part(next.base, secret.current) });
    },
    [name, of],
  );
  const change = useCallback(
    (next: Partial<Value> | ((old: Value) => Partial<Value>)) => {
      const { value } = latest.current;
      write({ ...latest.current, value: { ...value, ...(typeof next === "function" ? next(value) : next) } });
    },
    [write],
  );
  const preset = useCallback(
    (next: Partial<Value>) => {
      const { base, value, isRestored } = latest.current;
      write({ base: { ...base, ...next }, value: isRestored ? value : { ...value, ...next }, isRestored });
    },
    [write],
  );
  const discard = useCallback(() => {
    const { base } = latest.current;
    write({ base, value: base, isRestored: false });
  }, [write]);
  const settle = useCallback(() => {
    const { value } = latest.current;
    write({ base: value, value, isRestored: false });
  }, [write]);
  const isUnsaved = useCallback(() => isChanged(latest.current), []);
  return { value: state.value, change, preset, isRestored: state.isRestored, isUnsaved, discard, settle };
}

const isChanged = <Value>({ base, value }: State<Value>): boolean =>
  base !== value && JSON.stringify(base) !== JSON.stringify(value);

const part = <Value extends object>(value: Value, keys: readonly (keyof Value)[]): Partial<Value> =>
  Object.fromEntries(keys.map((key) => [key, value[key]])) as Partial<Value>;
