import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { readCommand, sendCommand } from "./actions";
import { api, ApiError, read } from "./client";
import type { components } from "./schema";
import type { CommandRow } from "./types";

type Schemas = components["schemas"];
export type PipelineRow = Schemas["PipelineRow"];
export type PipelineDocument = Schemas["PipelineDocument"];
export type PipelineProblem = Schemas["PipelineProblem"];
export type PipelineCheck = Schemas["PipelineCheck"];
type Plain = Record<string, unknown>;

/** A pipeline as it is written on a device. `version`: of the fleet's document; empty for a file of the device's own. */
export interface StoredPipeline {
  name: string;
  text: string;
  version: string;
}

const ANSWER_MS = 20_000;
const POLL_MS = 400;

export const pipelinesQuery = queryOptions({
  queryKey: ["pipelines"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/pipelines", { signal })),
});

export const pipelineQuery = (name: string, version?: string) =>
  queryOptions({
    queryKey: ["pipeline", name, version ?? "latest"],
    queryFn: ({ signal }) => read(api.GET("/api/v1/pipelines/{name}", { params: { path: { name }, query: { version } }, signal })),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status === 404),
  });

export const checkPipeline = (body: { text: string } | { spec: Plain }, device = "", signal?: AbortSignal): Promise<PipelineCheck> =>
  read(api.POST("/api/v1/pipelines/check", { body: { ...body, device }, signal }));

export const checkQuery = (spec: Plain, device = "") =>
  queryOptions({
    queryKey: ["pipeline-check", spec, device],
    queryFn: ({ signal }) => checkPipeline({ spec }, device, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });

/** The same of a text that somebody types; an empty one is nobody's. */
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

/** Send a command and wait for the device's answer. */
export async function ask(device: string, op: string, args: Plain = {}): Promise<CommandRow> {
  return settled(device, await sendCommand(device, op, args, ANSWER_MS / 1000));
}

/** The command's row once the device has answered. */
export async function settled(device: string, sent: CommandRow): Promise<CommandRow> {
  const ends = Date.now() + ANSWER_MS;
  let row = sent;
  while (row.state === "pending" && Date.now() < ends) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    row = await readCommand(device, row.id);
  }
  if (row.state === "done") return row;
  throw new ApiError(row.state === "failed" ? row.detail : "the device did not answer in time; is it online?", 0);
}

/** What a device has written down: the fleet's documents first, then its own files. */
export const storedPipelinesQuery = (device: string, enabled: boolean) =>
  queryOptions({
    queryKey: ["written", device],
    queryFn: async () => ((await ask(device, "pipelines")).result.pipelines ?? []) as StoredPipeline[],
    enabled,
    staleTime: 30_000,
    retry: false,
  });

/** A picture of what a camera sees now; the address is that of a JPEG. */
export async function takeSnapshot(device: string, pipeline: string): Promise<{ url: string; width: number; height: number }> {
  const sent = await read(api.POST("/api/v1/devices/{device}/snapshots", { params: { path: { device } }, body: { pipeline, overlays: false, deadline_s: ANSWER_MS / 1000 } }));
  const { picture, width, height } = (await settled(device, sent)).result as { picture: string; width: number; height: number };
  return { url: `/api/v1/devices/${encodeURIComponent(device)}/snapshots/${encodeURIComponent(picture)}`, width, height };
}

/** A frame with what is seen in it, at most about a second old. */
export async function fetchLiveFrame(device: string, pipeline: string, signal: AbortSignal): Promise<Blob> {
  const path = { device, pipeline };
  return read(api.GET("/api/v1/devices/{device}/live/{pipeline}", { params: { path, query: { overlays: true } }, signal, parseAs: "blob" })) as Promise<Blob>;
}
