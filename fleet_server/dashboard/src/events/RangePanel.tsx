import { Alert, Button, Popover, Stack, Text, TextInput } from "@mantine/core";
import IconZoomOut from "@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs";
import { useState } from "react";
import type { EventSummary } from "~/api/events";
import { Panel } from "~/components/Panel";
import { ErrorText } from "~/components/States";
import { count } from "~/format/numbers";
import { dateTime, now_s } from "~/format/time";
import { Histogram } from "./Histogram";
import { localText, localTime, PRESET_TEXT, PRESETS, presetOf, timesOf, wider, type Range, type Times } from "./range";
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
  const preset = presetOf(times);
  const zoomOut = () => {
    const next = wider(range, now_s());
    onChange(timesOf(next.since, next.until));
  };
  return (
    <Panel className={classes.panel}>
      <div className={classes.presets} role="group" aria-label="Time range">
        {PRESETS.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={each === preset ? "filled" : "default"}
            aria-pressed={each === preset}
            onClick={() => onChange({ range: each, since: undefined, until: undefined })}
          >
            {PRESET_TEXT[each]}
          </Button>
        ))}
        <OwnTimes isChosen={preset === undefined} range={range} onChange={onChange} />
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconZoomOut size={15} stroke={1.8} aria-hidden />}
          onClick={zoomOut}
        >
          Zoom out
        </Button>
      </div>
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

function OwnTimes({ isChosen, range, onChange }: { isChosen: boolean; range: Range; onChange: (times: Times) => void }) {
  const [opened, setOpened] = useState(false);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const open = () => {
    setFrom(localText(range.since));
    setTo(localText(range.until ?? now_s()));
    setOpened(true);
  };
  const [since, until] = [localTime(from), localTime(to)];
  const isReversed = since !== undefined && until !== undefined && since >= until;
  const apply = () => {
    if (since === undefined || until === undefined || isReversed) return;
    onChange(timesOf(since, until));
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withRoles shadow="md" position="bottom-start">
      <Popover.Target>
        <Button
          size="compact-sm"
          variant={isChosen ? "filled" : "default"}
          aria-pressed={isChosen}
          onClick={opened ? () => setOpened(false) : open}
        >
          Custom…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Custom time range">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          <Stack gap="sm">
            <TextInput
              type="datetime-local"
              label="From"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              type="datetime-local"
              label="To"
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
              error={isReversed && "Must be after the start"}
            />
            <Text fz="xs" c="dimmed">
              In your time zone
            </Text>
            <Button type="submit" disabled={since === undefined || until === undefined || isReversed}>
              Show
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
