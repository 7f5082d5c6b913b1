import { Box, Button, Center, Group, Table, Text, TextInput } from "@mantine/core";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { auditQuery, verifyAudit, type AuditEntry } from "~/api/people";
import { Ago } from "~/components/Ago";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { useDebounced } from "~/components/useDebounced";
import type { AuditSearch } from "./search";
import { count } from "~/format/numbers";

const route = getRouteApi("/audit");
const VIA: Record<string, string> = {
  session: "Session",
  token: "API token",
  open: "No users yet",
  data: "Local command on the server",
};

/** Changes by user, time and source address. */
export function AuditPage() {
  return (
    <OnlyFor role="admin" what="see the audit log" title="Audit log">
      <Audit />
    </OnlyFor>
  );
}

function Audit() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: AuditSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const later = useDebounced(change, 250);
  const verify = useMutation({ mutationFn: () => verifyAudit() });
  return (
    <>
      <PageHead
        title="Audit log"
        under="All changes and rejected requests. Entries form a hash chain, so tampering is detected"
        actions={
          <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
            Verify integrity
          </Button>
        }
      />
      <ErrorText error={verify.error} />
      {verify.data && (
        <Box mb="md">
          <Panel>
            <Group gap="sm" role="status">
              {verify.data.valid ? (
                <Tag tone="ok" text={`Verified: ${count(verify.data.entries)} entries`} />
              ) : (
                <Tag tone="bad" text={`Verification failed: ${verify.data.fault}`} />
              )}
              <Text fz="xs" c="dimmed" className="mono" style={{ overflowWrap: "anywhere" }}>
                Head {verify.data.head}
              </Text>
            </Group>
          </Panel>
        </Box>
      )}
      <Panel flush>
        <Group p="md" gap="sm">
          <TextInput
            aria-label="User"
            placeholder="User, exact match"
            defaultValue={search.actor}
            onChange={(event) => later({ actor: event.currentTarget.value.trim() || undefined })}
            w={{ base: "100%", xs: 200 }}
          />
          <TextInput
            aria-label="Action"
            placeholder="Action, e.g. pause_rollout"
            defaultValue={search.action}
            onChange={(event) => later({ action: event.currentTarget.value.trim() || undefined })}
            w={{ base: "100%", xs: 240 }}
          />
        </Group>
        <Entries filter={search} />
      </Panel>
    </>
  );
}

function Entries({ filter }: { filter: AuditSearch }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(filter));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const entries = data.pages.flatMap((page) => page.items);
  if (!entries.length) return <Empty icon={IconHistory} title="No matching entries" command="edgefleet audit list" />;
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Audit log">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>#</Table.Th>
              <Table.Th>Time</Table.Th>
              <Table.Th>User</Table.Th>
              <Table.Th>Source</Table.Th>
              <Table.Th>Action</Table.Th>
              <Table.Th>Result</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Line key={entry.seq} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load older entries
          </Button>
        </Center>
      )}
    </>
  );
}

function Line({ entry }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className="num">{entry.seq}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={entry.at} />
      </Table.Td>
      <Table.Td>
        <b>{entry.actor}</b>
        <Text fz="xs" c="dimmed">
          {VIA[entry.via] ?? "Not signed in"}
        </Text>
      </Table.Td>
      <Table.Td>{entry.source || "–"}</Table.Td>
      <Table.Td maw={460}>
        {entry.action.replaceAll("_", " ")}{" "}
        <Text span c="dimmed" className="mono" fz="xs">
          {entry.target}
        </Text>
        {entry.detail !== "{}" && (
          <Text fz="xs" c="dimmed" className="mono" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            {entry.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {entry.status >= 400 ? (
          <Tag tone={entry.status === 401 || entry.status === 403 ? "bad" : "warn"} text={`Rejected (${entry.status})`} />
        ) : (
          <Tag tone="ok" text="Succeeded" />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
