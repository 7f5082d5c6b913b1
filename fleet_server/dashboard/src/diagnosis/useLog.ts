import { useCallback, useEffect, useRef, useState } from "react";
import { readLastLogs, readLogs, type LogChoice } from "~/api/diagnosis";
import { endOf, first, followed, type Shown } from "./lines";

const POLL_MS = 2_000;

/** The log of a device. Nothing is requested before `load`, and nothing after the page is closed or hidden. */
export function useLog(device: string, choice: LogChoice) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const [problem, setProblem] = useState("");
  const [notice, setNotice] = useState("");
  const now = useRef<Shown | null>(null);
  const cut = useRef<AbortController | null>(null);
  useEffect(() => () => cut.current?.abort(), []);

  const show = useCallback((next: Shown | null) => {
    now.current = next;
    setShown(next);
  }, []);

  const run = useCallback(async (work: (signal: AbortSignal) => Promise<void>) => {
    cut.current?.abort();
    const own = new AbortController();
    cut.current = own;
    setLoading(true);
    setProblem("");
    setNotice("");
    try {
      await work(own.signal);
    } catch (error) {
      if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : "The log could not be read.");
    }
    if (cut.current === own) {
      setLoading(false);
      setFollowing(false);
    }
  }, []);

  const load = () => run(async (signal) => show(first(await readLogs(device, choice, "", signal))));
  const loadLast = () =>
    run(async (signal) => {
      const last = await readLastLogs(device, signal);
      show(last && first(last));
      if (!last) setNotice("The server has not received a log of this device yet.");
    });
  const follow = () =>
    run(async (signal) => {
      setFollowing(true);
      const began = Date.now();
      show(first(await readLogs(device, choice, "", signal)));
      for (;;) {
        setLoading(false);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        if (signal.aborted) return;
        const before = now.current;
        if (!before?.log.cursor) return setNotice("This agent sends no further lines.");
        const end = endOf(began, Date.now(), before.chars);
        if (end) return setNotice(end);
        if (!document.hidden) show(followed(before, await readLogs(device, choice, before.log.cursor, signal)));
      }
    });
  const stop = () => {
    cut.current?.abort();
    setFollowing(false);
    setLoading(false);
  };
  return { shown, isLoading, isFollowing, problem, notice, load, loadLast, follow, stop };
}
