import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sessionQuery, setUp } from "~/api/people";
import { ErrorText } from "~/components/States";
import { AuthLayout } from "./AuthLayout";

/** The first administrator. Whoever can read what the server printed may do this, once. */
export function SetUpPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [code, setCode] = useState("");
  const [name, setName] = useState("admin");
  const [password, setPassword] = useState("");
  const make = useMutation({
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
          make.mutate();
        }}
      >
        <Stack>
          <Text fz="sm" c="dimmed">
            Until now this server is open, to its own machine only. With the first administrator everybody has to sign in, and the server may be reached from elsewhere.
          </Text>
          <TextInput label="Set-up code" description="The server printed it when it started" placeholder="XXXX-XXXX-XXXX" value={code} onChange={(event) => setCode(event.currentTarget.value)} autoComplete="off" required withAsterisk={false} autoFocus />
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} autoComplete="username" autoCapitalize="none" required withAsterisk={false} maxLength={64} />
          <PasswordInput label="Password" description="At least 10 characters; a few unrelated words are easy to remember" value={password} onChange={(event) => setPassword(event.currentTarget.value)} autoComplete="new-password" required withAsterisk={false} maxLength={256} />
          <ErrorText error={make.error} />
          <Button type="submit" loading={make.isPending}>
            Make the first administrator
          </Button>
          <Link to="/">Not now</Link>
        </Stack>
      </form>
    </AuthLayout>
  );
}
