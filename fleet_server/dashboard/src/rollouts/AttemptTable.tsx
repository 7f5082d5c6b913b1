import { Button, Group, Progress, Select, Table, Text, TextInput } from "@mantine/core";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { attemptsQuery } from "~/api/queries";
import type { AttemptRow, Rollout } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Pager } from "~/components/Pager";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { useDebounced } from "~/components/useDebounced";
import type { RolloutSearch } from "./search";
import { bytes } from "~/format/numbers";
import { reasonText } from "~/format/reasons";
import { ATTEMPT_STATE, attemptLabel, partPhaseLabel, resultLabel } from "~/format/rollouts";

const SIZE = 50;

interface AttemptTableProps {
  rollout: Rollout;
  search: RolloutSearch;
  onChange: (next: RolloutSearch) => void;
}

/** Devices of the rollout with their status. */
export function AttemptTable({ rollout, search, onChange }: AttemptTableProps) {
  const filter = { wave: search.wave, state: search.state, device: search.device, page: search.page ?? 1, size: SIZE };
  const { data, error, refetch } = useQuery(attemptsQuery(rollout.id, filter));
  const later = useDebounced(onChange, 300);
  const states = Object.keys(rollout.counts).filter((state) => rollout.counts[state]);
  const narrowed = search.wave !== undefined || search.state !== undefined || search.device !== undefined;
  const all = { wave: undefined, state: undefined, device: undefined };
  return (
    <Panel flush title="Devices" note="Status by device">
      <Group p="md" gap="sm">
        <TextInput
          aria-label="Device"
          placeholder="Device ID, exact match"
          defaultValue={search.device}
          onChange={(event) => later({ device: event.currentTarget.value.trim() || undefined })}
          w={{ base: "100%", xs: 220 }}
        />
        <Select
          aria-label="Wave"
          placeholder="Any wave"
          data={rollout.waves.map((wave) => ({ value: String(wave.index), label: `${wave.index + 1} ${wave.name}` }))}
          value={search.wave === undefined ? null : String(search.wave)}
          onChange={(wave) => onChange({ wave: wave === null ? undefined : Number(wave) })}
          clearable
          clearButtonProps={{ "aria-label": "Any wave" }}
          w={{ base: "100%", xs: 150 }}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={[...new Set([...states, ...(search.state ? [search.state] : [])])].map((value) => ({
            value,
            label: `${attemptLabel(value).text} (${rollout.counts[value] ?? 0})`,
          }))}
          value={search.state ?? null}
          onChange={(state) => onChange({ state: state && state in ATTEMPT_STATE ? (state as AttemptRow["state"]) : undefined })}
          clearable
          clearButtonProps={{ "aria-label": "Any state" }}
          w={{ base: "100%", xs: 180 }}
        />
        {narrowed && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(all)}>
            Clear filters
          </Button>
        )}
      </Group>
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={6} />
      ) : data.items.length === 0 ? (
        <Empty icon={IconFilter} title={narrowed ? "No matching devices" : "No devices in this rollout"} />
      ) : (
        <>
          <Attempts rows={data.items} rollout={rollout} />
          <Pager page={filter.page} size={SIZE} total={data.total} what="devices" onPage={(page) => onChange({ page })} />
        </>
      )}
    </Panel>
  );
}

function Attempts({ rows, rollout }: { rows: readonly AttemptRow[]; rollout: Rollout }) {
  return (
    <Table.ScrollContainer minWidth={700}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Devices of this rollout">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Device</Table.Th>
            <Table.Th>Wave</Table.Th>
            <Table.Th w={190}>State</Table.Th>
            <Table.Th>Details</Table.Th>
            <Table.Th>Last change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} wave={rollout.waves[row.wave]?.name ?? String(row.wave + 1)} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({ row, wave }: { row: AttemptRow; wave: string }) {
  const word = resultLabel(row);
  const share = row.bytes_total ? (100 * row.bytes_done) / row.bytes_total : 0;
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/devices/$id" params={{ id: row.device }} search={{ tab: "updates" }} className="strong-link">
          {row.device}
        </Link>
        {!row.online && (
          <Text fz="xs" c="dimmed">
            Offline
          </Text>
        )}
      </Table.Td>
      <Table.Td>{wave}</Table.Td>
      <Table.Td>
        <Tag tone={word.tone} text={word.text} live={word.tone === "busy" && row.online} />
        {Object.entries(row.parts).map(([slot, phase]) => (
          <Text key={slot} fz="xs" c="dimmed">
            <span className="mono">{slot}</span> {partPhaseLabel(phase)}
          </Text>
        ))}
        {row.state === "fetching" && (
          <>
            <Progress value={share} size={4} mt={6} transitionDuration={400} aria-label={`Download progress of ${row.device}`} />
            <Text fz="xs" c="dimmed" className="num">
              {bytes(row.bytes_done)} of {bytes(row.bytes_total)}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td maw={520}>
        {row.explanation || reasonText(row.reason) || "–"}
        {row.detail && (
          <Text fz="xs" c="dimmed" className="mono" style={{ overflowWrap: "anywhere" }}>
            {row.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={row.updated_at} />
      </Table.Td>
    </Table.Tr>
  );
}
