import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ROLES, sessionQuery, type Role } from "~/api/people";

/** Whether the person at this screen may do what `needed` may. The server decides; this only hides what it would refuse. */
export function useMay(needed: Role): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.role != null && ROLES.indexOf(data.role) >= ROLES.indexOf(needed);
}

export function ForRole({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : null;
}

/** What each role may, in words. */
export const ROLE_HELP: Record<Role, string> = {
  viewer: "sees everything, changes nothing",
  operator: "pushes models, runs rollouts, commands devices",
  admin: "all of that, and decides who may do it",
};
export const roleOptions = ROLES.map((value) => ({ value, label: `${value}: ${ROLE_HELP[value]}` }));
