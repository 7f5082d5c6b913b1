import { Button, Group, Table, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { DeviceFilter } from "~/api/queries";
import { DEVICE_SORTS, type DevicePage, type DeviceRow } from "~/api/types";
import { Ago, Since } from "~/parts/Ago";
import { Pager } from "~/parts/Pager";
import { Empty, Fault, Loading } from "~/parts/Plain";
import { SortHeader } from "~/parts/SortHeader";
import { Labels, Tag } from "~/parts/Tag";
import type { FleetSearch } from "~/router";
import { statusWord } from "~/words/devices";
import { short } from "~/words/numbers";
import classes from "./DeviceTable.module.css";
import { ModelCell } from "./ModelCell";

interface DeviceTableProps {
  query: UseQueryResult<DevicePage>;
  filter: DeviceFilter;
  isNarrowed: boolean;
  onChange: (next: FleetSearch) => void;
}

export function DeviceTable({ query: { data, error, refetch, isPlaceholderData }, filter, isNarrowed, onChange }: DeviceTableProps) {
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={10} height={26} />;
  if (!data.items.length) return <NoDevices isNarrowed={isNarrowed} onChange={onChange} />;
  const Rows = narrow ? DeviceCards : DeviceRows;
  return (
    <div style={{ opacity: isPlaceholderData ? 0.6 : 1, transition: "opacity 0.15s" }} aria-busy={isPlaceholderData}>
      <Rows devices={data.items} filter={filter} onChange={onChange} />
      <Pager
        page={filter.page ?? 1}
        size={filter.size ?? 50}
        total={data.total}
        what="devices"
        onPage={(page) => onChange({ page })}
        onSize={(size) => onChange({ size })}
      />
    </div>
  );
}

function NoDevices({ isNarrowed, onChange }: Pick<DeviceTableProps, "isNarrowed" | "onChange">) {
  if (!isNarrowed) {
    return (
      <Empty icon={IconDevices} title="No device has connected yet" command="edgefleet-agent run --config agent.toml">
        Start an agent that knows this server's broker, and it appears here by itself. To see a whole fleet now, run <code>edgefleet demo</code>.
      </Empty>
    );
  }
  const all = { search: undefined, status: undefined, package: undefined, version: undefined, slot: undefined, label: undefined };
  return (
    <Empty
      icon={IconFilter}
      title="No device matches"
      action={
        <Button variant="default" onClick={() => onChange(all)}>
          Show all devices
        </Button>
      }
    >
      The search looks at ids, profiles and labels.
    </Empty>
  );
}

interface RowsProps {
  devices: readonly DeviceRow[];
  filter: DeviceFilter;
  onChange: (next: FleetSearch) => void;
}

function DeviceRows({ devices, filter, onChange }: RowsProps) {
  const navigate = useNavigate();
  const sort = { sort: filter.sort ?? "id", onSort: (next: string) => onChange({ sort: DEVICE_SORTS.find((each) => each === next) }) };
  const open = (event: MouseEvent, id: string) => {
    if ((event.target as HTMLElement).closest("a,button")) return;
    void navigate({ to: "/devices/$id", params: { id } });
  };
  const narrow = (pair: string) => onChange({ label: [...new Set([...(filter.label ?? []), pair])] });
  return (
    <div className={classes.scroll}>
      <Table className={classes.table} highlightOnHover verticalSpacing={7} horizontalSpacing="md" aria-label="Devices">
        <Table.Thead>
          <Table.Tr>
            <SortHeader text="Device" by="id" {...sort} />
            <Table.Th>State</Table.Th>
            <SortHeader text="Runs" by="version" {...sort} />
            <Table.Th>Labels</Table.Th>
            <SortHeader text="Frames/s" by="fps" right firstDown {...sort} />
            <SortHeader text="p95" by="latency_p95_ms" right firstDown {...sort} />
            <Table.Th className={classes.right}>Temp</Table.Th>
            <SortHeader text="Last seen" by="last_seen_at" right firstDown {...sort} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((row) => (
            <Table.Tr key={row.id} className={classes.row} onClick={(event) => open(event, row.id)}>
              <Table.Td>
                <Link to="/devices/$id" params={{ id: row.id }} className="strong-link">
                  {row.id}
                </Link>
                <div className={classes.faint}>{row.profile}</div>
              </Table.Td>
              <Table.Td>
                <StatusTag row={row} />
              </Table.Td>
              <Table.Td>
                <ModelCell device={row} />
              </Table.Td>
              <Table.Td>
                <Labels labels={row.labels} most={3} onPick={narrow} />
              </Table.Td>
              <Table.Td className={classes.right}>{row.online ? short(row.fps) : "–"}</Table.Td>
              <Table.Td className={classes.right}>{row.online ? `${short(row.latency_p95_ms)} ms` : "–"}</Table.Td>
              <Table.Td className={classes.right}>{row.temperature_c === null ? "–" : `${Math.round(row.temperature_c)} °C`}</Table.Td>
              <Table.Td className={classes.right} style={{ whiteSpace: "nowrap" }}>
                <Ago at={row.last_seen_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The same list for a phone: no column is cut off. */
function DeviceCards({ devices }: RowsProps) {
  return (
    <div className={classes.cards}>
      {devices.map((row) => (
        <Link key={row.id} to="/devices/$id" params={{ id: row.id }} className={classes.card}>
          <Group justify="space-between" wrap="nowrap" mb={4}>
            <b style={{ overflow: "hidden", textOverflow: "ellipsis" }}>{row.id}</b>
            <StatusTag row={row} />
          </Group>
          <Group justify="space-between" wrap="nowrap" align="flex-end">
            <ModelCell device={row} plain />
            <span className={`${classes.faint} num`} style={{ whiteSpace: "nowrap" }}>
              {row.online ? `${short(row.fps)} frames/s` : <Since at={row.last_seen_at} prefix="for " />}
            </span>
          </Group>
        </Link>
      ))}
    </div>
  );
}

function StatusTag({ row }: { row: DeviceRow }) {
  const { text, tone, help } = statusWord(row);
  const why = row.attention[0];
  const tag = <Tag tone={tone} text={text} help={why ?? help} live={row.status === "updating"} />;
  if (row.status !== "attention" || row.online) return tag;
  return (
    <Group gap={4} wrap="nowrap">
      {tag}
      <Tooltip label="Not connected">
        <span className={classes.faint}>offline</span>
      </Tooltip>
    </Group>
  );
}
