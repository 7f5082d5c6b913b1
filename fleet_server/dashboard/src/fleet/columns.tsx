import { useLocalStorage } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { DeviceRow } from "~/api/types";
import { Ago, Since } from "~/components/Ago";
import { Labels } from "~/components/Tag";
import { degrees, milliseconds, NONE, percent, short } from "~/format/numbers";
import { ModelCell } from "./ModelCell";
import { StatusTag } from "./StatusTag";

export interface Column {
  key: string;
  text: string;
  /** The server's sort key; undefined if not sortable. */
  sort?: string;
  right?: boolean;
  cell: (row: DeviceRow, onLabel: (pair: string) => void) => ReactNode;
}

const online = (row: DeviceRow, text: string): string => (row.online ? text : NONE);

/** All optional columns, in order. The device column comes first and is always shown. */
export const COLUMNS: readonly Column[] = [
  { key: "state", text: "Status", cell: (row) => <StatusTag row={row} /> },
  { key: "runs", text: "Running", sort: "version", cell: (row) => <ModelCell device={row} /> },
  { key: "drift", text: "Drift", cell: driftOf },
  { key: "labels", text: "Labels", cell: (row, onLabel) => <Labels labels={row.labels} most={3} onPick={onLabel} /> },
  { key: "fps", text: "Frames/s", sort: "fps", right: true, cell: (row) => online(row, short(row.fps)) },
  {
    key: "p95",
    text: "Latency p95",
    sort: "latency_p95_ms",
    right: true,
    cell: (row) => online(row, milliseconds(row.latency_p95_ms)),
  },
  { key: "dropped", text: "Dropped/s", right: true, cell: (row) => online(row, short(row.dropped_per_s)) },
  {
    key: "temperature",
    text: "Temp",
    right: true,
    cell: (row) => degrees(row.temperature_c),
  },
  { key: "cpu", text: "CPU", right: true, cell: (row) => online(row, percent(row.cpu_percent, 100)) },
  { key: "agent", text: "Agent", cell: (row) => row.agent_version || NONE },
  { key: "seen", text: "Last seen", sort: "last_seen_at", right: true, cell: (row) => <Ago at={row.last_seen_at} /> },
];

const DEFAULTS = ["state", "runs", "labels", "fps", "p95", "temperature", "seen"];

/** The chosen columns, stored in this browser. */
export function useColumns(): { shown: Column[]; keys: string[]; choose: (keys: string[]) => void; reset: () => void } {
  const [keys, setKeys] = useLocalStorage<string[]>({
    key: "edgefleet-columns",
    defaultValue: DEFAULTS,
    getInitialValueInEffect: false,
  });
  return { shown: COLUMNS.filter((column) => keys.includes(column.key)), keys, choose: setKeys, reset: () => setKeys(DEFAULTS) };
}

function driftOf(row: DeviceRow): ReactNode {
  const since = Math.min(...row.slots.map((slot) => slot.drift_since_at ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(since) ? <Since at={since} /> : NONE;
}
