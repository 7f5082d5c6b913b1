import { queryOptions } from "@tanstack/react-query";
import { api, done, read, whole } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Alert = Schemas["Alert"];
export type AlertRule = Schemas["AlertRule"];
export type AlertRuleRequest = Schemas["AlertRuleRequest"];
export type RuleBody = Schemas["AlertRuleBody"];
export type Figure = NonNullable<RuleBody["figure"]>;

const POLL_MS = 5_000;

export const alertsQuery = (open: boolean) =>
  queryOptions({
    queryKey: ["alerts", open],
    queryFn: ({ signal }) => read(api.GET("/api/v1/alerts", { params: { query: { open, limit: 200 } }, signal })),
    refetchInterval: POLL_MS,
  });

export const alertRulesQuery = queryOptions({
  queryKey: ["alert-rules"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/alert-rules", { params: { query: { after } }, signal }))),
  refetchInterval: POLL_MS,
});

export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/notices", { params: { query: { limit: 20 } }, signal })),
  refetchInterval: POLL_MS,
});

export const acknowledge = (alert: number) =>
  done(api.POST("/api/v1/alerts/{alert}/acknowledge", { params: { path: { alert } } }));
export const addRule = (body: AlertRuleRequest) => read(api.POST("/api/v1/alert-rules", { body }));
export const removeRule = (rule: number) => done(api.DELETE("/api/v1/alert-rules/{rule}", { params: { path: { rule } } }));
export const silenceRule = (rule: number, for_s: number) =>
  read(api.POST("/api/v1/alert-rules/{rule}/silence", { params: { path: { rule } }, body: { for_s } }));
