import { Alert, Button, Stack } from "@mantine/core";
import type { EventSummary } from "~/api/events";
import { Panel } from "~/components/Panel";
import { ErrorText } from "~/components/States";
import { count } from "~/format/numbers";
import { dateTime } from "~/format/time";
import { RangePicker } from "~/range/RangePicker";
import { timesOf, type Range, type Times } from "~/range/times";
import { Histogram } from "./Histogram";
import { PRESETS } from "./search";
import classes from "./RangePanel.module.css";

interface RangePanelProps {
  times: Times;
  range: Range;
  summary: EventSummary | undefined;
  stale: boolean;
  error: Error | null;
  onRetry: () => void;
  onChange: (times: Times) => void;
}

/** The time range: presets, two times, and the histogram. */
export function RangePanel({ times, range, summary, stale, error, onRetry, onChange }: RangePanelProps) {
  return (
    <Panel className={classes.panel}>
      <RangePicker presets={PRESETS} times={times} range={range} onChange={onChange} />
      <div className={classes.chart}>
        {error && !summary ? (
          <Stack align="flex-start" gap="xs">
            <ErrorText error={error} />
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              Retry
            </Button>
          </Stack>
        ) : (
          <Histogram summary={summary} stale={stale} onZoom={(since, until) => onChange(timesOf(since, until))} />
        )}
      </div>
      {summary?.complete_since_at && (
        <Alert mt="sm" color="yellow" variant="light" p="xs">
          Counts are of the newest {count(summary.total)} events, since {dateTime(summary.complete_since_at)}. Choose a shorter
          range to count all.
        </Alert>
      )}
    </Panel>
  );
}
