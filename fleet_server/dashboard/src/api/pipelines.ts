import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { readCommand, sendCommand } from "./actions";
import { api, ApiError, read, whole } from "./client";
import type { components } from "./schema";
import type { CommandRow } from "./types";

type Schemas = components["schemas"];
export type PipelineRow = Schemas["PipelineRow"];
export type PipelineDocument = Schemas["PipelineDocument"];
export type PipelineProblem = Schemas["PipelineProblem"];
export type PipelineCheck = Schemas["PipelineCheck"];
type Plain = Record<string, unknown>;

/** A pipeline document stored on a device. `version` is empty for a local file of the device. */
export interface StoredPipeline {
  name: string;
  text: string;
  version: string;
}

const COMMAND_TIMEOUT_MS = 20_000;
const POLL_MS = 400;

export const pipelinesQuery = queryOptions({
  queryKey: ["pipelines"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/pipelines", { params: { query: { after } }, signal }))),
});

export const pipelineQuery = (name: string, version?: string) =>
  queryOptions({
    queryKey: ["pipeline", name, version ?? "latest"],
    queryFn: ({ signal }) =>
      read(api.GET("/api/v1/pipelines/{name}", { params: { path: { name }, query: { version } }, signal })),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status === 404),
  });

export const checkPipeline = (
  body: { text: string } | { spec: Plain },
  device = "",
  signal?: AbortSignal,
): Promise<PipelineCheck> => read(api.POST("/api/v1/pipelines/check", { body: { ...body, device }, signal }));

export const checkQuery = (spec: Plain, device = "") =>
  queryOptions({
    queryKey: ["pipeline-check", spec, device],
    queryFn: ({ signal }) => checkPipeline({ spec }, device, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });

/** Checks a document as text, while it is edited; an empty one is not checked. */
export const textCheckQuery = (text: string, device: string) =>
  queryOptions({
    queryKey: ["pipeline-text-check", text, device],
    queryFn: ({ signal }) => checkPipeline({ text }, device, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    enabled: text.trim() !== "",
  });

export const createPipeline = (body: { text: string; note: string } | { spec: Plain; note: string }): Promise<PipelineDocument> =>
  read(api.POST("/api/v1/pipelines", { body }));

/** Sends a command and waits for the device's response. */
export async function runCommand(device: string, op: string, args: Plain = {}): Promise<CommandRow> {
  return completed(device, await sendCommand(device, op, args, COMMAND_TIMEOUT_MS / 1000));
}

/** The command once the device has responded. */
export async function completed(device: string, sent: CommandRow): Promise<CommandRow> {
  const deadline = Date.now() + COMMAND_TIMEOUT_MS;
  let row = sent;
  while (row.state === "pending" && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    row = await readCommand(device, row.id);
  }
  if (row.state === "done") return row;
  throw new ApiError(row.state === "failed" ? row.detail : "the device did not respond in time; is it online?", 0);
}

/** Documents stored on a device: those of the fleet first, then its local files. */
export const storedPipelinesQuery = (device: string, enabled: boolean) =>
  queryOptions({
    queryKey: ["stored-pipelines", device],
    queryFn: async () => ((await runCommand(device, "pipelines")).result.pipelines ?? []) as StoredPipeline[],
    enabled,
    staleTime: 30_000,
    retry: false,
  });

/** Takes a snapshot of a camera; `url` is that of a JPEG. */
export async function takeSnapshot(device: string, pipeline: string): Promise<{ url: string; width: number; height: number }> {
  const sent = await read(
    api.POST("/api/v1/devices/{device}/snapshots", {
      params: { path: { device } },
      body: { pipeline, overlays: false, deadline_s: COMMAND_TIMEOUT_MS / 1000 },
    }),
  );
  const { picture, width, height } = (await completed(device, sent)).result as { picture: string; width: number; height: number };
  return { url: `/api/v1/devices/${encodeURIComponent(device)}/snapshots/${encodeURIComponent(picture)}`, width, height };
}

/** A frame with its detections drawn, at most about a second old. */
export function fetchLiveFrame(
  device: string,
  pipeline: string,
  signal: AbortSignal,
  overlays = true,
  age_s?: number,
): Promise<Blob> {
  const params = { path: { device, pipeline }, query: { overlays, age_s } };
  return read(api.GET("/api/v1/devices/{device}/live/{pipeline}", { params, signal, parseAs: "blob" })) as Promise<Blob>;
}
