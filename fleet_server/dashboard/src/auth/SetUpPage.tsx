import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sessionQuery, setUp } from "~/api/people";
import { ErrorText } from "~/components/States";
import { AuthLayout } from "./AuthLayout";

/** Creates the first administrator, once; needs the code in `setup.code` of the data folder. */
export function SetUpPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [code, setCode] = useState("");
  const [name, setName] = useState("admin");
  const [password, setPassword] = useState("");
  const create = useMutation({
    mutationFn: () => setUp(code.trim(), name.trim(), password),
    onSuccess: async (session) => {
      client.setQueryData(sessionQuery.queryKey, session);
      await client.invalidateQueries();
      await navigate({ to: "/people" });
    },
  });
  return (
    <AuthLayout title="Set up sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          <Text fz="sm" c="dimmed">
            This server has no users and is open to the account that runs it only. After you create an administrator, sign-in is
            required and the server can be reached over the network.
          </Text>
          <TextInput
            label="Setup code"
            description="Printed by the server at startup"
            placeholder="XXXX-XXXX-XXXX"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoComplete="off"
            required
            withAsterisk={false}
            autoFocus
          />
          <TextInput
            label="Username"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="username"
            autoCapitalize="none"
            required
            withAsterisk={false}
            maxLength={64}
          />
          <PasswordInput
            label="Password"
            description="At least 10 characters, e.g. a few unrelated words"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            required
            withAsterisk={false}
            maxLength={256}
          />
          <ErrorText error={create.error} />
          <Button type="submit" loading={create.isPending}>
            Create admin account
          </Button>
          <Link to="/">Skip for now</Link>
        </Stack>
      </form>
    </AuthLayout>
  );
}
