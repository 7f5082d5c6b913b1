import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, read, whole } from "./client";
import type {
  AttemptState,
  DeviceFact,
  DeviceSort,
  ExperimentRequest,
  PreviewRequest,
  RolloutState,
  TemplateList,
} from "./types";

export interface DeviceFilter {
  search?: string;
  status?: DeviceFact;
  package?: string;
  version?: string;
  slot?: string;
  group?: string;
  query?: string;
  label?: string[];
  sort?: DeviceSort;
  page?: number;
  size?: number;
}

export interface AttemptFilter {
  wave?: number;
  state?: AttemptState;
  device?: string;
  page?: number;
  size?: number;
}

export interface EventFilter {
  device?: string;
  kind?: string;
  label?: string;
}

export const EVENTS_PER_PAGE = 50;

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/overview", { signal })),
});

export const devicesQuery = (filter: DeviceFilter) =>
  queryOptions({
    queryKey: ["devices", filter],
    queryFn: ({ signal }) => read(api.GET("/api/v1/devices", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ["device", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/devices/{device}", { params: { path: { device: id } }, signal })),
  });

export const identityQuery = (id: string) =>
  queryOptions({
    queryKey: ["identity", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/devices/{device}/identity", { params: { path: { device: id } }, signal })),
  });

export function fetchTelemetry(id: string, since_at: number, until_at: number, points_max: number, signal?: AbortSignal) {
  const params = { path: { device: id }, query: { since_at, until_at, points_max } };
  return read(api.GET("/api/v1/devices/{device}/telemetry", { params, signal }));
}

export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ["events", filter],
    queryFn: ({ pageParam, signal }) =>
      read(api.GET("/api/v1/events", { params: { query: { ...filter, before_id: pageParam, limit: EVENTS_PER_PAGE } }, signal })),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next_before_id ?? undefined,
    placeholderData: keepPreviousData,
  });

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/models", { params: { query: { after } }, signal }))),
});

export const modelQuery = (name: string, version: string) =>
  queryOptions({
    queryKey: ["model", name, version],
    queryFn: ({ signal }) => read(api.GET("/api/v1/models/{name}/{version}", { params: { path: { name, version } }, signal })),
  });

export const rolloutsQuery = (filter: { state?: RolloutState[]; page?: number; size?: number }) =>
  queryOptions({
    queryKey: ["rollouts", filter],
    queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const rolloutQuery = (id: number) =>
  queryOptions({
    queryKey: ["rollout", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts/{rollout}", { params: { path: { rollout: id } }, signal })),
  });

export const attemptsQuery = (id: number, filter: AttemptFilter) =>
  queryOptions({
    queryKey: ["attempts", id, filter],
    queryFn: ({ signal }) =>
      read(api.GET("/api/v1/rollouts/{rollout}/attempts", { params: { path: { rollout: id }, query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const timelineQuery = (id: number) =>
  queryOptions({
    queryKey: ["timeline", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts/{rollout}/timeline", { params: { path: { rollout: id } }, signal })),
  });

export const shadowQuery = (id: number) =>
  queryOptions({
    queryKey: ["shadow", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts/{rollout}/shadow", { params: { path: { rollout: id } }, signal })),
    refetchInterval: 15_000,
  });

export const rolloutHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: ["rollout-history", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts/{rollout}/history", { params: { path: { rollout: id } }, signal })),
  });

export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/rollouts/templates", { signal })) as Promise<TemplateList>,
  staleTime: Infinity,
});

export const fieldQuery = (name: string, version: string) =>
  queryOptions({
    queryKey: ["field", name, version],
    queryFn: ({ signal }) =>
      read(api.GET("/api/v1/models/{name}/{version}/field", { params: { path: { name, version } }, signal })),
    refetchInterval: 15_000,
  });

export const coverageQuery = (name: string, version: string) =>
  queryOptions({
    queryKey: ["coverage", name, version],
    queryFn: ({ signal }) =>
      read(api.GET("/api/v1/models/{name}/{version}/coverage", { params: { path: { name, version } }, signal })),
  });

export const measurementsQuery = (name: string, version: string) =>
  queryOptions({
    queryKey: ["measurements", name, version],
    queryFn: ({ signal }) =>
      read(
        api.GET("/api/v1/models/{name}/{version}/measurements", {
          params: { path: { name, version }, query: { best: true } },
          signal,
        }),
      ),
  });

export const previewQuery = (body: PreviewRequest, enabled: boolean) =>
  queryOptions({
    queryKey: ["preview", body],
    queryFn: ({ signal }) => read(api.POST("/api/v1/rollouts/preview", { body, signal })),
    enabled,
    staleTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
  });

export const experimentsQuery = queryOptions({
  queryKey: ["experiments"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/experiments", { params: { query: { size: 200 } }, signal })),
});

/** Preview of an experiment. */
export const experimentPreviewQuery = (body: ExperimentRequest, enabled: boolean) =>
  queryOptions({
    queryKey: ["experiment-preview", body],
    queryFn: ({ signal }) => read(api.POST("/api/v1/experiments/preview", { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
    enabled,
  });

export const experimentQuery = (id: number) =>
  queryOptions({
    queryKey: ["experiment", id],
    queryFn: ({ signal }) => read(api.GET("/api/v1/experiments/{experiment}", { params: { path: { experiment: id } }, signal })),
    refetchInterval: 30_000,
  });
