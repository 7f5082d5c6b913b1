import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, done, read, whole } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Session = Schemas["Session"];
export type Role = Schemas["Role"];
export type RoleGrant = Schemas["RoleGrant"];
export type User = Schemas["User"];
export type ApiToken = Schemas["ApiToken"];
export type NewApiToken = Schemas["NewApiToken"];
export type EnrolmentToken = Schemas["TokenRow"];
export type NewEnrolmentToken = Schemas["NewToken"];
export type EnrolmentRequest = Schemas["EnrolmentRequest"];
export type AuditEntry = Schemas["AuditEntry"];
export interface AuditFilter {
  actor?: string;
  action?: string;
}

/** In order of permissions: each includes those before it. */
export const ROLES: readonly Role[] = ["viewer", "operator", "admin"];
export const ENTRIES_PER_PAGE = 50;

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/session", { signal })),
  staleTime: 60_000,
});

export const mustSignIn = (session: Session) => session.mode === "required" && session.user === null;
/** No user yet, and another account than the one that runs the server. */
export const mustSetUp = (session: Session) => session.mode === "open" && session.role === null;

export const signIn = (name: string, password: string) => read(api.POST("/api/v1/session", { body: { name, password } }));
export const signOut = () => done(api.DELETE("/api/v1/session"));
export const setUp = (code: string, name: string, password: string) =>
  read(api.POST("/api/v1/setup", { body: { code, name, password } }));
export const changePassword = (current: string, password: string) =>
  done(api.PUT("/api/v1/session/password", { body: { current, password } }));

export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/users", { params: { query: { after } }, signal }))),
});
export const addUser = (name: string, grants: RoleGrant[], password: string) =>
  read(api.POST("/api/v1/users", { body: { name, grants, password } }));
export const changeUser = (user: string, body: Schemas["UserPatch"]) =>
  read(api.PATCH("/api/v1/users/{user}", { params: { path: { user } }, body }));
export const removeUser = (user: string) => done(api.DELETE("/api/v1/users/{user}", { params: { path: { user } } }));

export const tokensQuery = queryOptions({
  queryKey: ["api-tokens"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/api-tokens", { params: { query: { after } }, signal }))),
});
export const addToken = (name: string, role: Role, expires_s: number, scopes: string[], groups: string[]) =>
  read(api.POST("/api/v1/api-tokens", { body: { name, role, expires_s, scopes, groups } }));
export const revokeToken = (token: string) => done(api.DELETE("/api/v1/api-tokens/{token}", { params: { path: { token } } }));

export const enrolmentQuery = queryOptions({
  queryKey: ["enrolment-tokens"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/enrolment-tokens", { signal })),
  refetchInterval: 5_000,
});
export const addEnrolment = (body: Schemas["TokenRequest"]) => read(api.POST("/api/v1/enrolment-tokens", { body }));
export const revokeEnrolment = (token: string) =>
  done(api.DELETE("/api/v1/enrolment-tokens/{token}", { params: { path: { token } } }));

export const requestsQuery = queryOptions({
  queryKey: ["enrolment-requests"],
  queryFn: ({ signal }) => read(api.GET("/api/v1/enrolment-requests", { signal })),
  refetchInterval: 5_000,
});
export const decideEnrolment = (body: Schemas["EnrolmentDecision"]) =>
  read(api.POST("/api/v1/enrolment-requests/decisions", { body }));

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam, signal }) =>
      read(
        api.GET("/api/v1/audit", { params: { query: { ...filter, before_seq: pageParam, limit: ENTRIES_PER_PAGE } }, signal }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next_before_seq ?? undefined,
    placeholderData: keepPreviousData,
  });
export const verifyAudit = (head?: string) => read(api.GET("/api/v1/audit/verification", { params: { query: { head } } }));
