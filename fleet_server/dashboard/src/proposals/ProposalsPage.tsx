import { Button, Modal, SegmentedControl, Table, Text, UnstyledButton } from "@mantine/core";
import IconChecklist from "@tabler/icons-react/dist/esm/icons/IconChecklist.mjs";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { PROPOSALS_PER_PAGE, proposalsQuery, type Proposal, type ProposalState } from "~/api/proposals";
import { Ago } from "~/components/Ago";
import { DataTable } from "~/components/DataTable";
import { PageHead } from "~/components/PageHead";
import { Pager } from "~/components/Pager";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import type { Tone } from "~/format/tones";
import { Review } from "./Review";

const route = getRouteApi("/proposals");
const STATES: Record<ProposalState, { tone: Tone; text: string }> = {
  pending: { tone: "warn", text: "Pending" },
  approving: { tone: "busy", text: "Approving" },
  approved: { tone: "ok", text: "Approved" },
  failed: { tone: "bad", text: "Failed" },
  rejected: { tone: "off", text: "Rejected" },
  expired: { tone: "off", text: "Expired" },
};

/** Changes that programs propose, for example over MCP: nothing happens until a user approves them. */
export function ProposalsPage() {
  const { past, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(proposalsQuery(past ? [] : ["pending"], page));
  const [reviewed, setReviewed] = useState<Proposal | null>(null);
  return (
    <>
      <PageHead
        title="Proposals"
        under="Changes that programs ask for with API tokens of scope propose. They take effect when a user approves them"
        actions={
          <SegmentedControl
            aria-label="Proposal filter"
            data={[
              { value: "pending", label: "Pending" },
              { value: "all", label: "All" },
            ]}
            value={past ? "all" : "pending"}
            onChange={(chosen) => void navigate({ search: { past: chosen === "all" || undefined }, replace: true })}
          />
        }
      />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty
            icon={IconChecklist}
            title={past ? "No proposals yet" : "No pending proposals"}
            command="edgefleet user token create chat --role operator --scope propose"
          >
            A program with such an API token reads the fleet and proposes changes, for example through edgefleet mcp.
          </Empty>
        ) : (
          <>
            <DataTable name="Proposals" headings={["Change", "Proposed by", "Note", "State", ""]} width={820}>
              {data.items.map((proposal) => (
                <Line key={proposal.id} proposal={proposal} onReview={setReviewed} />
              ))}
            </DataTable>
            <Pager
              page={page}
              size={PROPOSALS_PER_PAGE}
              total={data.total}
              what="proposals"
              onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
            />
          </>
        )}
      </Panel>
      <Modal
        opened={reviewed !== null}
        onClose={() => setReviewed(null)}
        title={reviewed && <b>Proposal {reviewed.id}</b>}
        size="lg"
      >
        {reviewed && <Review key={reviewed.id} proposal={reviewed} onClose={() => setReviewed(null)} />}
      </Modal>
    </>
  );
}

function Line({ proposal, onReview }: { proposal: Proposal; onReview: (proposal: Proposal) => void }) {
  const { tone, text } = STATES[proposal.state];
  return (
    <Table.Tr>
      <Table.Td maw={300}>
        <UnstyledButton className="strong-link" fz="sm" onClick={() => onReview(proposal)}>
          {proposal.summary}
        </UnstyledButton>
        <Text fz="xs" c="dimmed" className="mono" style={{ overflowWrap: "anywhere" }}>
          {proposal.method} {proposal.path}
        </Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {proposal.proposed_by}
        <Text fz="xs" c="dimmed">
          {proposal.token_name}, <Ago at={proposal.made_at} />
        </Text>
      </Table.Td>
      <Table.Td maw={240} style={{ overflowWrap: "anywhere" }}>
        {proposal.note}
      </Table.Td>
      <Table.Td>
        <Tag tone={tone} text={text} />
        {proposal.decided_by && (
          <Text fz="xs" c="dimmed">
            By {proposal.decided_by}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onReview(proposal)}
          aria-label={`${proposal.state === "pending" ? "Review" : "Show"} proposal ${proposal.id}`}
        >
          {proposal.state === "pending" ? "Review" : "Show"}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
