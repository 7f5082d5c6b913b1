import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, done, read, whole } from "./client";
import type { DeviceFilter } from "./queries";
import type { BulkRequest, Selector } from "./types";

const MINUTE_MS = 60_000;
const PLACES_EVERY_MS = 10_000;

export const sitesQuery = queryOptions({
  queryKey: ["places"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/sites", { signal })),
  refetchInterval: PLACES_EVERY_MS,
});

export const sharesQuery = (span_s: number) =>
  queryOptions({
    queryKey: ["version-shares", span_s],
    queryFn: ({ signal }) =>
      read(
        api.GET("/api/v1/version-shares", {
          params: { query: { since_at: Date.now() / 1000 - span_s, points_max: 160 } },
          signal,
        }),
      ),
    refetchInterval: 5 * MINUTE_MS,
    placeholderData: keepPreviousData,
  });

export const listGroups = (signal?: AbortSignal) =>
  whole((after) => read(api.GET("/api/v1/groups", { params: { query: { after } }, signal })));
export const groupsQuery = queryOptions({ queryKey: ["groups"], queryFn: ({ signal }) => listGroups(signal) });

export const putGroup = (name: string, selector: Selector, note: string) =>
  read(api.PUT("/api/v1/groups/{name}", { params: { path: { name } }, body: { selector, note } }));
export const removeGroup = (name: string) => done(api.DELETE("/api/v1/groups/{name}", { params: { path: { name } } }));

/** Ids of every device that a list shows, on all its pages. */
export const deviceIds = ({ page: _, size: __, sort: ___, ...query }: DeviceFilter) =>
  read(api.GET("/api/v1/device-ids", { params: { query } }));

type BulkBody = Pick<BulkRequest, "action"> & Partial<BulkRequest>;
export const bulk = (ids: string[], body: BulkBody) =>
  read(
    api.POST("/api/v1/devices/bulk", {
      body: { args: {}, deadline_s: 300, labels: {}, reason: "", ...body, selector: { all: false, ids, labels: {} } },
    }),
  );

export const pinDevice = (device: string, slot: string, reason: string) =>
  read(api.PUT("/api/v1/devices/{device}/pins/{slot}", { params: { path: { device, slot } }, body: { reason } }));
export const unpinDevice = (device: string, slot: string) =>
  read(api.DELETE("/api/v1/devices/{device}/pins/{slot}", { params: { path: { device, slot } } }));
export const releaseDevice = (device: string) =>
  read(api.POST("/api/v1/devices/{device}/release", { params: { path: { device } } }));
export const decommission = (device: string) => done(api.DELETE("/api/v1/devices/{device}", { params: { path: { device } } }));
