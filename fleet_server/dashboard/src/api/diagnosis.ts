import { queryOptions } from "@tanstack/react-query";
import { readCommand, sendCommand } from "./actions";
import { api, ApiError, done, read } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type DeviceLog = Schemas["DeviceLog"];
export type LogRecord = Schemas["LogRecord"];
export type SupportBundleRow = Schemas["SupportBundleRow"];
export type LogSource = DeviceLog["source"];
export type LogLevel = DeviceLog["level"];

/** What is requested of a device's log. */
export interface LogChoice {
  source: LogSource;
  pipeline?: string;
  level: LogLevel;
  search: string;
  lines: number;
}

export const readLogs = (device: string, choice: LogChoice, since: string, signal?: AbortSignal): Promise<DeviceLog> =>
  read(api.GET("/api/v1/devices/{device}/logs", { params: { path: { device }, query: { ...choice, since } }, signal }));

/** The log that the server received last; null if there is none. */
export async function readLastLogs(device: string, signal?: AbortSignal): Promise<DeviceLog | null> {
  try {
    return await read(api.GET("/api/v1/devices/{device}/logs/last", { params: { path: { device } }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** One result of a check. */
export interface CheckRow {
  what: string;
  ok: boolean;
  needed: boolean;
  detail: string;
  fix: string;
}

const CHECK_TIMEOUT_S = 300;
const POLL_MS = 700;

/** Runs one of the device's fixed checks, and waits for its rows. */
export async function runCheck(device: string, check: string, signal: AbortSignal): Promise<CheckRow[]> {
  let row = await sendCommand(device, "diagnose", { check }, CHECK_TIMEOUT_S);
  while (row.state === "pending" && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    row = await readCommand(device, row.id);
  }
  if (row.state === "done") return (row.result.checks ?? []) as CheckRow[];
  throw new ApiError(row.detail || "the device did not respond in time", 0);
}

const BUNDLES_POLL_MS = 3_000;

export const bundlesQuery = (device: string) =>
  queryOptions({
    queryKey: ["support-bundles", device],
    queryFn: async ({ signal }) =>
      (await read(api.GET("/api/v1/devices/{device}/support-bundles", { params: { path: { device } }, signal }))).items,
    refetchInterval: ({ state }) => (state.data?.some((row) => row.state === "pending") ? BUNDLES_POLL_MS : false),
  });

export const requestBundle = (device: string) =>
  read(api.POST("/api/v1/devices/{device}/support-bundles", { params: { path: { device } } }));

export const deleteBundle = (device: string, bundle: string) =>
  done(api.DELETE("/api/v1/devices/{device}/support-bundles/{bundle}", { params: { path: { device, bundle } } }));

export const bundleUrl = (device: string, bundle: string): string =>
  `/api/v1/devices/${encodeURIComponent(device)}/support-bundles/${encodeURIComponent(bundle)}`;
