import { useEffect, useState } from "react";
import { fetchTelemetry } from "~/api/queries";
import { useConnectionState } from "~/live/LiveProvider";
import { openSeries, type Series } from "~/live/series";
import { now_s } from "~/format/time";

export const SPANS_S = { "5m": 300, "30m": 1_800, "6h": 21_600, "24h": 86_400 } as const;
const POINTS_MAX = 600;

interface Telemetry {
  series: Series | null;
  error: Error | null;
  isLoading: boolean;
}

/** Telemetry of a device: its history, then samples of the live stream; the history again after a reconnect. */
export function useTelemetry(id: string, span_s: number): Telemetry {
  const [state, setState] = useState<Telemetry>({ series: null, error: null, isLoading: true });
  const is = useConnectionState().is;
  const isReachable = is !== "down" && is !== "suspended";
  useEffect(() => {
    const { series, close } = openSeries(id);
    setState({ series, error: null, isLoading: true });
    return close;
  }, [id]);
  const { series } = state;
  useEffect(() => {
    if (!series || !isReachable) return;
    const cancel = new AbortController();
    const until = now_s();
    fetchTelemetry(series.device, until - span_s, until + 5, POINTS_MAX, cancel.signal)
      .then(({ points }) => {
        series.points = [];
        series.load(points);
        setState((old) => (old.series === series ? { series, error: null, isLoading: false } : old));
      })
      .catch((error: Error) => {
        if (!cancel.signal.aborted) setState((old) => (old.series === series ? { series, error, isLoading: false } : old));
      });
    return () => cancel.abort();
  }, [series, span_s, isReachable]);
  return state;
}
