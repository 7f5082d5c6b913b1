import { Button, Group, Modal, Select, Stack, Table, TextInput } from "@mantine/core";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addToken, revokeToken, ROLES, sessionQuery, tokensQuery, type ApiToken, type Role } from "~/api/people";
import { roleOptions } from "~/components/role";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { Ago, useSecond } from "~/components/Ago";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { span } from "~/format/time";
import { DataTable } from "~/components/DataTable";
import { Secret } from "./Secret";

const DAY_S = 86_400;
const LIVES = [
  { value: String(7 * DAY_S), label: "7 days" },
  { value: String(90 * DAY_S), label: "90 days" },
  { value: String(365 * DAY_S), label: "A year" },
];

/** Secrets for programs: one's own, and for an administrator everybody's. */
export function TokensPage() {
  const { data: session } = useQuery(sessionQuery);
  const { data, error, refetch } = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<ApiToken | null>(null);
  const client = useQueryClient();
  const revocationOf = (token: ApiToken): Confirmation => ({
    title: `Revoke ${token.name}?`,
    lines: ["Whatever uses it is refused from its next request on. This cannot be taken back."],
    yes: "Revoke",
    isHard: true,
    act: () => revokeToken(token.id),
    done: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const mayMake = session?.via === "session";
  return (
    <>
      <PageHead title="API tokens" under="For programs and scripts: sent as a bearer token, or in $EDGEFLEET_TOKEN" actions={mayMake && <Button onClick={() => setMaking(true)}>New token</Button>} />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconKey} title="No API token" command="EDGEFLEET_TOKEN=… edgefleet device list">
            {mayMake ? "A token may do what its role may, and never more than you may." : "A token belongs to somebody who signs in."}
          </Empty>
        ) : (
          <Tokens tokens={data.items} onEnd={setEnding} />
        )}
      </Panel>
      <Modal opened={making} onClose={() => setMaking(false)} title={<b>New API token</b>}>
        {making && <TokenForm own={session?.role ?? "viewer"} onDone={() => setMaking(false)} />}
      </Modal>
      <ConfirmDialog question={ending && revocationOf(ending)} onClose={() => setEnding(null)} />
    </>
  );
}

function Tokens({ tokens, onEnd }: { tokens: readonly ApiToken[]; onEnd: (token: ApiToken) => void }) {
  const now = useSecond();
  return (
    <DataTable name="API tokens" headings={["Name", "Whose", "Role", "Ends", "Last used", ""]} width={640}>
      {tokens.map((token) => (
        <Table.Tr key={token.id}>
          <Table.Td>
            <b>{token.name}</b>
          </Table.Td>
          <Table.Td>{token.user}</Table.Td>
          <Table.Td>{token.role}</Table.Td>
          <Table.Td>{token.expires_at <= now ? "has ended" : `in ${span(token.expires_at - now)}`}</Table.Td>
          <Table.Td>{token.used_at === null ? "never" : <Ago at={token.used_at} />}</Table.Td>
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
  const [life, setLife] = useState(String(90 * DAY_S));
  const make = useMutation({
    mutationFn: () => addToken(name.trim(), role, Number(life)),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (make.data) return <Secret text={make.data.secret} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextInput label="Name" description="What it is for, as nightly-report" value={name} onChange={(event) => setName(event.currentTarget.value)} required withAsterisk={false} maxLength={64} data-autofocus />
        <Select label="Role" data={roleOptions.filter(({ value }) => ROLES.indexOf(value) <= ROLES.indexOf(own))} value={role} onChange={(value) => value && setRole(value as Role)} allowDeselect={false} />
        <Select label="Works for" data={LIVES} value={life} onChange={(value) => value && setLife(value)} allowDeselect={false} />
        <ErrorText error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
