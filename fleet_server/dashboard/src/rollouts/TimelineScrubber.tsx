import { Slider, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { rolloutHistoryQuery } from "~/api/queries";
import type { Rollout, HistoryPoint } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { Panel } from "~/components/Panel";
import { SegmentBar } from "~/components/SegmentBar";
import { Tag } from "~/components/Tag";
import { isLive, PHASES, ROLLOUT_STATE, WAVE_STATE } from "~/format/rollouts";
import { absolute, span } from "~/format/time";
import classes from "./RolloutPage.module.css";

const FOLLOW_MS = 5_000;
const FILL = Object.fromEntries(PHASES.map(({ key, fill }) => [key, fill]));
const PARTS = [
  { key: "done", text: "done", fill: FILL.done },
  { key: "in_progress", text: "in progress", fill: FILL.fetching },
  { key: "failed", text: "failed", fill: FILL.failed },
  { key: "faulted", text: "with faults of their own", fill: FILL.faulted },
  { key: "skipped", text: "skipped", fill: FILL.left },
  { key: "queued", text: "queued", fill: FILL.queued },
] as const;

/** A slider over the rollout's history, with the state of its waves at that time. */
export function TimelineScrubber({ rollout }: { rollout: Rollout }) {
  const client = useQueryClient();
  const [picked, setPicked] = useState<number | null>(null);
  const follows = picked === null && isLive(rollout.state);
  const { data, error, refetch } = useQuery({ ...rolloutHistoryQuery(rollout.id), refetchInterval: follows ? FOLLOW_MS : false });
  const phase = rollout.state + rollout.waves.map((wave) => wave.state).join();
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["rollout-history", rollout.id] });
  }, [client, phase, rollout.id]);
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const last = data.points.length - 1;
  const at = Math.min(picked ?? last, last);
  const point = data.points[at];
  if (!point) return null;
  const first = data.points[0]?.at ?? point.at;
  return (
    <Panel title="History" note="Waves over time">
      <Stack gap="sm">
        <Slider
          value={at}
          onChange={(next) => setPicked(next === last ? null : next)}
          min={0}
          max={last}
          label={null}
          marks={marksOf(data.points)}
          thumbLabel="Point in time"
          thumbValueText={() => absolute(point.at)}
          size="sm"
        />
        <Text fz="sm" role="status">
          <Tag tone={ROLLOUT_STATE[point.state].tone} text={ROLLOUT_STATE[point.state].text} /> {span(point.at - first)} after
          creation
          <Text span fz="xs" c="dimmed" display="block">
            {absolute(point.at)}
          </Text>
        </Text>
        <Waves names={data.names} point={point} />
      </Stack>
    </Panel>
  );
}

function Waves({ names, point }: { names: readonly string[]; point: HistoryPoint }) {
  return (
    <div className={classes.then}>
      {point.waves.map((wave, at) => (
        <div key={names[at] ?? at}>
          <div className={classes.thenTop}>
            <b>{names[at]}</b>
            <span>{WAVE_STATE[wave.state].text}</span>
          </div>
          <SegmentBar
            label={`Wave ${names[at]} at that time`}
            segments={PARTS.map(({ key, text, fill }) => ({ key, text, fill: fill ?? "", value: wave[key] ?? 0 }))}
            keys
          />
        </div>
      ))}
    </div>
  );
}

/** Points at which the rollout or a wave changed state: ticks of the slider. */
function marksOf(points: readonly HistoryPoint[]): { value: number }[] {
  const shape = (point: HistoryPoint | undefined) => point && point.state + point.waves.map((wave) => wave.state).join();
  return points.flatMap((point, at) => (at > 0 && shape(point) !== shape(points[at - 1]) ? [{ value: at }] : []));
}
