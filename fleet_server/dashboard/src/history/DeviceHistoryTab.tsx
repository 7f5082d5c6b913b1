import { useMemo } from "react";
import type { Times } from "~/range/times";
import { HistoryTab } from "./HistoryTab";

interface PeriodSearch {
  period?: Times["range"];
  since?: number;
  until?: number;
}

interface DeviceHistoryTabProps {
  device: string;
  search: PeriodSearch;
  onChange: (next: PeriodSearch) => void;
}

/** The history of a device, with its period in the address of the device's page. */
export function DeviceHistoryTab({ device, search, onChange }: DeviceHistoryTabProps) {
  const { period: range, since, until } = search;
  const times = useMemo(() => ({ range, since, until }), [range, since, until]);
  return (
    <HistoryTab
      device={device}
      times={times}
      onChange={(next) => onChange({ period: next.range, since: next.since, until: next.until })}
    />
  );
}
