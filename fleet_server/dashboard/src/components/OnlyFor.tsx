import { Text } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import type { ReactNode } from "react";
import { useMay } from "./role";
import type { Role } from "~/api/people";
import { PageHead } from "./PageHead";
import { Empty } from "./States";

const WHO: Record<Role, string> = { viewer: "those who are signed in", operator: "operators", admin: "administrators" };

/** "Only operators make groups." */
const only = (role: Role, what: string) => `Only ${WHO[role]} ${what}`;

interface OnlyForProps {
  role: Role;
  /** What they may do, as it follows on "Only operators …". */
  what: string;
  children: ReactNode;
}

/** A whole page for those with a role; everybody else is told whose it is. `children` ask the server only where they are shown. */
export function OnlyFor({ role, what, title, children }: OnlyForProps & { title: string }) {
  if (useMay(role)) return children;
  return (
    <>
      <PageHead title={title} />
      <Empty icon={IconLock} title={only(role, what)}>
        An administrator can give you that role.
      </Empty>
    </>
  );
}

/** A part of a page for those with a role; in its place everybody else reads whose it is. */
export function PartFor({ role, what, children }: OnlyForProps) {
  if (useMay(role)) return children;
  return (
    <Text fz="sm" c="dimmed">
      {only(role, what)}.
    </Text>
  );
}
