import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sharesQuery } from "~/api/fleet";
import type { VersionCounts } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { coordinate, count, percent } from "~/format/numbers";
import { dayTime } from "~/format/time";
import { FILLS } from "./VersionShares";
import classes from "./VersionShares.module.css";

const WIDTH = 400;
const HEIGHT = 120;
const LINES_MAX = 5;

/** Versions over time: stacked areas, one chart per slot. */
export function VersionHistory({ span_s }: { span_s: number }) {
  const { data, error, refetch } = useQuery(sharesQuery(span_s));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const slots = [...new Set(data.items.at(-1)?.shares.map((share) => share.slot) ?? [])];
  if (data.items.length < 2 || !slots.length) {
    return (
      <Text fz="sm" c="dimmed">
        No history yet. Version counts are recorded every 5 minutes; the chart starts with the second record.
      </Text>
    );
  }
  return slots.map((slot) => <SlotHistory key={slot} slot={slot} items={data.items} />);
}

interface Layer {
  name: string;
  fill: string;
  counts: number[];
}

function layersOf(slot: string, items: readonly VersionCounts[]): Layer[] {
  const counts = new Map<string, number[]>();
  for (const [at, { shares }] of items.entries()) {
    for (const share of shares) {
      if (share.slot !== slot) continue;
      const name = `${share.package} ${share.version}`;
      const mine = counts.get(name) ?? items.map(() => 0);
      mine[at] = share.count;
      counts.set(name, mine);
    }
  }
  const ranked = [...counts].sort(([, a], [, b]) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0) || Math.max(...b) - Math.max(...a));
  const largest = ranked.slice(0, LINES_MAX).map(([name, mine], at) => ({ name, counts: mine, fill: FILLS[at] ?? FILLS[5] }));
  const rest = ranked.slice(LINES_MAX);
  if (!rest.length) return largest;
  return [
    ...largest,
    {
      name: "Other versions",
      fill: "var(--off-fill)",
      counts: items.map((_, at) => rest.reduce((sum, [, mine]) => sum + (mine[at] ?? 0), 0)),
    },
  ];
}

function SlotHistory({ slot, items }: { slot: string; items: readonly VersionCounts[] }) {
  const layers = layersOf(slot, items);
  const first = items[0]?.at ?? 0;
  const last = items.at(-1)?.at ?? 1;
  const totals = items.map((_, at) => layers.reduce((sum, layer) => sum + (layer.counts[at] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const x = (at: number) => ((at - first) / Math.max(1, last - first)) * WIDTH;
  const below = items.map(() => 0);
  const areas = layers.map((layer) => {
    const low = [...below];
    for (const at of items.keys()) below[at] = (below[at] ?? 0) + (layer.counts[at] ?? 0);
    const point = (values: number[]) => (item: VersionCounts, at: number) =>
      `${coordinate(x(item.at))} ${coordinate(HEIGHT - ((values[at] ?? 0) / most) * HEIGHT)}`;
    const there = items.map(point(below)).join("L");
    const back = items.map(point(low)).reverse().join("L");
    return { ...layer, d: `M${there}L${back}Z` };
  });
  const now = totals.at(-1) ?? 0;
  const summary = layers.map((layer) => `${layer.name} from ${layer.counts[0] ?? 0} to ${layer.counts.at(-1) ?? 0}`).join(", ");
  return (
    <div className={classes.slot}>
      <div className={classes.name}>
        Slot <b style={{ color: "var(--ink)" }}>{slot}</b>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes.area}
        role="img"
        aria-label={`Devices by version in slot ${slot}: ${summary}`}
      >
        {areas.map((area) => (
          <path key={area.name} d={area.d} fill={area.fill} stroke="var(--panel)" strokeWidth={0.6} />
        ))}
      </svg>
      <div className={classes.scale}>
        <span>{dayTime(first)}</span>
        <span>{dayTime(last)}</span>
      </div>
      <div className={classes.rows}>
        {layers.map((layer) => (
          <div key={layer.name} className={classes.row} style={{ cursor: "default" }}>
            <i style={{ background: layer.fill }} aria-hidden />
            <span style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>{layer.name}</span>
            <span className="num">
              {count(layer.counts[0] ?? 0)} → {count(layer.counts.at(-1) ?? 0)}
            </span>
            <small className="num">{percent(layer.counts.at(-1) ?? 0, now)}</small>
          </div>
        ))}
      </div>
    </div>
  );
}
