import { Anchor, Button, Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bundlesQuery, bundleUrl, deleteBundle, requestBundle, type SupportBundleRow } from "~/api/diagnosis";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { bytes } from "~/format/numbers";
import { absolute } from "~/format/time";
import type { Tone } from "~/format/tones";

const STATE: Record<SupportBundleRow["state"], { text: string; tone: Tone }> = {
  pending: { text: "On its way", tone: "busy" },
  done: { text: "Ready", tone: "ok" },
  failed: { text: "Failed", tone: "bad" },
  expired: { text: "Not available", tone: "warn" },
};

/** Support bundles: request, list, download. */
export function BundlesPanel({ device }: { device: DeviceDetail }) {
  const client = useQueryClient();
  const bundles = bundlesQuery(device.id);
  const { data, error, refetch } = useQuery(bundles);
  const again = () => client.invalidateQueries({ queryKey: bundles.queryKey });
  const request = useMutation({ mutationFn: () => requestBundle(device.id), onSettled: again });
  const remove = useMutation({ mutationFn: (id: string) => deleteBundle(device.id, id), onSettled: again });
  const failure = request.error ?? remove.error;
  return (
    <Panel
      title="Support bundle"
      note="Versions, settings, logs and checks, at most 8 MB. The device removes passwords, tokens and keys"
      side={
        <Button
          size="xs"
          variant="default"
          onClick={() => request.mutate()}
          loading={request.isPending}
          disabled={!device.online || data?.some(({ state }) => state === "pending")}
        >
          Request bundle
        </Button>
      }
      flush
    >
      {failure && (
        <Text fz="sm" c="var(--bad)" role="alert" p="md">
          {failure.message}
        </Text>
      )}
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={2} />
      ) : data.length ? (
        <Bundles device={device.id} rows={data} onDelete={(id) => remove.mutate(id)} />
      ) : (
        <Text fz="sm" c="dimmed" p="md">
          No support bundle was requested. One is deleted 7 days after it has arrived.
        </Text>
      )}
    </Panel>
  );
}

function Bundles({ device, rows, onDelete }: { device: string; rows: SupportBundleRow[]; onDelete: (id: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Support bundles">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Requested</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Deleted on</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>{absolute(row.requested_at)}</Table.Td>
              <Table.Td>{row.requested_by || "–"}</Table.Td>
              <Table.Td>
                <Tag {...STATE[row.state]} live={row.state === "pending"} />
                {row.detail && (
                  <Text fz="xs" c="dimmed">
                    {row.detail}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{row.delete_at ? absolute(row.delete_at) : "–"}</Table.Td>
              <Table.Td>
                <Group gap="sm" wrap="nowrap" justify="flex-end">
                  {row.length_bytes !== null && (
                    <Anchor href={bundleUrl(device, row.id)} download fz="sm">
                      Download ({bytes(row.length_bytes)})
                    </Anchor>
                  )}
                  {row.state !== "pending" && (
                    <Button size="compact-xs" variant="default" onClick={() => onDelete(row.id)}>
                      Delete
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
