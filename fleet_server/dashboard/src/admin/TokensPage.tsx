import { Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { groupsQuery } from "~/api/fleet";
import { addToken, revokeToken, ROLES, sessionQuery, tokensQuery, type ApiToken, type Role } from "~/api/people";
import { roleOptions } from "~/components/role";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { Ago, useSecond } from "~/components/Ago";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { capital } from "~/format/numbers";
import { span } from "~/format/time";
import { DataTable } from "~/components/DataTable";
import { Secret } from "./Secret";

const DAY_S = 86_400;
const LIFETIMES = [
  { value: String(7 * DAY_S), label: "7 days" },
  { value: String(90 * DAY_S), label: "90 days" },
  { value: String(365 * DAY_S), label: "1 year" },
];

/** API tokens: one's own; for administrators, all. */
export function TokensPage() {
  const { data: session } = useQuery(sessionQuery);
  const { data, error, refetch } = useQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiToken | null>(null);
  const client = useQueryClient();
  const revocationOf = (token: ApiToken): Confirmation => ({
    title: `Revoke ${token.name}?`,
    lines: ["Requests with this token are rejected from now on. This cannot be undone."],
    yes: "Revoke",
    isDestructive: true,
    act: () => revokeToken(token.id),
    done: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const mayCreate = session?.via === "session";
  return (
    <>
      <PageHead
        title="API tokens"
        under="For programs and scripts: send as a bearer token, or set $EDGEFLEET_TOKEN"
        actions={mayCreate && <Button onClick={() => setCreating(true)}>New token</Button>}
      />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconKey} title="No API tokens yet" command="EDGEFLEET_TOKEN=… edgefleet device list">
            {mayCreate
              ? "A token has the permissions of its role, at most your own."
              : "Tokens belong to users. Sign in to create one."}
          </Empty>
        ) : (
          <Tokens tokens={data.items} onEnd={setEnding} />
        )}
      </Panel>
      <Modal opened={creating} onClose={() => setCreating(false)} title={<b>New API token</b>}>
        {creating && <TokenForm own={session?.role ?? "viewer"} onDone={() => setCreating(false)} />}
      </Modal>
      <ConfirmDialog question={ending && revocationOf(ending)} onClose={() => setEnding(null)} />
    </>
  );
}

function Tokens({ tokens, onEnd }: { tokens: readonly ApiToken[]; onEnd: (token: ApiToken) => void }) {
  const now = useSecond();
  return (
    <DataTable name="API tokens" headings={["Name", "User", "Role", "Expires", "Last used", ""]} width={640}>
      {tokens.map((token) => (
        <Table.Tr key={token.id}>
          <Table.Td>
            <b>{token.name}</b>
            {token.scopes.length > 0 && (
              <Text fz="xs" c="dimmed">
                {token.scopes.includes("propose")
                  ? ["proposes changes", ...token.scopes.filter((scope) => scope !== "propose")].join(", ")
                  : token.scopes.join(", ")}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{token.user}</Table.Td>
          <Table.Td>
            {capital(token.role)}
            {(token.groups ?? []).length > 0 && ` for ${(token.groups ?? []).join(", ")}`}
          </Table.Td>
          <Table.Td>{token.expires_at <= now ? "Expired" : `In ${span(token.expires_at - now)}`}</Table.Td>
          <Table.Td>{token.used_at === null ? "Never" : <Ago at={token.used_at} />}</Table.Td>
          <Table.Td>
            <Button size="compact-xs" variant="default" onClick={() => onEnd(token)} aria-label={`Revoke ${token.name}`}>
              Revoke
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function TokenForm({ own, onDone }: { own: Role; onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [proposes, setProposes] = useState(false);
  const [groups, setGroups] = useState<string[]>([]);
  const { data: known } = useQuery(groupsQuery);
  const [lifetime_s, setLifetime] = useState(String(90 * DAY_S));
  const create = useMutation({
    mutationFn: () => addToken(name.trim(), role, Number(lifetime_s), proposes ? ["propose"] : [], groups),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (create.data) return <Secret text={create.data.secret} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Purpose, e.g. nightly-report"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
          maxLength={64}
          data-autofocus
        />
        <Select
          label="Role"
          data={roleOptions.filter(({ value }) => ROLES.indexOf(value) <= ROLES.indexOf(own))}
          value={role}
          onChange={(value) => {
            if (!value) return;
            setRole(value as Role);
            if (value === "admin") setGroups([]);
          }}
          allowDeselect={false}
        />
        {role !== "admin" && (
          <MultiSelect
            label="Only for groups"
            description="Without any: all devices that you have the role for"
            data={(known?.items ?? []).map((group) => group.name)}
            value={groups}
            onChange={setGroups}
          />
        )}
        <Select
          label="Expires in"
          data={LIFETIMES}
          value={lifetime_s}
          onChange={(value) => value && setLifetime(value)}
          allowDeselect={false}
        />
        <Checkbox
          label="Changes wait for the approval of a user"
          description="For programs such as MCP clients: they read, and propose changes"
          checked={proposes}
          onChange={(event) => setProposes(event.currentTarget.checked)}
        />
        <ErrorText error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
