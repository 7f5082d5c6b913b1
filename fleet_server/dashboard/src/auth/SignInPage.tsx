import { Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery, signIn } from "~/api/people";
import { ErrorText } from "~/components/States";
import { AuthLayout } from "./AuthLayout";

export function SignInPage() {
  const client = useQueryClient();
  const provider = useQuery(sessionQuery).data?.openid;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const login = useMutation({
    mutationFn: () => signIn(name.trim(), password),
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" }); // data of the previous user
      client.setQueryData(sessionQuery.queryKey, session);
    },
    onError: () => setPassword(""),
  });
  return (
    <AuthLayout title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Username"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="username"
            autoCapitalize="none"
            required
            withAsterisk={false}
            autoFocus
            maxLength={64}
          />
          <PasswordInput
            label="Password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            withAsterisk={false}
            maxLength={256}
          />
          <ErrorText error={login.error} />
          <Button type="submit" loading={login.isPending}>
            Sign in
          </Button>
          {provider && (
            <>
              <Divider label="or" />
              <Button component="a" href="/api/v1/session/openid" variant="default">
                Sign in with {provider}
              </Button>
            </>
          )}
          <Text fz="sm" c="dimmed">
            No account? Ask an administrator to add you on the <b>Users</b> page.
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  );
}
