import { useEffect, useState } from "react";
import { fetchLiveFrame } from "~/api/pipelines";

const INTERVAL_MS = 1_000;
/** Stills stop after this time, to save the camera's bandwidth. */
const DURATION_MS_MAX = 180_000;
/** Age of the picture with which a camera may begin. */
export const FIRST_AGE_S = 3600;

/** The picture of a camera: one at once if the server has one, then one a second while `on`. */
export function useStills(
  device: string,
  pipeline: string,
  on: boolean,
  overlays = true,
): { url: string; notice: string; over: boolean } {
  const [shown, setShown] = useState({ url: "", notice: "", over: false });
  useEffect(() => {
    if (!on) return;
    const cut = new AbortController();
    let timer: number | undefined;
    let last = "";
    const deadline = Date.now() + DURATION_MS_MAX;
    setShown({ url: "", notice: "", over: false });
    const poll = async (age_s?: number) => {
      if (Date.now() > deadline) return setShown({ url: last, notice: "Stopped automatically after 3 minutes.", over: true });
      const started = Date.now();
      if (!document.hidden) {
        try {
          const next = URL.createObjectURL(await fetchLiveFrame(device, pipeline, cut.signal, overlays, age_s));
          if (cut.signal.aborted) return URL.revokeObjectURL(next);
          setShown({ url: next, notice: "", over: false });
          if (last) URL.revokeObjectURL(last);
          last = next;
        } catch (error) {
          const notice = error instanceof Error ? error.message : "Failed to load the frame.";
          if (!cut.signal.aborted) setShown({ url: last, notice, over: true });
          return;
        }
      }
      timer = window.setTimeout(() => void poll(), Math.max(0, INTERVAL_MS - (Date.now() - started)));
    };
    void poll(FIRST_AGE_S);
    return () => {
      cut.abort();
      window.clearTimeout(timer);
      if (last) URL.revokeObjectURL(last);
    };
  }, [on, device, pipeline, overlays]);
  return on ? shown : { url: "", notice: shown.notice, over: shown.over };
}
