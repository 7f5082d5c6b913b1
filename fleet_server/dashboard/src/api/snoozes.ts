import { queryOptions } from "@tanstack/react-query";
import { api, done, read, whole } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Snooze = Schemas["Snooze"];
export type SnoozeRequest = Schemas["SnoozeRequest"];

const POLL_MS = 15_000;

export const snoozesQuery = queryOptions({
  queryKey: ["alert-snoozes"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/alert-snoozes", { params: { query: { after } }, signal }))),
  refetchInterval: POLL_MS,
});

export const addSnooze = (body: SnoozeRequest) => read(api.POST("/api/v1/alert-snoozes", { body }));
export const endSnooze = (snooze: number) => done(api.DELETE("/api/v1/alert-snoozes/{snooze}", { params: { path: { snooze } } }));
