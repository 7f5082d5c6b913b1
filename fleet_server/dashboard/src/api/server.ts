import { queryOptions } from "@tanstack/react-query";
import { api, read } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Setting = Schemas["SettingView"];
export type CertificateReport = Schemas["CertificateReport"];
export type RotationReport = Schemas["RotationReport"];
export type TrustRole = Schemas["TrustRole"];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/settings", { signal })),
});

/** Changes settings by name; null restores the value that the server was started with. */
export const changeSettings = (values: Record<string, string | number | null>) =>
  read(api.PATCH("/api/v1/settings", { body: { values } }));

export const certificatesQuery = queryOptions({
  queryKey: ["certificates"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/certificates", { signal })),
});

export const rotationQuery = queryOptions({
  queryKey: ["certificates", "rotation"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/certificates/rotation", { signal })),
  refetchInterval: 5_000,
});

export const trustQuery = queryOptions({
  queryKey: ["trust"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/trust", { signal })),
});
