import { Alert, Button, CopyButton, Group, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { LogLevel, LogSource } from "~/api/diagnosis";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { saveFile } from "~/components/saveFile";
import { Empty } from "~/components/States";
import { count } from "~/format/numbers";
import { absolute } from "~/format/time";
import { fileOf, LEVELS, timeOf, TONES, type Shown } from "./lines";
import classes from "./Logs.module.css";
import { useLog } from "./useLog";

const COUNTS = ["100", "200", "500", "1000"];
const PIPELINE = "pipeline:";

/** Log lines of a device, on request. */
export function LogsTab({ device }: { device: DeviceDetail }) {
  const [place, setPlace] = useState("service");
  const [level, setLevel] = useState<LogLevel>("debug");
  const [search, setSearch] = useState("");
  const [lines, setLines] = useState("200");
  const [wrap, setWrap] = useState(true);
  const pipeline = place.startsWith(PIPELINE) ? place.slice(PIPELINE.length) : undefined;
  const source = (pipeline === undefined ? place : "pipeline") as LogSource;
  const log = useLog(device.id, { source, pipeline, level, search, lines: Number(lines) });
  const names = Object.keys(device.pipeline_states).sort();
  const places = [
    { value: "service", label: "Service" },
    { value: "worker", label: "Worker" },
    ...names.map((name) => ({ value: PIPELINE + name, label: `Pipeline ${name}` })),
    { value: "journal", label: "System journal" },
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (device.online) void log.load();
  };
  return (
    <Panel title="Logs" note="The device removes passwords and tokens before it sends a line">
      <Stack gap="sm">
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end">
            <Select label="Source" data={places} value={place} onChange={(next) => next && setPlace(next)} w={180} />
            <Select label="Level" data={LEVELS} value={level} onChange={(next) => next && setLevel(next as LogLevel)} w={180} />
            <TextInput
              label="Text contains"
              value={search}
              maxLength={200}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              w={180}
            />
            <Select label="Lines" data={COUNTS} value={lines} onChange={(next) => next && setLines(next)} w={90} />
            <Button type="submit" variant="default" disabled={!device.online} loading={log.isLoading && !log.isFollowing}>
              Load
            </Button>
            <Button
              leftSection={log.isFollowing ? <IconPlayerStop size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
              onClick={() => (log.isFollowing ? log.stop() : void log.follow())}
              disabled={!device.online && !log.isFollowing}
            >
              {log.isFollowing ? "Stop" : "Follow"}
            </Button>
          </Group>
        </form>
        {!device.online && (
          <Alert color="yellow" variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
            The device is offline and cannot send its log.{" "}
            <Button size="compact-xs" variant="default" onClick={() => void log.loadLast()}>
              Show the last received log
            </Button>
          </Alert>
        )}
        {log.problem && (
          <Alert color="red" variant="light" p="sm" role="alert" styles={{ message: { color: "var(--ink)" } }}>
            {log.problem}
          </Alert>
        )}
        {log.shown?.log.limited && (
          <Alert color="yellow" variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
            This agent is too old to select lines or to follow them. These are the last lines of its service, with times of the
            device's own zone. Update the agent to version 0.3.0 or later.
          </Alert>
        )}
        <Status shown={log.shown} isFollowing={log.isFollowing} notice={log.notice} />
        {log.shown && <Lines device={device.id} shown={log.shown} wrap={wrap} onWrap={setWrap} isFollowing={log.isFollowing} />}
      </Stack>
    </Panel>
  );
}

function Status({ shown, isFollowing, notice }: { shown: Shown | null; isFollowing: boolean; notice: string }) {
  const parts = [
    shown && `${count(shown.records.length)} lines, received ${absolute(shown.log.received_at)}`,
    shown && shown.lost > 0 && `${count(shown.lost)} lines were dropped because there were too many`,
    isFollowing && "Following; ends after 10 minutes or 2 MB",
    notice,
  ].filter(Boolean);
  return (
    <Text fz="sm" c="dimmed" role="status">
      {parts.length ? parts.join(". ") : "Lines are sent only when you load or follow them."}
    </Text>
  );
}

interface LinesProps {
  device: string;
  shown: Shown;
  wrap: boolean;
  isFollowing: boolean;
  onWrap: (wrap: boolean) => void;
}

function Lines({ device, shown, wrap, isFollowing, onWrap }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const { records } = shown;
  useEffect(() => {
    if (records.length && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [records]);
  if (!records.length)
    return (
      <Empty icon={IconFileText} title={isFollowing ? "No lines yet" : "No lines"}>
        The log has no line of this source, level and text. The service keeps its last 1,000 lines, the system journal more.
      </Empty>
    );
  const save = () => saveFile(new Blob([fileOf(records)], { type: "text/plain" }), `${device}-${shown.log.source}.log`);
  return (
    <>
      <Group gap="sm">
        <Switch label="Wrap lines" checked={wrap} onChange={({ currentTarget }) => onWrap(currentTarget.checked)} />
        <CopyButton value={fileOf(records)}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button size="xs" variant="default" onClick={save}>
          Download
        </Button>
      </Group>
      <div ref={box} className={classes.lines} data-wrap={wrap} role="log" aria-live="off" aria-label="Log lines" tabIndex={0}>
        {records.map((record, index) => (
          <div key={index} className={classes.line} data-tone={TONES[record.level]}>
            <span className={classes.time}>{timeOf(record)}</span>
            <span className={classes.level}>{record.level}</span>
            <span className={classes.text}>{record.text}</span>
          </div>
        ))}
      </div>
    </>
  );
}
