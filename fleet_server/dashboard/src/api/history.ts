import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, read } from "./client";
import type { components } from "./schema";

export type FigureHistory = components["schemas"]["FigureHistory"];
export type DeviceHistory = components["schemas"]["DeviceHistory"];
export type FigureCurve = components["schemas"]["FigureCurve"];
export type UpdateMark = components["schemas"]["UpdateMark"];
export type HistoryFigure = FigureCurve["name"];

const REFRESH_MS = 60_000;

interface Period {
  since: number;
  until: number | null;
}

/** Figures of devices over a period. `period`: that of `times` at the time of a request. A period up to now moves on. */
export const historyQuery = (device: string[], figure: HistoryFigure[], times: { until?: number }, period: () => Period) =>
  queryOptions({
    queryKey: ["figures", device, figure, times],
    queryFn: ({ signal }) => {
      const { since, until } = period();
      const query = { device, figure, since_at: since, until_at: until ?? undefined };
      return read(api.GET("/api/v1/figures", { params: { query }, signal }));
    },
    enabled: device.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: times.until === undefined ? REFRESH_MS : false,
  });
