import { Button, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { rolloutsQuery } from "~/api/queries";
import type { Rollout } from "~/api/types";
import { useTopics } from "~/live/LiveProvider";
import { Ago } from "~/components/Ago";
import { NewRolloutLink } from "./NewRolloutLink";
import { PageHead } from "~/components/PageHead";
import { Pager } from "~/components/Pager";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { SegmentBar } from "~/components/SegmentBar";
import { Tag } from "~/components/Tag";
import { ROLLOUT_FILTERS, type RolloutsSearch } from "./search";
import { RolloutSummary } from "./RolloutSummary";
import { count, percent } from "~/format/numbers";
import { doneOf, isLive, phaseCounts, ROLLOUT_STATE } from "~/format/rollouts";

const route = getRouteApi("/rollouts");
const SIZE = 25;
const FILTERS = ["all", ...ROLLOUT_FILTERS] as const;

export function RolloutsPage() {
  useTopics("rollouts");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(
    rolloutsQuery({ state: search.state && [search.state], page: search.page ?? 1, size: SIZE }),
  );
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const change = (next: RolloutsSearch) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), resetScroll: false });
  return (
    <>
      <PageHead title="Rollouts" under="Updates of the fleet in gated waves" actions={<NewRolloutLink />} />
      <Panel flush>
        <div style={{ padding: 12, overflowX: "auto" }}>
          <SegmentedControl
            aria-label="State"
            size="xs"
            data={FILTERS.map((value) => ({ value, label: value === "all" ? "All" : ROLLOUT_STATE[value].text }))}
            value={search.state ?? "all"}
            onChange={(value) => change({ state: value === "all" ? undefined : (value as RolloutsSearch["state"]) })}
          />
        </div>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={6} height={34} />
        ) : data.items.length === 0 ? (
          <NoRollouts narrowed={search.state !== undefined} onAll={() => change({ state: undefined })} />
        ) : (
          <>
            {narrow ? <RolloutCards rollouts={data.items} /> : <RolloutTable rollouts={data.items} />}
            <Pager page={search.page ?? 1} size={SIZE} total={data.total} what="rollouts" onPage={(page) => change({ page })} />
          </>
        )}
      </Panel>
    </>
  );
}

function NoRollouts({ narrowed, onAll }: { narrowed: boolean; onAll: () => void }) {
  if (narrowed) {
    return (
      <Empty
        icon={IconRocket}
        title="No rollouts in this state"
        action={
          <Button variant="default" onClick={onAll}>
            Show all
          </Button>
        }
      />
    );
  }
  return (
    <Empty icon={IconRocket} title="No rollouts yet" action={<NewRolloutLink />}>
      A rollout updates a few canaries first, then larger waves. Each wave waits for the previous gate.
    </Empty>
  );
}

function RolloutCards({ rollouts }: { rollouts: readonly Rollout[] }) {
  return (
    <Stack gap="lg" p="md">
      {rollouts.map((rollout) => (
        <RolloutSummary key={rollout.id} rollout={rollout} />
      ))}
    </Stack>
  );
}

function RolloutTable({ rollouts }: { rollouts: readonly Rollout[] }) {
  return (
    <Table.ScrollContainer minWidth={680}>
      <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" highlightOnHover aria-label="Rollouts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Rollout</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th w="34%">Progress</Table.Th>
            <Table.Th>Waves</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rollouts.map((rollout) => {
            const word = ROLLOUT_STATE[rollout.state];
            const passed = rollout.waves.filter((wave) => wave.state === "passed").length;
            return (
              <Table.Tr key={rollout.id}>
                <Table.Td>
                  <Link to="/rollouts/$id" params={{ id: rollout.id }} className="strong-link">
                    {rollout.name}
                  </Link>
                  <Text fz="xs" c="dimmed">
                    {rollout.parts.map((part) => `${part.package} ${part.version} → ${part.slot}`).join(" + ")}
                  </Text>
                </Table.Td>
                <Table.Td maw={260}>
                  <Tag tone={word.tone} text={word.text} live={isLive(rollout.state)} />
                  {rollout.state_reason && (
                    <Text fz="xs" c="dimmed" mt={2} lineClamp={2}>
                      {rollout.state_reason}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <SegmentBar label={`Progress of ${rollout.name}`} segments={phaseCounts(rollout.outcomes)} />
                  <Text fz="xs" c="dimmed" mt={4} className="num">
                    {count(doneOf(rollout))} of {count(rollout.total)} devices, {percent(doneOf(rollout), rollout.total)}
                  </Text>
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  {passed} of {rollout.waves.length} passed
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  <Ago at={rollout.created_at} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
