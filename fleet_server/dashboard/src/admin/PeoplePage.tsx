import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Table, Text, TextInput, PasswordInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  addUser,
  changeUser,
  removeUser,
  ROLES,
  sessionQuery,
  usersQuery,
  type Role,
  type RoleGrant,
  type User,
} from "~/api/people";
import { rolesText } from "~/components/role";
import { RolesForm } from "./RolesForm";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { DataTable } from "~/components/DataTable";
import { capital, many } from "~/format/numbers";

type Step = { is: "add" } | { is: "password" | "remove" | "roles"; user: User };

export function PeoplePage() {
  return (
    <OnlyFor role="admin" what="view users" title="Users">
      <People />
    </OnlyFor>
  );
}

function People() {
  const { data: session } = useQuery(sessionQuery);
  const { data, error, refetch } = useQuery(usersQuery);
  const [step, setStep] = useState<Step | null>(null);
  const isOpen = session?.mode === "open";
  return (
    <>
      <PageHead
        title="Users"
        under="Users and their roles"
        actions={!isOpen && <Button onClick={() => setStep({ is: "add" })}>Add user</Button>}
      />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconUsers} title="No users yet" action={<ButtonLink to="/setup">Set up sign-in</ButtonLink>}>
            Without users, this server is open to the account that runs it only. Create an administrator to require sign-in.
          </Empty>
        ) : (
          <Users users={data.items} own={session?.user ?? ""} onStep={setStep} />
        )}
      </Panel>
      <Modal opened={step !== null} onClose={() => setStep(null)} title={<b>{step && titleOf(step)}</b>}>
        {step && <StepForm step={step} onDone={() => setStep(null)} />}
      </Modal>
    </>
  );
}

const titleOf = (step: Step): string =>
  step.is === "add"
    ? "Add user"
    : step.is === "remove"
      ? `Remove ${step.user.name}?`
      : step.is === "roles"
        ? `Roles of ${step.user.name}`
        : `Set password for ${step.user.name}`;

const grantsOf = (user: User): RoleGrant[] => (user.grants?.length ? user.grants : [{ role: user.role, group: null }]);

function Users({ users, own, onStep }: { users: readonly User[]; own: string; onStep: (step: Step) => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ name, ...body }: { name: string; role?: Role; disabled?: boolean }) => changeUser(name, body),
    onError: (error) => notifications.show({ message: error.message, color: "red" }),
    onSettled: () => client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  return (
    <DataTable name="Users" headings={["Username", "Role", "Status", "Last seen", ""]} width={560}>
      {users.map((user) => (
        <Table.Tr key={user.name}>
          <Table.Td>
            <b>{user.name}</b>{" "}
            {user.name === own && (
              <Text span c="dimmed">
                (you)
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            {grantsOf(user).some(({ group }) => group != null) ? (
              <Button size="compact-xs" variant="default" onClick={() => onStep({ is: "roles", user })}>
                {rolesText(grantsOf(user))}
              </Button>
            ) : (
              <Select
                aria-label={`Role of ${user.name}`}
                size="xs"
                w={130}
                data={ROLES.map((value) => ({ value, label: capital(value) }))}
                value={user.role}
                allowDeselect={false}
                onChange={(role) => role && change.mutate({ name: user.name, role: role as Role })}
              />
            )}
          </Table.Td>
          <Table.Td>
            {user.disabled ? (
              <Tag tone="warn" text="Disabled" />
            ) : user.sessions > 0 ? (
              <Tag tone="ok" text={many(user.sessions, "session")} />
            ) : (
              <Tag tone="off" text="Signed out" />
            )}
          </Table.Td>
          <Table.Td>{user.seen_at === null ? "–" : <Ago at={user.seen_at} />}</Table.Td>
          <Table.Td>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.name}`}>
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => onStep({ is: "roles", user })}>Roles by group</Menu.Item>
                <Menu.Item onClick={() => onStep({ is: "password", user })}>Set password</Menu.Item>
                <Menu.Item onClick={() => change.mutate({ name: user.name, disabled: !user.disabled })}>
                  {user.disabled ? "Enable" : "Disable"}
                </Menu.Item>
                <Menu.Item c="var(--bad)" onClick={() => onStep({ is: "remove", user })}>
                  Remove
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function StepForm({ step, onDone }: { step: Step; onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [roles, setRoles] = useState<RoleGrant[]>(
    step.is === "roles" ? grantsOf(step.user) : [{ role: "operator", group: null }],
  );
  const [password, setPassword] = useState("");
  const act = useMutation({
    mutationFn: async () => {
      if (step.is === "add") await addUser(name.trim(), roles, password);
      else if (step.is === "roles") await changeUser(step.user.name, { grants: roles });
      else if (step.is === "password") await changeUser(step.user.name, { password });
      else await removeUser(step.user.name);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: usersQuery.queryKey });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <Stack>
        {step.is === "add" && (
          <TextInput
            label="Username"
            description="Lowercase, e.g. rosa.keller"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            required
            withAsterisk={false}
            data-autofocus
          />
        )}
        {(step.is === "add" || step.is === "roles") && <RolesForm value={roles} onChange={setRoles} />}
        {step.is === "roles" ? (
          <Text fz="sm" c="dimmed">
            A device counts with the highest role that applies to it. Administrators have all devices.
          </Text>
        ) : step.is === "remove" ? (
          <Text fz="sm">
            All sessions and API tokens of {step.user.name} are revoked immediately. Audit log entries are kept.
          </Text>
        ) : (
          <PasswordInput
            label="Password"
            description="At least 10 characters; the user can change it"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            required
            withAsterisk={false}
          />
        )}
        {step.is === "password" && (
          <Text fz="sm" c="dimmed">
            All sessions of {step.user.name} are signed out.
          </Text>
        )}
        <ErrorText error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={act.isPending} color={step.is === "remove" ? "red.8" : undefined}>
            {step.is === "add" ? "Add" : step.is === "remove" ? "Remove" : step.is === "roles" ? "Save" : "Set password"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
