import { api, ApiError, lineOf, read } from "./client";
import type { ExperimentRequest, ModelVersion, Rollout, RolloutRequest } from "./types";

export type RolloutAction = "start" | "pause" | "resume" | "abort" | "rollback";

export const setLabels = (id: string, labels: Record<string, string>) =>
  read(api.PATCH("/api/v1/devices/{device}", { params: { path: { device: id } }, body: { labels } }));

export const sendCommand = (id: string, op: string, args: Record<string, unknown> = {}, deadline_s = 30) =>
  read(api.POST("/api/v1/devices/{device}/commands", { params: { path: { device: id } }, body: { op, args, deadline_s } }));

export const readCommand = (id: string, cid: string) =>
  read(api.GET("/api/v1/devices/{device}/commands/{cid}", { params: { path: { device: id, cid } } }));

export const blockDevice = (id: string, reason: string) =>
  read(api.PUT("/api/v1/devices/{device}/block", { params: { path: { device: id } }, body: { reason } }));

export const unblockDevice = (id: string) =>
  read(api.DELETE("/api/v1/devices/{device}/block", { params: { path: { device: id } } }));

export const createRollout = (body: RolloutRequest) => read(api.POST("/api/v1/rollouts", { body }));

/** Performs an operator action on a rollout; each action is a route of its own. */
export function actOnRollout(rollout: number, action: RolloutAction, reason: string): Promise<Rollout> {
  const init = { params: { path: { rollout } }, body: { reason } };
  const steps = {
    start: () => api.POST("/api/v1/rollouts/{rollout}/start", init),
    pause: () => api.POST("/api/v1/rollouts/{rollout}/pause", init),
    resume: () => api.POST("/api/v1/rollouts/{rollout}/resume", init),
    abort: () => api.POST("/api/v1/rollouts/{rollout}/abort", init),
    rollback: () => api.POST("/api/v1/rollouts/{rollout}/rollback", init),
  };
  return read(steps[action]());
}

export const approveRollout = (rollout: number, wave: number | null) =>
  read(api.POST("/api/v1/rollouts/{rollout}/approve", { params: { path: { rollout } }, body: { wave, reason: "" } }));

export const skipWave = (rollout: number, wave: number, reason: string) =>
  read(api.POST("/api/v1/rollouts/{rollout}/skip", { params: { path: { rollout } }, body: { wave, reason } }));

export const createExperiment = (body: ExperimentRequest) => read(api.POST("/api/v1/experiments", { body }));

export const takeExperiment = (experiment: number, arm: string) =>
  read(api.POST("/api/v1/experiments/{experiment}/choose", { params: { path: { experiment } }, body: { arm } }));

export const stopExperiment = (experiment: number) =>
  read(api.POST("/api/v1/experiments/{experiment}/stop", { params: { path: { experiment } } }));

/** Upload a package. XMLHttpRequest, because `fetch` reports no progress of what it sends. */
export function pushModel(file: File, onProgress: (share: number) => void): Promise<ModelVersion> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("package", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/models");
    request.responseType = "json";
    request.upload.onprogress = (moved) => moved.lengthComputable && onProgress(moved.loaded / moved.total);
    request.onerror = () => reject(new ApiError("the upload was interrupted; nothing was stored. Try again", 0));
    request.onload = () => {
      if (request.status < 300) resolve(request.response as ModelVersion);
      else reject(new ApiError(lineOf(request.response, request.status), request.status));
    };
    request.send(form);
  });
}
