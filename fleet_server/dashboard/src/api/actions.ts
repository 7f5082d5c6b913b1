import { api, ApiError, lineOf, read } from "./client";
import type { ModelVersion, RolloutRequest } from "./types";

export type RolloutAction = "start" | "pause" | "resume" | "abort" | "rollback";

export const setLabels = (id: string, labels: Record<string, string>) =>
  read(api.PATCH("/api/v1/devices/{id}", { params: { path: { id } }, body: { labels } }));

export const sendCommand = (id: string, op: string, args: Record<string, unknown> = {}, deadline_s = 30) =>
  read(api.POST("/api/v1/devices/{id}/commands", { params: { path: { id } }, body: { op, args, deadline_s } }));

export const readCommand = (id: string, cid: string) =>
  read(api.GET("/api/v1/devices/{id}/commands/{cid}", { params: { path: { id, cid } } }));

export const createRollout = (body: RolloutRequest) => read(api.POST("/api/v1/rollouts", { body }));

export const actOnRollout = (id: number, action: RolloutAction, reason: string) =>
  read(api.POST("/api/v1/rollouts/{id}/{action}", { params: { path: { id, action } }, body: { reason } }));

/** Upload a package. XMLHttpRequest, because `fetch` reports no progress of what it sends. */
export function pushModel(file: File, onProgress: (share: number) => void): Promise<ModelVersion> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("package", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/models");
    request.responseType = "json";
    request.upload.onprogress = (moved) => moved.lengthComputable && onProgress(moved.loaded / moved.total);
    request.onerror = () => reject(new ApiError("the upload was cut; nothing was stored. Try again", 0));
    request.onload = () => {
      if (request.status < 300) resolve(request.response as ModelVersion);
      else reject(new ApiError(lineOf(request.response, request.status), request.status));
    };
    request.send(form);
  });
}
