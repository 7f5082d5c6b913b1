import { Button, Group, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { decideEnrolment, type EnrolmentRequest, enrolmentQuery, requestsQuery } from "~/api/people";
import { Ago } from "~/components/Ago";
import { DataTable } from "~/components/DataTable";
import { Panel } from "~/components/Panel";
import { ErrorText, Fault } from "~/components/States";
import { Tag } from "~/components/Tag";
import { count } from "~/format/numbers";

const KEY_CHARS = 16;
const AT_ONCE = 1_000;
const STATES = {
  waiting: { tone: "warn", text: "Waiting" },
  approved: { tone: "busy", text: "Approved" },
  denied: { tone: "off", text: "Denied" },
} as const;

/** Devices that ask to be enrolled; nothing while there are none. */
export function WaitingDevices() {
  const { data, error, refetch } = useQuery(requestsQuery);
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  return data && data.items.length > 0 ? <Requests requests={data.items} /> : null;
}

function Requests({ requests }: { requests: readonly EnrolmentRequest[] }) {
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: ({ devices, approve }: { devices: readonly EnrolmentRequest[]; approve: boolean }) =>
      decideEnrolment({ approve, devices: devices.map(({ device, key_sha256 }) => ({ device, key_sha256 })) }),
    onSettled: () => Promise.all([requestsQuery, enrolmentQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey }))),
  });
  const waiting = requests.filter(({ state }) => state === "waiting");
  const refused = Object.entries(decide.data?.refused ?? {});
  return (
    <Panel
      title="Devices that wait for approval"
      side={
        waiting.length > 1 && (
          <Button
            size="compact-sm"
            loading={decide.isPending}
            onClick={() => decide.mutate({ devices: waiting.slice(0, AT_ONCE), approve: true })}
          >
            Approve {waiting.length > AT_ONCE ? `the first ${count(AT_ONCE)}` : `all ${count(waiting.length)}`}
          </Button>
        )
      }
      flush
    >
      <ErrorText error={decide.error} />
      {refused.map(([device, why]) => (
        <Text key={device} fz="sm" role="alert" px="md">
          {device}: {why}
        </Text>
      ))}
      <DataTable name="Devices that wait for approval" headings={["Device", "", "State", "Key", "Token", "Asked"]} width={720}>
        {requests.map((request) => (
          <Table.Tr key={request.device}>
            <Table.Td>{request.device}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                {request.state !== "approved" && (
                  <Button
                    size="compact-xs"
                    disabled={decide.isPending}
                    onClick={() => decide.mutate({ devices: [request], approve: true })}
                    aria-label={`Approve ${request.device}`}
                  >
                    Approve
                  </Button>
                )}
                {request.state !== "denied" && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={decide.isPending}
                    onClick={() => decide.mutate({ devices: [request], approve: false })}
                    aria-label={`Deny ${request.device}`}
                  >
                    Deny
                  </Button>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <Tag {...STATES[request.state]} />
            </Table.Td>
            <Table.Td className="mono" title={request.key_sha256}>
              {request.key_sha256.slice(0, KEY_CHARS)}
            </Table.Td>
            <Table.Td className="mono">{request.token}</Table.Td>
            <Table.Td>
              <Ago at={request.requested_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Panel>
  );
}
