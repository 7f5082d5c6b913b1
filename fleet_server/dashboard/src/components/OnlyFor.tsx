import { Text } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import type { ReactNode } from "react";
import { useMay, type Reach } from "./role";
import type { Role } from "~/api/people";
import { PageHead } from "./PageHead";
import { Empty } from "./States";

const PLURALS: Record<Role, string> = { viewer: "signed-in users", operator: "operators", admin: "administrators" };

/** "Only operators of all devices can create groups" */
const only = (role: Role, what: string, reach?: Reach) =>
  `Only ${PLURALS[role]}${reach === "all" ? " of all devices" : ""} can ${what}`;

interface OnlyForProps {
  role: Role;
  /** The action, as it follows on "Only operators can …". */
  what: string;
  reach?: Reach;
  children: ReactNode;
}

/** A page that needs a role; other users see a note. `children` are not rendered for them, so they send no requests. */
export function OnlyFor({ role, what, reach, title, children }: OnlyForProps & { title: string }) {
  if (useMay(role, reach)) return children;
  return (
    <>
      <PageHead title={title} />
      <Empty icon={IconLock} title={only(role, what, reach)}>
        Ask an administrator to grant you this role.
      </Empty>
    </>
  );
}

/** A part of a page that needs a role; other users see a note in its place. */
export function PartFor({ role, what, reach, children }: OnlyForProps) {
  if (useMay(role, reach)) return children;
  return (
    <Text fz="sm" c="dimmed">
      {only(role, what, reach)}.
    </Text>
  );
}
