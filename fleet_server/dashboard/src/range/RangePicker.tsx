import { Button, Popover, Stack, Text, TextInput } from "@mantine/core";
import IconZoomOut from "@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs";
import { useState } from "react";
import { now_s } from "~/format/time";
import { fieldText, fieldTime, isUtc } from "~/format/zone";
import { PRESET_TEXT, presetOf, timesOf, wider, type Preset, type Range, type Times } from "./times";
import classes from "./RangePicker.module.css";

interface RangePickerProps {
  presets: readonly Preset[];
  times: Times;
  range: Range;
  onChange: (times: Times) => void;
}

/** Chooses a period: presets, two times, or twice the present one. */
export function RangePicker({ presets, times, range, onChange }: RangePickerProps) {
  const preset = presetOf(times);
  const zoomOut = () => {
    const next = wider(range, now_s());
    onChange(timesOf(next.since, next.until));
  };
  return (
    <div className={classes.presets} role="group" aria-label="Time range">
      {presets.map((each) => (
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
  );
}

function OwnTimes({ isChosen, range, onChange }: { isChosen: boolean; range: Range; onChange: (times: Times) => void }) {
  const [opened, setOpened] = useState(false);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const open = () => {
    setFrom(fieldText(range.since));
    setTo(fieldText(range.until ?? now_s()));
    setOpened(true);
  };
  const [since, until] = [fieldTime(from), fieldTime(to)];
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
              {isUtc ? "In UTC" : "In your time zone"}
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
