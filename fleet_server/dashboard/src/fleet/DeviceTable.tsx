import { Button, Checkbox, Group, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type MouseEvent } from "react";
import { useMay } from "~/components/role";
import type { DeviceFilter } from "~/api/queries";
import { DEVICE_SORTS, type DevicePage, type DeviceRow } from "~/api/types";
import { BulkBar } from "~/device/bulk/BulkBar";
import { Since } from "~/components/Ago";
import { Pager } from "~/components/Pager";
import { Empty, Fault, Loading } from "~/components/States";
import { SortHeader } from "~/components/SortHeader";
import type { FleetSearch } from "./search";
import { short } from "~/format/numbers";
import type { Column } from "./columns";
import { NO_FILTER } from "./DeviceFilters";
import classes from "./DeviceTable.module.css";
import { ModelCell } from "./ModelCell";
import { StatusTag } from "./StatusTag";

interface DeviceTableProps {
  query: UseQueryResult<DevicePage>;
  filter: DeviceFilter;
  isNarrowed: boolean;
  columns: readonly Column[];
  onChange: (next: FleetSearch) => void;
}

export function DeviceTable({
  query: { data, error, refetch, isPlaceholderData },
  filter,
  isNarrowed,
  columns,
  onChange,
}: DeviceTableProps) {
  const may = useMay("operator");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={10} height={26} />;
  if (!data.items.length) return <NoDevices isNarrowed={isNarrowed} onChange={onChange} />;
  const Rows = narrow ? DeviceCards : DeviceRows;
  return (
    <div style={{ opacity: isPlaceholderData ? 0.6 : 1, transition: "opacity 0.15s" }} aria-busy={isPlaceholderData}>
      {may && !narrow && <BulkBar ids={selected} total={data.total} filter={filter} onChange={setSelected} />}
      <Rows
        devices={data.items}
        filter={filter}
        onChange={onChange}
        columns={columns}
        selected={may ? selected : null}
        onSelect={setSelected}
      />
      <Pager
        page={filter.page ?? 1}
        size={filter.size ?? 25}
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
      <Empty icon={IconDevices} title="No devices yet" command="edgefleet-agent run --config agent.toml">
        Start an agent with this server's broker address to add a device. To try a simulated fleet, run{" "}
        <code>edgefleet demo</code>.
      </Empty>
    );
  }
  return (
    <Empty
      icon={IconFilter}
      title="No matching devices"
      action={
        <Button variant="default" onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      }
    >
      The search matches IDs, profiles and labels.
    </Empty>
  );
}

interface RowsProps {
  devices: readonly DeviceRow[];
  filter: DeviceFilter;
  onChange: (next: FleetSearch) => void;
  columns: readonly Column[];
  /** Selected IDs; null if the user may not act on devices. */
  selected: ReadonlySet<string> | null;
  onSelect: (ids: ReadonlySet<string>) => void;
}

function toggled(selected: ReadonlySet<string>, ids: readonly string[], on: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

function DeviceRows({ devices, filter, onChange, columns, selected, onSelect }: RowsProps) {
  const navigate = useNavigate();
  const sort = {
    sort: filter.sort ?? "id",
    onSort: (next: string) => onChange({ sort: DEVICE_SORTS.find((each) => each === next) }),
  };
  const open = (event: MouseEvent, id: string) => {
    if ((event.target as HTMLElement).closest("a,button,input,label")) return;
    void navigate({ to: "/devices/$id", params: { id } });
  };
  const narrow = (pair: string) => onChange({ label: [...new Set([...(filter.label ?? []), pair])] });
  const ids = devices.map((row) => row.id);
  const here = ids.filter((id) => selected?.has(id)).length;
  return (
    <div className={classes.scroll}>
      <Table className={classes.table} highlightOnHover verticalSpacing={7} horizontalSpacing="md" aria-label="Devices">
        <Table.Thead>
          <Table.Tr>
            {selected && (
              <Table.Th w={36} pr={0}>
                <Checkbox
                  size="xs"
                  aria-label="Select all on this page"
                  checked={here > 0 && here === ids.length}
                  indeterminate={here > 0 && here < ids.length}
                  onChange={(event) => onSelect(toggled(selected, ids, event.currentTarget.checked))}
                />
              </Table.Th>
            )}
            <SortHeader text="Device" by="id" {...sort} />
            {columns.map(({ key, text, sort: by, right }) =>
              by ? (
                <SortHeader key={key} text={text} by={by} right={right} firstDown={right} {...sort} />
              ) : (
                <Table.Th key={key} className={right ? classes.right : undefined}>
                  {text}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((row) => (
            <Table.Tr
              key={row.id}
              className={classes.row}
              data-selected={selected?.has(row.id)}
              onClick={(event) => open(event, row.id)}
            >
              {selected && (
                <Table.Td pr={0}>
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${row.id}`}
                    checked={selected.has(row.id)}
                    onChange={(event) => onSelect(toggled(selected, [row.id], event.currentTarget.checked))}
                  />
                </Table.Td>
              )}
              <Table.Td>
                <Link to="/devices/$id" params={{ id: row.id }} className="strong-link">
                  {row.id}
                </Link>
                <div className={classes.faint}>{row.profile}</div>
              </Table.Td>
              {columns.map(({ key, right, cell }) => (
                <Table.Td key={key} className={right ? classes.right : undefined}>
                  {cell(row, narrow)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The same list for phones. */
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
