import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, read } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Proposal = Schemas["Proposal"];
export type ProposalEffect = Schemas["ProposalEffect"];
export type ProposalState = Proposal["state"];

const EVERY_MS = 15_000;
export const PROPOSALS_PER_PAGE = 50;

export const proposalsQuery = (state: ProposalState[], page = 1) =>
  queryOptions({
    queryKey: ["proposals", state, page],
    queryFn: ({ signal }) =>
      read(api.GET("/api/v1/proposals", { params: { query: { state, page, size: PROPOSALS_PER_PAGE } }, signal })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });

/** Number of proposals that wait for a decision. */
export const waitingQuery = queryOptions({
  queryKey: ["proposals", "waiting"],
  queryFn: async ({ signal }) =>
    (await read(api.GET("/api/v1/proposals", { params: { query: { state: ["pending"], size: 1 } }, signal }))).total,
  refetchInterval: EVERY_MS,
});

export const effectQuery = (proposal: number) =>
  queryOptions({
    queryKey: ["proposals", "effect", proposal],
    queryFn: ({ signal }) => read(api.GET("/api/v1/proposals/{proposal}/effect", { params: { path: { proposal } }, signal })),
  });

export const approveProposal = (proposal: number, reason: string) =>
  read(api.POST("/api/v1/proposals/{proposal}/approve", { params: { path: { proposal } }, body: { reason } }));
export const rejectProposal = (proposal: number, reason: string) =>
  read(api.POST("/api/v1/proposals/{proposal}/reject", { params: { path: { proposal } }, body: { reason } }));
