import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { api, ApiError, lineOf, read } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ComponentVersion = Schemas["ComponentVersion"];
export type ComponentDevice = Schemas["ComponentDevice"];
export type ComponentCoverage = Schemas["ComponentCoverage"];
export type Stage = Schemas["DossierRequest"]["stage"];

const ROWS_PER_PAGE = 100;

export const componentsQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ["components", text],
    queryFn: ({ pageParam, signal }) =>
      read(api.GET("/api/v1/components", { params: { query: { text, after: pageParam, limit: ROWS_PER_PAGE } }, signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_after ?? undefined,
    placeholderData: keepPreviousData,
  });

export const componentQuery = (component: string, version: string, ended: boolean) =>
  infiniteQueryOptions({
    queryKey: ["component", component, version, ended],
    queryFn: ({ pageParam, signal }) =>
      read(
        api.GET("/api/v1/components/{component}", {
          params: { path: { component }, query: { version, ended, after: pageParam, limit: ROWS_PER_PAGE } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_after ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The zip file of a dossier. */
export async function fetchDossier(component: string, version: string, stage: Stage): Promise<Blob> {
  const answer = await fetch("/api/v1/dossiers", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ component, version, stage }),
  });
  if (!answer.ok) throw new ApiError(lineOf(await answer.json().catch(() => ""), answer.status), answer.status);
  return answer.blob();
}
