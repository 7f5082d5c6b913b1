import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { absolute, ago, now_s, span } from "~/format/time";

const listeners = new Set<() => void>();
let timer: number | undefined;
let second = Math.floor(now_s());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    second = Math.floor(now_s());
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current second; all ages on a page share one timer. */
export const useSecond = (): number => useSyncExternalStore(subscribe, () => second);

/** "12 s ago"; the absolute time in the viewer's time zone on hover and focus. */
export function Ago({ at, prefix = "" }: { at: number; prefix?: string }) {
  const now = useSecond();
  return (
    <Tooltip label={absolute(at)}>
      <time dateTime={new Date(at * 1000).toISOString()}>
        {prefix}
        {ago(at, now)}
      </time>
    </Tooltip>
  );
}

/** Duration since `at`: "3 min". */
export function Since({ at, prefix = "" }: { at: number; prefix?: string }) {
  const now = useSecond();
  return (
    <Tooltip label={`since ${absolute(at)}`}>
      <time dateTime={new Date(at * 1000).toISOString()}>
        {prefix}
        {span(now - at)}
      </time>
    </Tooltip>
  );
}
