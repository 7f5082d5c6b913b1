import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ROLES, sessionQuery, type Role } from "~/api/people";
import { capital } from "~/format/numbers";

/** True if the signed-in user has at least the role `needed`. The server enforces roles; this only hides what it would refuse. */
export function useMay(needed: Role): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.role != null && ROLES.indexOf(data.role) >= ROLES.indexOf(needed);
}

export function ForRole({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : null;
}

/** Permissions of each role. */
export const ROLE_HELP: Record<Role, string> = {
  viewer: "read-only access",
  operator: "push models, run rollouts, command devices",
  admin: "full access, including users and settings",
};
export const roleOptions = ROLES.map((value) => ({ value, label: `${capital(value)}: ${ROLE_HELP[value]}` }));
