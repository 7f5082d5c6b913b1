import { Alert, Button, Code, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { approveProposal, effectQuery, rejectProposal, type Proposal, type ProposalEffect } from "~/api/proposals";
import { Ago } from "~/components/Ago";
import { DataTable } from "~/components/DataTable";
import { PartFor } from "~/components/OnlyFor";
import { ErrorText, Facts, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";

/** The effect of a proposal, and the decision. */
export function Review({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const pending = proposal.state === "pending";
  return (
    <Stack>
      <Text>{proposal.summary}</Text>
      <Facts
        rows={[
          ["Request", <Code key="request">{`${proposal.method} ${proposal.path}`}</Code>],
          ["Proposed by", `${proposal.proposed_by}, API token ${proposal.token_name}`],
          ["Proposed", <Ago key="proposed" at={proposal.made_at} />],
          ...(proposal.note ? ([["Note of the program", proposal.note]] as const) : []),
          ...(proposal.decided_by ? ([["Decided by", proposal.decided_by]] as const) : []),
          ...(proposal.reason ? ([["Reason", proposal.reason]] as const) : []),
          ...(proposal.outcome ? ([["Outcome", proposal.outcome]] as const) : []),
        ]}
      />
      {pending ? (
        <Pending proposal={proposal} onClose={onClose} />
      ) : (
        proposal.body != null && <Code block>{JSON.stringify(proposal.body, null, 1)}</Code>
      )}
    </Stack>
  );
}

function Pending({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const { data, error, refetch } = useQuery(effectQuery(proposal.id));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  return (
    <>
      <Effect effect={data} />
      <PartFor role="operator" reach="all" what="decide on proposals">
        <Decision proposal={proposal} refusal={data.refusal} onClose={onClose} />
      </PartFor>
    </>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);

interface Preview {
  eligible: number;
  ineligible: unknown[];
  waves: { name: string; count: number }[];
}

const previewOf = (value: unknown): Preview | null =>
  typeof value === "object" && value !== null && "eligible" in value ? (value as Preview) : null;

function Effect({ effect }: { effect: ProposalEffect }) {
  const target = Object.entries(effect.target);
  const preview = previewOf(effect.preview);
  return (
    <>
      {preview && (
        <Text fz="sm">
          Updates {many(preview.eligible, "device")} ({preview.waves.map(({ name, count }) => `${name}: ${count}`).join(", ")});{" "}
          {many(preview.ineligible.length, "device")} cannot run the version.
        </Text>
      )}
      {target.length > 0 && (
        <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          Now: {target.map(([name, value]) => `${name} ${shown(value)}`).join(", ")}
        </Text>
      )}
      {effect.changes.length > 0 && (
        <DataTable name="Changes" headings={["Field", "Now", "Proposed"]} width={300}>
          {effect.changes.map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Td>{field}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{shown(before)}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{shown(after)}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {effect.refusal ? (
        <Alert color="red" title="The request would be refused now">
          {effect.refusal}
        </Alert>
      ) : (
        <Text fz="sm">
          {effect.checked === "complete"
            ? "The request was tried without effect: it would be accepted now."
            : "Its fields are valid; the rest can only be checked when it runs."}
        </Text>
      )}
    </>
  );
}

function Decision({ proposal, refusal, onClose }: { proposal: Proposal; refusal: string; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const settle = useMutation({
    mutationFn: (approve: boolean) => (approve ? approveProposal : rejectProposal)(proposal.id, reason.trim()),
    onSuccess: (result) => {
      notifications.show({
        message: result.state === "approved" ? `Approved. ${result.outcome}` : `Proposal ${result.id} is ${result.state}`,
        color: "teal",
      });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["proposals"] }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        settle.mutate(true);
      }}
    >
      <Stack>
        <TextInput
          label="Reason"
          description="Required to reject; the program sees it"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ErrorText error={settle.error} />
        <Group justify="flex-end">
          <Button
            variant="default"
            c="var(--bad)"
            disabled={!reason.trim()}
            loading={settle.isPending && settle.variables === false}
            onClick={() => settle.mutate(false)}
          >
            Reject
          </Button>
          <Button type="submit" disabled={!!refusal} loading={settle.isPending && settle.variables === true}>
            Approve and run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
