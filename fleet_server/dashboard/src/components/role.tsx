import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ROLES, sessionQuery, type Role, type RoleGrant, type Session } from "~/api/people";
import { capital } from "~/format/numbers";

/** `some`: the devices of any group; `all`: all devices, for what belongs to the whole fleet. */
export type Reach = "some" | "all";

const covers = (role: Role, needed: Role) => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Whether a session has at least the role `needed` for some or for all devices. */
export function may(session: Session | undefined, needed: Role, reach: Reach = "some"): boolean {
  if (session?.role == null || !covers(session.role, needed)) return false;
  const grants = session.grants ?? [];
  return reach === "some" || grants.length === 0 || grants.some((one) => one.group == null && covers(one.role, needed));
}

/** True if the signed-in user has at least the role `needed`. The server enforces roles; this only hides what it would refuse. */
export function useMay(needed: Role, reach: Reach = "some"): boolean {
  const { data } = useQuery(sessionQuery);
  return may(data, needed, reach);
}

export function ForRole({ role, reach, children }: { role: Role; reach?: Reach; children: ReactNode }) {
  return useMay(role, reach) ? children : null;
}

/** "Operator for lyon, viewer" */
export const rolesText = (grants: readonly RoleGrant[]) =>
  capital(grants.map(({ role, group }) => (group == null ? role : `${role} for ${group}`)).join(", "));

/** Permissions of each role. */
export const ROLE_HELP: Record<Role, string> = {
  viewer: "read-only access",
  operator: "push models, run rollouts, command devices",
  admin: "full access, including users and settings",
};
export const roleOptions = ROLES.map((value) => ({ value, label: `${capital(value)}: ${ROLE_HELP[value]}` }));
