import { Button, Menu, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { changePassword, sessionQuery, signOut } from "~/api/people";
import { ButtonLink } from "~/components/links";
import { rolesText } from "~/components/role";
import { ErrorText } from "~/components/States";
import { removeDrafts } from "~/drafts/storage";

const sign = (Sign: typeof IconUser) => <Sign size={16} stroke={1.7} aria-hidden />;

/** The signed-in user and sign-out; on a server without users, a link to set them up. */
export function AccountMenu() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [changing, setChanging] = useState(false);
  const signOutNow = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      removeDrafts();
      return client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  if (!session) return null;
  if (session.user === null) {
    return (
      <ButtonLink to="/setup" variant="default" size="compact-md" visibleFrom="sm">
        Set up sign-in
      </ButtonLink>
    );
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" h={34} px="sm" leftSection={sign(IconUser)} aria-label={`Account: ${session.user}`}>
            {session.user}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Signed in as {session.grants?.length ? rolesText(session.grants).toLowerCase() : session.role}</Menu.Label>
          <Menu.Item leftSection={sign(IconKey)} component={Link} to="/tokens">
            API tokens
          </Menu.Item>
          <Menu.Item leftSection={sign(IconLock)} onClick={() => setChanging(true)}>
            Change password
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={sign(IconLogout)} onClick={() => signOutNow.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={changing} onClose={() => setChanging(false)} title={<b>Change password</b>}>
        {changing && <PasswordForm onDone={() => setChanging(false)} />}
      </Modal>
    </>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => changePassword(current, password),
    onSuccess: () => {
      notifications.show({ message: "Password changed. All other sessions were signed out", color: "teal" });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Stack>
        <PasswordInput
          label="Current password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          required
          withAsterisk={false}
          maxLength={256}
        />
        <Text fz="sm" c="dimmed">
          All your other sessions are signed out. API tokens stay valid.
        </Text>
        <ErrorText error={change.error} />
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
